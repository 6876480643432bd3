/* SPDX-License-Identifier: MIT */
/* Sites of several runs, matched by their names. */
#include "cli/compare_private.h"
#include "cli/errors.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* What one run has of a row. */
struct part {
    uint64_t bytes, allocations;
    uint64_t one_bytes, one_allocations;     /* that its last poll may add */
    uint64_t whole_bytes, whole_allocations; /* of all phases behind the startup */
    uint64_t polls;                          /* in which it allocated */
    size_t stacks;
    bool every_poll; /* its cadence */
};

struct row {
    char *key;   /* the whole stack */
    char *loose; /* the place and the line that names it */
    enum model_place place;
    const struct baseline_site *shown[COMPARE_SIDES];
    struct part *parts; /* by run, those before first */
    bool has[COMPARE_SIDES];
    bool merged; /* into another one */
};

struct rows {
    void *tree; /* by key */
    struct row **list;
    size_t count, room;
};

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->key, ((const struct row *)b)->key);
}

static int by_loose(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    int order = strcmp(x->loose, y->loose);

    return order != 0 ? order : strcmp(x->key, y->key);
}

/* Of a function without a name, the innermost one that has one is added. */
static char *loose_key(const struct compare_job *job, const struct baseline *run,
                       const struct baseline_site *site)
{
    static const struct baseline_line nothing = {"", ""};
    const struct baseline_line *line = site->line_count > 0 ? &site->lines[site->named] : &nothing;
    const struct baseline_line *named = line;

    for (size_t i = site->named; i < site->line_count && !baseline_has_name(named); i++)
        named = &site->lines[i];
    char *first = baseline_line_key(run, line, &job->all);
    char *second = baseline_line_key(run, named, &job->all);
    char *key = xasprintf("%u %s %s", (unsigned)site->place, first, second);
    free(first);
    free(second);
    return key;
}

static struct row *find_row(struct compare_job *job, struct rows *rows, const struct baseline *run,
                            const struct baseline_site *site)
{
    struct row *row = xcalloc(1, sizeof *row);

    row->key = baseline_site_key(run, site, &job->all, true);
    struct row **found = tsearch(row, &rows->tree, by_key);
    if (found == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    if (*found != row) {
        free(row->key);
        free(row);
        return *found;
    }
    row->loose = loose_key(job, run, site);
    row->place = site->place;
    row->parts = xcalloc(job->all.count, sizeof *row->parts);
    if (rows->count == rows->room) {
        rows->room = rows->room > 0 ? 2 * rows->room : 256;
        rows->list = xreallocarray(rows->list, rows->room, sizeof *rows->list);
    }
    return rows->list[rows->count++] = row;
}

static uint64_t mean(uint64_t sum, uint64_t count)
{
    return count > 0 ? sum / count + (sum % count > 0) : sum;
}

static void take_site(struct compare_job *job, struct rows *rows, size_t run,
                      const struct baseline_site *site)
{
    const struct model_amount *amount = &site->phase[job->options->phase];
    unsigned side = run < job->side[COMPARE_BEFORE].count ? COMPARE_BEFORE : COMPARE_AFTER;

    if (amount->allocations == 0)
        return;
    struct row *row = find_row(job, rows, job->all.runs[run], site);
    struct part *part = &row->parts[run];
    part->bytes = add(part->bytes, amount->bytes);
    part->allocations = add(part->allocations, amount->allocations);
    part->stacks++;
    row->has[side] = true;
    if (row->shown[side] == NULL)
        row->shown[side] = site;
    if (job->options->phase != MODEL_STEADY)
        return;
    /* What allocates in every poll does so alike; else a poll may be as large as the largest one.
     */
    uint64_t even = mean(amount->bytes, site->polls_steady);
    uint64_t one =
        site->cadence == CADENCE_EVERY_POLL || site->most_bytes < even ? even : site->most_bytes;
    part->one_bytes = add(part->one_bytes, one < amount->bytes ? one : amount->bytes);
    part->one_allocations =
        add(part->one_allocations, mean(amount->allocations, site->polls_steady));
    if (site->polls_steady > part->polls)
        part->polls = site->polls_steady;
    part->every_poll |= site->cadence == CADENCE_EVERY_POLL;
    for (unsigned phase = MODEL_WARMUP; phase < MODEL_PHASES; phase++) {
        part->whole_bytes = add(part->whole_bytes, site->phase[phase].bytes);
        part->whole_allocations = add(part->whole_allocations, site->phase[phase].allocations);
    }
}

/* Adds a row to another one. */
static void merge(const struct compare_job *job, struct row *into, struct row *from)
{
    for (size_t i = 0; i < job->all.count; i++) {
        struct part *to = &into->parts[i];
        const struct part *more = &from->parts[i];
        to->bytes = add(to->bytes, more->bytes);
        to->allocations = add(to->allocations, more->allocations);
        to->one_bytes = add(to->one_bytes, more->one_bytes);
        to->one_allocations = add(to->one_allocations, more->one_allocations);
        to->whole_bytes = add(to->whole_bytes, more->whole_bytes);
        to->whole_allocations = add(to->whole_allocations, more->whole_allocations);
        to->every_poll |= more->every_poll;
        to->stacks += more->stacks;
        if (more->polls > to->polls)
            to->polls = more->polls;
    }
    for (unsigned side = 0; side < COMPARE_SIDES; side++) {
        into->has[side] |= from->has[side];
        if (into->shown[side] == NULL)
            into->shown[side] = from->shown[side];
    }
    from->merged = true;
}

/* Rows that only one side has, and that are named alike, are one where both sides have such. */
static void match_loosely(const struct compare_job *job, const struct rows *rows)
{
    struct row **left = xcalloc(rows->count + 1, sizeof *left);
    size_t count = 0;

    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i]->has[COMPARE_BEFORE] != rows->list[i]->has[COMPARE_AFTER])
            left[count++] = rows->list[i];
    qsort(left, count, sizeof *left, by_loose);
    for (size_t begin = 0, end; begin < count; begin = end) {
        bool has[COMPARE_SIDES] = {false, false};
        for (end = begin; end < count && strcmp(left[end]->loose, left[begin]->loose) == 0; end++)
            for (unsigned side = 0; side < COMPARE_SIDES; side++)
                has[side] |= left[end]->has[side];
        for (size_t i = begin + 1; has[COMPARE_BEFORE] && has[COMPARE_AFTER] && i < end; i++)
            merge(job, left[begin], left[i]);
    }
    free(left);
}

