/* SPDX-License-Identifier: MIT */
#include "cli/blind.h"
#include "cli/errors.h"
#include "cli/format.h"
#include "cli/model_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void note_end(struct model *model)
{
    if (model->damaged)
        model_add_note(model, true, "damaged at offset %" PRIu64 ": only its sound part is used",
                       model->damaged_at);
    if (model->running)
        model_add_note(model, false, "still running: the numbers are those of this moment");
    else if (model->killed)
        model_add_note(model, false, "killed, or ended without exit: counted to its last moment");
    if (model->forked_from)
        model_add_note(model, false, "made by a fork of process %" PRIu32, model->forked_from);
    if (model->version > DUMP_VERSION)
        model_add_note(model, false, "written by a newer recorder: what is new in it is not shown");
}

static void note_polls(struct model *model)
{
    if (model->polls.count == 0) {
        model_add_note(model, true, "no poll was seen: everything counts as startup");
        return;
    }
    if (model->polls.steady == 0)
        model_add_note(model, true, "too short a run: it has no steady phase");
    else if (model->primary != MODEL_NONE && model->private->clocks[model->primary].warm == 0)
        model_add_note(model, false, "too short a run to be sure where its warm-up ends");
    if (model->frame_info.elsewhere)
        model_add_note(model, false,
                       "%" PRIu64 " present%s by threads that do not poll: they count as frames "
                       "only where a poll notices them",
                       model->frame_info.elsewhere, format_plural(model->frame_info.elsewhere));
    if (model->sample > 1)
        model_add_note(model, true, "one stack of %" PRIu32 " was taken: the sites are a sample",
                       model->sample);
}

static void note_blind(struct model *model)
{
    for (size_t i = 0; i < model->incomplete_count; i++) {
        const struct blind_words *words = blind_words(model->incomplete[i]);
        model_add_note(model, true, "%s; %s", words->reason, words->advice);
    }
}

static void note_losses(struct model *model)
{
    for (unsigned i = 0; i < DUMP_LOSS_COUNT; i++) {
        if (!model->loss[i])
            continue;
        const char *text = model_loss_text(i);
        model_add_note(model, i != DUMP_LOSS_UNKNOWN && i != DUMP_LOSS_UNWIND, "%" PRIu64 " %s",
                       model->loss[i], text ? text : "losses of a kind that is not known here");
    }
}

/* Where most of the stacks end that end early: it is nearly always one module, whose code has no
 * unwind tables, or code that is in none. */
static void note_broken(struct model *model, uint64_t broken)
{
    size_t none = model->module_count;
    size_t most = none;
    uint64_t *ends = xcalloc(none + 1, sizeof *ends);
    for (size_t i = 0; i < model->stack_count; i++) {
        const struct model_stack *stack = &model->stacks[i];
        unsigned cut = stack->flags & (DUMP_STACK_BROKEN | DUMP_STACK_CALL_SITE);
        if (cut != DUMP_STACK_BROKEN || stack->count == 0)
            continue;
        uint32_t module = model->frames[stack->frames[stack->count - 1]].module;
        size_t at = module == MODEL_NONE ? none : module;
        if (++ends[at] > ends[most])
            most = at;
    }
    const char *verb = broken == 1 ? " ends" : "s end";
    if (ends[most] == 0)
        model_add_note(model, false, "%" PRIu64 " stack%s before the outermost frame", broken,
                       verb);
    else if (most == none)
        model_add_note(model, false,
                       "%" PRIu64 " stack%s before the outermost frame, %" PRIu64
                       " of them in no module: code made at run time has no unwind tables",
                       broken, verb, ends[most]);
    else
        model_add_note(model, false,
                       "%" PRIu64 " stack%s before the outermost frame, %" PRIu64
                       " of them in %s, where code seems to have no unwind tables",
                       broken, verb, ends[most], model->modules[most].name);
    free(ends);
}

static void note_stacks(struct model *model)
{
    uint64_t deeper = 0;
    uint64_t broken = 0;
    for (size_t i = 0; i < model->stack_count; i++) {
        deeper += (model->stacks[i].flags & DUMP_STACK_DEEPER) != 0;
        broken += (model->stacks[i].flags & DUMP_STACK_BROKEN) != 0;
    }
    if (deeper)
        model_add_note(model, false,
                       "%" PRIu64 " stack%s deeper than the %" PRIu32 " frames that are kept",
                       deeper, deeper == 1 ? " is" : "s are", model->stack_depth);
    if (broken)
        note_broken(model, broken);
}

static void note_contradictions(struct model *model)
{
    const struct model_private *private = model->private;
    if (private->orphans)
        model_add_note(model, true,
                       "%" PRIu64 " record%s a thread, loop or stack that is not there",
                       private->orphans, private->orphans == 1 ? " names" : "s name");
    if (private->cut_stacks)
        model_add_note(model, true, "%" PRIu64 " stack%s frames that are not there",
                       private->cut_stacks, private->cut_stacks == 1 ? " names" : "s name");
    if (private->odd_schedule)
        model_add_note(
            model, false,
            "stopped while the phases were being moved: their bounds may be one step off");
    if (private->contradictions)
        model_add_note(model, true,
                       "%" PRIu64 " counter%s an impossible history: phases are clamped",
                       private->contradictions, private->contradictions == 1 ? " has" : "s have");
}

void model_write_notes(struct model *model, const struct dumpfile *file)
{
    note_end(model);
    note_polls(model);
    note_blind(model);
    note_losses(model);
    note_stacks(model);
    note_contradictions(model);
    uint64_t unknown = 0;
    for (size_t i = 0; i < file->chunk_count; i++)
        unknown += dumpfile_type_name(file->chunks[i].type) == NULL;
    if (unknown)
        model_add_note(model, false, "%" PRIu64 " chunk%s of a type that is not known here",
                       unknown, unknown == 1 ? " is" : "s are");
}
