/* SPDX-License-Identifier: MIT */
#include "cli/baseline_private.h"

#include "cli/errors.h"
#include "cli/text.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

const char *const baseline_place_names[MODEL_PLACES] = {
    [MODEL_IN_POLL] = "in_poll", [MODEL_BETWEEN] = "between", [MODEL_OTHER] = "other"};

const char *const baseline_amount_names[5] = {"bytes", "allocations", "reallocations", "frees",
                                              "freed_bytes"};

uint64_t *baseline_amount_field(struct model_amount *amount, unsigned index)
{
    uint64_t *const fields[] = {&amount->bytes, &amount->allocations, &amount->reallocations,
                                &amount->frees, &amount->freed_bytes};

    return fields[index];
}

const char *baseline_series_name(unsigned series)
{
    static const char *const names[DUMP_SERIES_COUNT] = {
        [DUMP_SERIES_WINDOW_BYTES] = "window_bytes",
        [DUMP_SERIES_WINDOW_ALLOCATIONS] = "window_allocations",
        [DUMP_SERIES_POLL_BYTES] = "poll_bytes",
        [DUMP_SERIES_POLL_NS] = "poll_ns",
        [DUMP_SERIES_INTERVAL_NS] = "interval_ns",
        [DUMP_SERIES_FRAME_BYTES] = "frame_bytes",
        [DUMP_SERIES_FRAME_ALLOCATIONS] = "frame_allocations",
        [DUMP_SERIES_FRAME_NS] = "frame_ns",
        [DUMP_SERIES_DRAIN_BYTES] = "drain_bytes",
        [DUMP_SERIES_DRAIN_ALLOCATIONS] = "drain_allocations",
    };

    return names[series];
}

/* --- memory --------------------------------------------------------------------------------- */

struct baseline *baseline_new(const char *path)
{
    struct baseline *baseline = xcalloc(1, sizeof *baseline);
    struct baseline_environment *environment = &baseline->environment;

    baseline->private = xcalloc(1, sizeof *baseline->private);
    baseline->path = baseline_intern(baseline, path);
    environment->program = environment->build_id = environment->arch = environment->sdl =
        environment->video = environment->libc = baseline_intern(baseline, "");
    baseline->sample = 1;
    return baseline;
}

void *baseline_alloc(struct baseline *baseline, size_t count, size_t size)
{
    struct baseline_private *private = baseline->private;

    if (count == 0)
        return NULL;
    if (private->block_count == private->block_room) {
        private->block_room = private->block_room > 0 ? 2 * private->block_room : 64;
        private->blocks =
            xreallocarray(private->blocks, private->block_room, sizeof *private->blocks);
    }
    return private->blocks[private->block_count++] = xcalloc(count, size);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

const char *baseline_intern(struct baseline *baseline, const char *text)
{
    char *valid = text_valid(text != NULL ? text : "");
    char **place = tsearch(valid, &baseline->private->texts, compare_texts);

    if (place == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    if (*place != valid)
        free(valid);
    return *place;
}

const char *baseline_intern_module(struct baseline *baseline, const char *name)
{
    char *copy = xstrdup(name);

    for (char *mark = copy; (mark = strchr(mark, '!')) != NULL;)
        *mark = '_';
    const char *kept = baseline_intern(baseline, copy);
    free(copy);
    return kept;
}

void baseline_free(struct baseline *baseline)
{
    if (baseline == NULL)
        return;
    baseline_forget_keys(baseline);
    for (size_t i = 0; i < baseline->private->block_count; i++)
        free(baseline->private->blocks[i]);
    free(baseline->private->blocks);
    tdestroy(baseline->private->texts, free);
    free(baseline->private);
    free(baseline->values);
    free(baseline);
}

bool baseline_has_name(const struct baseline_line *line)
{
    return *line->function != '+' && *line->function != '\0';
}

/* --- sites ---------------------------------------------------------------------------------- */

int baseline_compare_sites(const struct baseline_site *a, const struct baseline_site *b)
{
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    for (size_t i = 0; i < a->line_count && i < b->line_count; i++) {
        int order = strcmp(a->lines[i].module, b->lines[i].module);
        if (order == 0)
            order = strcmp(a->lines[i].function, b->lines[i].function);
        if (order != 0)
            return order;
    }
    return (a->line_count > b->line_count) - (a->line_count < b->line_count);
}

static int by_names(const void *a, const void *b)
{
    return baseline_compare_sites(a, b);
}

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* They may have allocated in the same poll: of the largest one no more is known than its bound. */
static void add_site(struct baseline_site *sum, const struct baseline_site *more)
{
    if (more->phase[MODEL_STEADY].allocations > sum->phase[MODEL_STEADY].allocations)
        sum->cadence = more->cadence;
    for (unsigned p = 0; p < MODEL_PHASES; p++)
        model_amount_add(&sum->phase[p], &more->phase[p]);
    if (more->polls_steady > sum->polls_steady)
        sum->polls_steady = more->polls_steady;
    sum->most_bytes = add(sum->most_bytes, more->most_bytes);
}

bool baseline_merge_sites(struct baseline *baseline)
{
    size_t kept = 0;

    if (baseline->site_count == 0)
        return false;
    qsort(baseline->sites, baseline->site_count, sizeof *baseline->sites, by_names);
    for (size_t i = 1; i < baseline->site_count; i++) {
        struct baseline_site *last = &baseline->sites[kept];
        if (baseline_compare_sites(last, &baseline->sites[i]) == 0)
            add_site(last, &baseline->sites[i]);
        else
            baseline->sites[++kept] = baseline->sites[i];
    }
    bool merged = kept + 1 < baseline->site_count;
    baseline->site_count = kept + 1;
    return merged;
}

/* --- environments --------------------------------------------------------------------------- */

const char *baseline_unknown(const struct baseline *baseline)
{
    return baseline->damaged     ? "its dump is damaged"
           : baseline->blind     ? "its allocations were not seen"
           : baseline->no_polls  ? "it polled nothing"
           : baseline->no_steady ? "it has no steady phase: too few polls"
           : baseline->scope[BUDGET_STEADY].polls < BASELINE_STEADY_LEAST
               ? "it has too few steady polls"
               : NULL;
}

size_t baseline_differences(const struct baseline *now, const struct baseline *was, char ***lines)
{
    const struct baseline_environment *a = &now->environment, *b = &was->environment;
    const struct {
        const char *name, *now, *was;
    } parts[] = {{"the machine", a->arch, b->arch},
                 {"SDL", a->sdl, b->sdl},
                 {"the video driver", a->video, b->video},
                 {"the C library", a->libc, b->libc}};
    size_t count = 0;

    *lines = xcalloc(sizeof parts / sizeof parts[0], sizeof **lines);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].now, parts[i].was) != 0)
            (*lines)[count++] = xasprintf("%s is %s, was %s", parts[i].name,
                                          *parts[i].now != '\0' ? parts[i].now : "unknown",
                                          *parts[i].was != '\0' ? parts[i].was : "unknown");
    return count;
}