/* --- judging -------------------------------------------------------------------------------- */

/* What the amounts of a row are divided by. */
static uint64_t divisor(const struct compare_job *job, const struct row *row, size_t run,
                        enum budget_scope which)
{
    const struct baseline_scope *scope = &job->all.runs[run]->scope[which];
    uint64_t units = row->place == MODEL_OTHER ? scope->ns : compare_units(job->out, scope);

    return job->options->phase != MODEL_STEADY || units == 0 ? 1 : units;
}

static enum compare_change worse_of(enum compare_change a, enum compare_change b)
{
    if (a == COMPARE_WORSE || b == COMPARE_WORSE)
        return COMPARE_WORSE;
    return a == COMPARE_BETTER || b == COMPARE_BETTER ? COMPARE_BETTER : COMPARE_SAME;
}

/* What is new counts if it comes back: in a second poll of any run, and with more bytes than are
 * let pass, if any are. */
static bool is_recurring(const struct compare_job *job, const struct row *row)
{
    for (size_t i = job->side[COMPARE_BEFORE].count; i < job->all.count; i++) {
        const struct part *part = &row->parts[i];
        struct ratio rate = ratio_of(part->bytes, divisor(job, row, i, BUDGET_STEADY));
        bool passes = row->place != MODEL_OTHER && job->options->bytes > 0 &&
                      ratio_compare(rate, ratio_of(job->options->bytes, 1)) <= 0;
        if (part->polls >= 2 && !passes)
            return true;
    }
    return false;
}

static void describe(const struct compare_job *job, const struct row *row,
                     struct compare_site *site)
{
    for (size_t i = 0; i < job->all.count; i++) {
        bool after = i >= job->side[COMPARE_BEFORE].count;
        size_t *stacks = after ? &site->stacks_after : &site->stacks_before;
        if (row->parts[i].stacks > *stacks)
            *stacks = row->parts[i].stacks;
        *(after ? &site->runs_after : &site->runs_before) += row->parts[i].stacks > 0;
    }
    site->place = row->place;
    site->shown = row->shown[row->has[COMPARE_AFTER] ? COMPARE_AFTER : COMPARE_BEFORE];
    if (site->shown->line_count > 0)
        site->name = &site->shown->lines[site->shown->named];
}

static bool is_every_poll(const struct compare_job *job, const struct row *row)
{
    for (size_t i = 0; i < job->all.count; i++)
        if (row->parts[i].every_poll)
            return true;
    return false;
}

