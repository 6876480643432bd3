/* SPDX-License-Identifier: MIT */
/* The dump itself: header, threads, modules, losses, health. */
#include "cli/errors.h"
#include "cli/out_text.h"
#include "cli/table.h"
#include "cli/text.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

static void print_text(const struct out_request *request, const char *label, const char *text)
{
    char *safe = out_text_safe(&request->term, text);

    if (*text != '\0')
        fprintf(request->term.out, "%-*s%s\n", OUT_TEXT_LABEL, label, safe);
    free(safe);
}

static void print_file(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct term *term = &request->term;

    print_text(request, "dump", model->path);
    out_text_line(term, "", "format %" PRIu32 ", by recorder %s; %s bytes used of %s",
                  model->version, *model->recorder_version != '\0' ? model->recorder_version : "?",
                  format_count(model->used).text, format_count(model->file_size).text);
    if (model->damaged)
        out_text_line(term, "", "damaged at offset %" PRIu64 ": what stands before is used",
                      model->damaged_at);
}

static const char *machine_name(uint32_t machine)
{
    switch (machine) {
    case EM_X86_64:
        return "x86-64";
    case EM_AARCH64:
        return "aarch64";
    case EM_386:
        return "i386";
    default:
        return "unknown machine";
    }
}

static void print_heap(const struct out_request *request)
{
    const struct model *model = request->model;
    uint64_t faults = model->minor_faults + model->major_faults;

    out_text_line(
        &request->term, "heap",
        "grew in %s poll%s; %s block%s in mappings of their own; %s page fault%s since the "
        "first poll",
        format_count(model->heap_growths).text, format_plural(model->heap_growths),
        format_count(model->mapped_blocks).text, format_plural(model->mapped_blocks),
        format_count(faults).text, format_plural(faults));
}

static void print_process(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct term *term = &request->term;
    time_t seconds = (time_t)(model->start_realtime_ns / 1000000000);
    struct tm day;
    char start[40] = "at an unknown time";

    if (gmtime_r(&seconds, &day) != NULL)
        strftime(start, sizeof start, "%Y-%m-%d %H:%M:%S UTC", &day);
    print_text(request, "program", model->program_path);
    char *arguments = xstrdup("");
    for (size_t i = 0; i < model->argument_count; i++) {
        char *word = text_shell(model->arguments[i]);
        char *longer = xasprintf("%s%s%s", arguments, i > 0 ? " " : "", word);
        free(arguments);
        free(word);
        arguments = longer;
    }
    print_text(request, "arguments", arguments);
    free(arguments);
    print_text(request, "directory", model->directory);
    out_text_line(term, "process", "pid %" PRIu32 ", parent %" PRIu32 ", %s; %s", model->pid,
                  model->parent_pid, machine_name(model->machine), model_state_name(model));
    if (model->forked_from != 0)
        out_text_line(term, "", "forked from %" PRIu32, model->forked_from);
    out_text_line(term, "started", "%s; first poll after %s; recorded %s", start,
                  model->first_poll_ns > 0 ? format_duration(model->first_poll_ns).text : "never",
                  format_duration(model->last_ns).text);
    print_text(request, "SDL", model->sdl_version);
    print_text(request, "", model->sdl_path);
    print_text(request, "video", model->video_driver);
    print_text(request, "audio", model->audio_driver);
    print_text(request, "subsystems", model->subsystems);
    print_text(request, "libc", model->libc);
    print_text(request, "allocator", model->allocator);
    print_text(request, "unwinder", model->unwinder);
    out_text_line(term, "stacks",
                  "%s, of up to %" PRIu32 " frames; %s sites; one in %" PRIu32 " kept",
                  format_count(model->stack_count).text, model->stack_depth,
                  format_count(model->site_count).text, model->sample > 0 ? model->sample : 1);
    print_heap(request);
    out_text_line(term, "recorder", "%s of memory of its own, beside the dump",
                  format_bytes_binary(model->recorder_bytes).text);
    out_text_waits(request);
    out_text_patch(request);
}

