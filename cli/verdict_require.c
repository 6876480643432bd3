/* SPDX-License-Identifier: MIT */
/* What must hold of a run so that anything can be told of it. */
#include "cli/errors.h"
#include "cli/summary.h"
#include "cli/verdict_private.h"

#include <inttypes.h>

static struct verdict_item *require(struct verdict *verdict, const char *name)
{
    struct verdict_item *item = verdict_add(verdict, VERDICT_REQUIREMENT, name);

    item->mark = verdict->file->require.mark;
    return item;
}

/* The numbers are all there, and agree with each other. */
static void require_sound(struct verdict *verdict)
{
    const struct model *model = verdict->model;
    struct verdict_item *item = require(verdict, "recording");
    size_t wrong = model_check(model, NULL);

    item->status = VERDICT_UNKNOWN;
    if (model->running)
        item->text = "the program still runs";
    else if (model->polls.count == 0)
        item->text = "no poll was seen";
    else if (summary_is_blind(model))
        item->text = "not one allocation was seen: they do not reach the recorder";
    else if (wrong > 0)
        item->text = verdict_text(
            verdict, "%zu sums of the dump disagree; 'allocreport info' says which", wrong);
    else if (model->killed) {
        item->status = VERDICT_WARN;
        item->text = "the program was killed or crashed: the counts end there";
    } else {
        item->status = VERDICT_PASS;
        item->text = "whole, and its sums agree";
    }
}

static void require_polls(struct verdict *verdict)
{
    struct verdict_item *item = require(verdict, "steady polls");
    uint64_t least = verdict->file->require.polls;

    item->has_actual = item->has_bound = item->lower = true;
    item->unit = VERDICT_COUNT;
    item->least = item->most = ratio_of(verdict->steady_polls, 1);
    item->bound = ratio_of(least, 1);
    verdict_show_item(verdict, item);
    item->status = verdict->steady_polls >= least ? VERDICT_PASS : VERDICT_UNKNOWN;
    item->text = verdict_text(
        verdict, "%s, %s%s", item->actual_text, item->bound_text,
        item->status == VERDICT_PASS ? "" : ": the run was too short, let it poll more");
}

/*
 * Allocations and polls that were not counted, or not where they belong. Not losses: stacks that
 * end early, and releases of blocks from before the recorder.
 */
static uint64_t dropped(const struct model *model)
{
    uint64_t sum = 0;

    for (unsigned loss = 0; loss < DUMP_LOSS_COUNT; loss++) {
        if (loss == DUMP_LOSS_UNWIND || loss == DUMP_LOSS_UNKNOWN)
            continue;
        sum = sum + model->loss[loss] < sum ? UINT64_MAX : sum + model->loss[loss];
    }
    return sum;
}

static void require_nothing_lost(struct verdict *verdict)
{
    struct verdict_item *item = require(verdict, "dropped");
    uint64_t count = dropped(verdict->model);

    item->has_actual = item->has_bound = true;
    item->unit = VERDICT_COUNT;
    item->least = item->most = ratio_of(count, 1);
    item->bound = ratio_of(verdict->file->require.dropped, 1);
    verdict_show_item(verdict, item);
    item->status = count <= verdict->file->require.dropped ? VERDICT_PASS : VERDICT_UNKNOWN;
    item->text = verdict_text(
        verdict, "%s, %s%s", item->actual_text, item->bound_text,
        item->status == VERDICT_PASS ? "" : ": not all was counted; 'allocreport info' says what");
}

/* --- steadiness ------------------------------------------------------------------------------ */

/* Sites of the loop that come back for ever. */
static bool is_recurring(const struct model_site *site)
{
    return site->cadence.kind == CADENCE_EVERY_POLL || site->cadence.kind == CADENCE_PERIODIC;
}

/* Which of the recorder's two cuts is nearer to the middle of the steady phase: how many of the
 * parts come before it. 0: neither leaves a poll on either side. */
static unsigned choose_cut(const uint64_t polls[MODEL_PARTS])
{
    uint64_t first = polls[0];
    uint64_t second = polls[0] + polls[1];
    uint64_t all = second + polls[2];
    uint64_t first_side = first < all - first ? first : all - first;
    uint64_t second_side = second < all - second ? second : all - second;

    if (first_side == 0 && second_side == 0)
        return 0;
    return first_side >= second_side ? 1 : 2;
}

/*
 * The bytes that recurring sites of the loop allocated in the halves. *slack: what one occurrence
 * more or less of each periodic site comes to, since a half need not hold whole periods.
 */
static void halve(struct verdict *verdict, unsigned cut, uint64_t *slack)
{
    const struct model *model = verdict->model;

    for (size_t s = 0; s < model->site_count; s++) {
        const struct model_site *site = &model->sites[s];

        for (uint32_t i = site->counter; i < site->counter + site->counters; i++) {
            const struct model_counter *counter = &model->counters[i];

            if (!is_recurring(site) || counter->thread != model->primary)
                continue;
            for (unsigned part = 0; part < MODEL_PARTS; part++)
                verdict->half_bytes[part >= cut] += counter->part[part].bytes;
            if (site->cadence.kind == CADENCE_PERIODIC && counter->phase[MODEL_STEADY].bytes > 0)
                *slack += counter->most_bytes;
        }
    }
}