/* Of the runs' amounts in one scope; bytes[] and allocations[] have room for them. */
static enum compare_change judge_scope(const struct compare_job *job, const struct row *row,
                                       enum budget_scope scope, struct compare_figure *bytes,
                                       struct compare_figure *allocations)
{
    const struct ratio none = {0, 1, false};
    const struct compare_options *options = job->options;
    size_t before = job->side[COMPARE_BEFORE].count, after = job->side[COMPARE_AFTER].count;
    bool other = row->place == MODEL_OTHER, steady = scope == BUDGET_STEADY;
    struct ratio percent = options->percent;

    for (size_t i = 0; i < job->all.count; i++) {
        const struct part *part = &row->parts[i];
        uint64_t whole = divisor(job, row, i, scope);
        bytes[i] = compare_figure(steady ? part->bytes : part->whole_bytes, part->one_bytes, whole);
        allocations[i] = compare_figure(steady ? part->allocations : part->whole_allocations,
                                        part->one_allocations, whole);
    }
    if (other && ratio_compare(percent, options->time_percent) < 0)
        percent = options->time_percent;
    /* Of other threads bytes are counted for each nanosecond. */
    return worse_of(compare_judge(bytes, before, bytes + before, after, percent,
                                  other ? none : ratio_of(options->bytes, 1)),
                    compare_judge(allocations, before, allocations + before, after, percent, none));
}

static void judge(struct compare_job *job, const struct row *row, struct compare_site *site)
{
    struct compare_figure bytes[2 * COMPARE_RUNS_MOST], allocations[2 * COMPARE_RUNS_MOST];
    size_t before = job->side[COMPARE_BEFORE].count, after = job->side[COMPARE_AFTER].count;
    bool steady = job->options->phase == MODEL_STEADY;

    site->change = judge_scope(job, row, BUDGET_STEADY, bytes, allocations);
    site->bytes_before = compare_counts(bytes, before);
    site->bytes_after = compare_counts(bytes + before, after);
    site->allocations_before = compare_counts(allocations, before);
    site->allocations_after = compare_counts(allocations + before, after);
    /* The steady phase begins at another poll in each run. What allocates now and then must have
     * changed in the whole run too. */
    if (steady && !is_every_poll(job, row) &&
        judge_scope(job, row, BUDGET_PROCESS, bytes, allocations) != site->change)
        site->change = COMPARE_SAME;
    if (!row->has[COMPARE_BEFORE])
        site->change = COMPARE_NEW;
    else if (!row->has[COMPARE_AFTER])
        site->change = COMPARE_GONE;
    /* Startup is judged as a whole: a program that has more to set up has more sites. */
    site->counts = steady && (site->change != COMPARE_NEW || is_recurring(job, row));
}

static int rank_of(enum compare_change change)
{
    static const int ranks[COMPARE_CHANGES] = {
        [COMPARE_NEW] = 0,  [COMPARE_WORSE] = 1, [COMPARE_BETTER] = 2,
        [COMPARE_GONE] = 3, [COMPARE_SAME] = 4,  [COMPARE_UNTOLD] = 4};

    return ranks[change];
}

static int by_change(const void *a, const void *b)
{
    const struct compare_site *x = a, *y = b;
    bool gone = x->change == COMPARE_GONE;
    int order = rank_of(x->change) - rank_of(y->change);

    if (order == 0)
        order = y->counts - x->counts;
    if (order == 0)
        order = ratio_compare(gone ? y->bytes_before.median : y->bytes_after.median,
                              gone ? x->bytes_before.median : x->bytes_after.median);
    return order != 0 ? order : baseline_compare_sites(x->shown, y->shown);
}

static void free_row(void *data)
{
    struct row *row = data;

    free(row->key);
    free(row->loose);
    free(row->parts);
    free(row);
}

void compare_sites(struct compare_job *job)
{
    struct compare *out = job->out;
    struct rows rows = {0};

    for (size_t run = 0; run < job->all.count; run++)
        for (size_t i = 0; i < job->all.runs[run]->site_count; i++)
            take_site(job, &rows, run, &job->all.runs[run]->sites[i]);
    match_loosely(job, &rows);
    out->sites = xcalloc(rows.count + 1, sizeof *out->sites);
    for (size_t i = 0; i < rows.count; i++) {
        const struct row *row = rows.list[i];
        if (row->merged)
            continue;
        struct compare_site *site = &out->sites[out->site_count++];
        describe(job, row, site);
        judge(job, row, site);
        out->changes[site->change]++;
        out->worse |=
            site->counts && (site->change == COMPARE_WORSE || site->change == COMPARE_NEW);
        out->better |=
            site->counts && (site->change == COMPARE_BETTER || site->change == COMPARE_GONE);
    }
    qsort(out->sites, out->site_count, sizeof *out->sites, by_change);
    tdestroy(rows.tree, free_row);
    free(rows.list);
}