static void print_threads(const struct out_request *request)
{
    static const struct table_column columns[] = {
        {"thread", TABLE_RIGHT}, {"tid", TABLE_RIGHT},    {"name", TABLE_LEFT},
        {"polls", TABLE_RIGHT},  {"frames", TABLE_RIGHT}, {"allocations", TABLE_RIGHT},
        {"bytes", TABLE_RIGHT},  {"frees", TABLE_RIGHT},  {"", TABLE_LEFT},
    };
    const struct model *model = request->model;
    struct table *table = table_new(columns, 9, 0);

    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];
        char *name = out_text_safe(&request->term, thread->name);
        char id[16], tid[16];
        snprintf(id, sizeof id, "%" PRIu32, thread->id);
        snprintf(tid, sizeof tid, "%" PRIu32, thread->tid);
        table_cell(table, id);
        table_cell(table, tid);
        table_cell(table, name);
        table_cell(table, format_count(thread->poll_count).text);
        table_cell(table, format_count(thread->frames).text);
        table_cell(table, format_count(thread->all.allocations).text);
        table_cell(table, format_count(thread->all.bytes).text);
        table_cell(table, format_count(thread->all.frees).text);
        table_cell(table, thread->primary ? "primary" : thread->main ? "main" : "");
        free(name);
    }
    fputc('\n', request->term.out);
    table_print(table, &request->term);
}

static const char *source_name(enum symbol_source source)
{
    static const char *const names[] = {"not asked", "lines",   "functions", "perf map",
                                        "none",      "no file", "changed"};

    return names[source];
}

static void print_modules(const struct out_request *request)
{
    static const struct table_column columns[] = {{"module", TABLE_RIGHT},
                                                  {"symbols", TABLE_LEFT},
                                                  {"build-id", TABLE_LEFT},
                                                  {"", TABLE_LEFT},
                                                  {"path", TABLE_PATH}};
    const struct model *model = request->model;
    struct table *table = table_new(columns, 5, 0);

    for (size_t i = 0; i < model->module_count; i++) {
        const struct model_module *module = &model->modules[i];
        char *path =
            out_text_safe(&request->term, *module->path != '\0' ? module->path : module->name);
        char id[16];
        snprintf(id, sizeof id, "%" PRIu32, module->id);
        table_cell(table, id);
        table_cell(table, source_name(model_symbol_source(model, i)));
        table_cell(table, *module->build_id != '\0' ? module->build_id : "none");
        table_cell(table, module->unloaded_ns > 0 ? "unloaded" : "");
        table_cell(table, path);
        free(path);
    }
    fputc('\n', request->term.out);
    table_print(table, &request->term);
    for (size_t i = 0; i < model->module_count; i++) {
        const char *note = model_symbol_note(model, i);
        if (note == NULL)
            continue;
        char *line = xasprintf("module %" PRIu32 ": %s", model->modules[i].id, note);
        char *safe = out_text_safe(&request->term, line);
        fprintf(request->term.out, "%s\n", safe);
        free(safe);
        free(line);
    }
}

static void print_health(const struct out_request *request, char *const *wrong, size_t wrong_count)
{
    const struct model *model = request->model;
    const struct term *term = &request->term;

    fputc('\n', term->out);
    for (size_t i = 0; i < model->note_count; i++) {
        char *safe = out_text_safe(term, model->notes[i].text);
        out_text_say(term, TERM_PLAIN, "note: %s", safe);
        free(safe);
    }
    for (unsigned i = 0; i < DUMP_LOSS_COUNT; i++)
        if (model->loss[i] > 0)
            out_text_say(term, TERM_PLAIN, "lost: %s %s", format_count(model->loss[i]).text,
                         model_loss_text(i) != NULL ? model_loss_text(i) : "of an unknown kind");
    for (size_t i = 0; i < wrong_count; i++)
        out_text_say(term, TERM_BAD, "wrong: %s", wrong[i]);
    if (wrong_count > 0)
        out_text_say(term, TERM_BAD, "health: %s sums disagree%s", format_count(wrong_count).text,
                     model->running  ? "; the program is running, so they may"
                     : model->killed ? "; the program was killed in the middle of an operation"
                                     : "");
    else
        out_text_say(term, TERM_GOOD, "health: all sums agree%s",
                     model->damaged ? " in the part that was read"
                     : model->lossy ? ", what was lost apart"
                                    : "");
}

void out_text_info(const struct out_request *request, char *const *wrong, size_t wrong_count)
{
    print_file(request);
    print_process(request);
    print_threads(request);
    print_modules(request);
    print_health(request, wrong, wrong_count);
}