/*
 * Whether |a / A - b / B| <= max(1 byte, 1 % of the greater of the two) + slack / A + slack / B,
 * in whole numbers: all times A B. Bytes are below 2^64 and polls below 2^57 in any run of less
 * than a thousand years.
 */
static bool halves_agree(const uint64_t bytes[2], const uint64_t polls[2], uint64_t slack)
{
    unsigned __int128 a = (unsigned __int128)bytes[0] * polls[1];
    unsigned __int128 b = (unsigned __int128)bytes[1] * polls[0];
    unsigned __int128 greater = a > b ? a : b;
    unsigned __int128 distance = a > b ? a - b : b - a;
    unsigned __int128 one_byte = (unsigned __int128)polls[0] * polls[1];
    unsigned __int128 more = (unsigned __int128)slack * (polls[0] + polls[1]);

    distance = distance > more ? distance - more : 0;
    /* distance <= greater / 100 without losing what a division drops. */
    return distance <= one_byte || distance <= greater / 100;
}

/* How much a site's bytes of the whole second half differ from what the first half lets expect. */
static int64_t difference_of(const struct verdict *verdict, const struct model_site *site,
                             unsigned cut)
{
    const uint64_t *polls = verdict->half_polls;
    uint64_t bytes[2] = {0, 0};

    for (unsigned part = 0; part < MODEL_PARTS; part++)
        bytes[part >= cut] += site->part[part].bytes;
    unsigned __int128 expected = (unsigned __int128)bytes[0] * polls[1] / polls[0];
    unsigned __int128 distance = expected > bytes[1] ? expected - bytes[1] : bytes[1] - expected;
    return distance > INT64_MAX ? INT64_MAX : (int64_t)distance;
}

/* The sites that make the difference, those that differ most first. */
static void add_differing(struct verdict *verdict, struct verdict_item *item, unsigned cut)
{
    const struct model *model = verdict->model;

    item->parts = verdict_memory(verdict, model->site_count, sizeof *item->parts);
    for (size_t s = 0; s < model->site_count; s++) {
        const struct model_site *site = &model->sites[s];
        int64_t weight = difference_of(verdict, site, cut);

        if (is_recurring(site) && site->thread == model->primary && weight > 0)
            item->parts[item->part_count++] =
                (struct verdict_part){.site = site,
                                      .amount = site->phase[MODEL_STEADY],
                                      .growth = site->growth_bytes,
                                      .weight = weight};
    }
    verdict_sort_parts(item);
}

static void require_steady(struct verdict *verdict)
{
    const struct model *model = verdict->model;
    struct verdict_item *item = require(verdict, "steady");
    const uint64_t *polls =
        model->primary != MODEL_NONE ? model->threads[model->primary].part_polls : NULL;
    unsigned cut = polls != NULL ? choose_cut(polls) : 0;
    uint64_t slack = 0;

    item->status = VERDICT_UNKNOWN;
    if (cut == 0) {
        item->text = "too few polls to compare two halves of them";
        return;
    }
    for (unsigned part = 0; part < MODEL_PARTS; part++)
        verdict->half_polls[part >= cut] += polls[part];
    halve(verdict, cut, &slack);
    if (halves_agree(verdict->half_bytes, verdict->half_polls, slack))
        item->status = VERDICT_PASS;
    else
        add_differing(verdict, item, cut);

    const char *half[2];
    for (unsigned i = 0; i < 2; i++)
        half[i] = verdict_show(verdict, ratio_of(verdict->half_bytes[i], verdict->half_polls[i]),
                               VERDICT_BYTES, "poll", 3);
    item->text = verdict_text(
        verdict, "recurring sites: %s in the first %" PRIu64 " polls, %s in the last %" PRIu64 "%s",
        half[0], verdict->half_polls[0], half[1], verdict->half_polls[1],
        item->status == VERDICT_PASS ? "" : ": not steady, they differ by more than 1 B and 1 %");
}

/* What the program itself came to, and whether the baseline was made where it could be compared. */
static void require_circumstances(struct verdict *verdict)
{
    const struct verdict_options *options = &verdict->private->options;
    const char *text = "";

    if (options->failure != NULL) {
        struct verdict_item *item = require(verdict, "program");
        item->status = VERDICT_FAIL;
        item->text = verdict_text(verdict, "it %s", options->failure);
    }
    for (size_t i = 0; i < options->difference_count; i++)
        text = verdict_text(verdict, "%s%s%s", text, i > 0 ? "; " : "", options->differences[i]);
    if (options->difference_count > 0) {
        struct verdict_item *item = require(verdict, "environment");
        item->status = VERDICT_WARN;
        item->text = text;
    }
}

void verdict_require(struct verdict *verdict)
{
    const struct budget_require *require_of = &verdict->file->require;

    require_circumstances(verdict);
    require_sound(verdict);
    require_polls(verdict);
    if (require_of->has_dropped)
        require_nothing_lost(verdict);
    if (require_of->steady)
        require_steady(verdict);
}
