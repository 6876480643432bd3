/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/model_near.h"
#include "cli/model_private.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text, uint64_t *number)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    *number = strtoull(text, &end, 10);
    return *end == '\0';
}

static bool thread_matches(const struct model *model, uint32_t place, const char *wanted)
{
    uint64_t number;
    if (place == MODEL_NONE)
        return false;
    const struct model_thread *thread = &model->threads[place];
    if (is_number(wanted, &number) && (number == thread->id || number == thread->tid))
        return true;
    return fnmatch(wanted, thread->name, 0) == 0;
}

bool model_has_thread(const struct model *model, const char *thread)
{
    for (size_t i = 0; i < model->thread_count; i++)
        if (thread_matches(model, (uint32_t)i, thread))
            return true;
    return false;
}

/* "module!function"; what stands without "!" is a function. */
struct glob {
    char *module; /* NULL: any */
    const char *function;
};

static struct glob glob_of(const char *text)
{
    const char *mark = strchr(text, '!');
    if (!mark)
        return (struct glob){NULL, text};
    char *module = xstrdup(text);
    module[mark - text] = '\0';
    return (struct glob){module, mark + 1};
}

static bool function_matches(const char *glob, const struct model_line *line)
{
    if (line->function)
        return fnmatch(glob, line->function, 0) == 0 ||
               (line->full && fnmatch(glob, line->full, 0) == 0);
    char *text = model_line_text(line);
    bool matches = fnmatch(glob, text, 0) == 0;
    free(text);
    return matches;
}

static bool line_matches(const struct glob *glob, const struct model_line *line)
{
    if (glob->module) {
        if (!line->module || (fnmatch(glob->module, line->module->name, 0) != 0 &&
                              fnmatch(glob->module, line->module->path, 0) != 0))
            return false;
    }
    return function_matches(glob->function, line);
}

/* Frames are shared by many stacks: each is compared with the glob once. */
enum verdict { UNKNOWN = 0, NO, YES };

static bool frame_matches(struct model *model, uint32_t frame, const struct glob *glob,
                          uint8_t *verdicts)
{
    if (verdicts[frame] == UNKNOWN) {
        size_t count;
        struct model_stack one = {.count = 1, .frames = &frame};
        struct model_line *lines = model_lines(model, &one, &count);
        verdicts[frame] = NO;
        for (size_t i = 0; i < count; i++)
            if (line_matches(glob, &lines[i]))
                verdicts[frame] = YES;
        free(lines);
    }
    return verdicts[frame] == YES;
}

static bool stack_matches(struct model *model, const struct model_stack *stack, bool innermost,
                          const struct glob *glob, uint8_t *verdicts)
{
    struct model_line name;
    if (innermost)
        return model_name(model, stack, &name) && line_matches(glob, &name);
    for (uint32_t i = 0; i < stack->count; i++)
        if (frame_matches(model, stack->frames[i], glob, verdicts))
            return true;
    return false;
}

static void add_counter(struct model_row *row, const struct model_counter *counter, int phase)
{
    const struct model_amount *steady = &counter->phase[MODEL_STEADY];
    model_amount_add(&row->amount, phase == MODEL_ANY ? &counter->all : &counter->phase[phase]);
    /* Wraps instead of overflowing; a dump that does not lie never does either. */
#define ADD_SIGNED(to, plus, minus)                                                                \
    (to) = (int64_t)((uint64_t)(to) + (uint64_t)model_difference((plus), (minus)))
    ADD_SIGNED(row->live_bytes, counter->all.bytes, counter->all.freed_bytes);
    ADD_SIGNED(row->live_blocks, counter->all.allocations, counter->all.frees);
    ADD_SIGNED(row->growth_bytes, steady->bytes, steady->freed_bytes);
#undef ADD_SIGNED
    row->temporary = model_add(row->temporary, counter->temporary_poll);
    row->temporary_bytes = model_add(row->temporary_bytes, counter->temporary_poll_bytes);
    row->temporary_frame = model_add(row->temporary_frame, counter->temporary_frame);
    if (counter->polls > row->polls)
        row->polls = counter->polls;
    if (counter->polls_steady > row->polls_steady)
        row->polls_steady = counter->polls_steady;
    if (counter->most_bytes > row->most_bytes)
        row->most_bytes = counter->most_bytes;
}

static bool is_something(const struct model_amount *amount)
{
    return amount->allocations || amount->frees || amount->bytes || amount->freed_bytes ||
           amount->reallocations;
}

static bool make_row(const struct model *model, const struct model_site *site,
                     const struct model_filter *filter, struct model_row *row)
{
    const struct model_loop *loop = filter->loop ? model_find_loop(model, filter->loop) : NULL;
    *row = (struct model_row){.site = site};
    if (filter->loop && !loop)
        return false;
    for (uint32_t i = 0; i < site->counters; i++) {
        const struct model_counter *counter = &model->counters[site->counter + i];
        if (loop && counter->thread != loop->thread)
            continue;
        if (!filter->thread || thread_matches(model, counter->thread, filter->thread))
            add_counter(row, counter, filter->phase);
    }
    return is_something(&row->amount);
}

static int64_t key_of(const struct model_row *row, enum model_order order)
{
    uint64_t key = row->amount.bytes;
    switch (order) {
    case MODEL_BY_LIVE:
        return row->live_bytes;
    case MODEL_BY_GROWTH:
        return row->growth_bytes;
    case MODEL_BY_ALLOCATIONS:
        key = row->amount.allocations;
        break;
    case MODEL_BY_TEMPORARY:
        key = row->temporary;
        break;
    case MODEL_BY_POLLS:
        key = row->polls;
        break;
    case MODEL_BY_FREES:
        key = row->amount.frees;
        break;
    case MODEL_BY_MOST:
        key = row->most_bytes;
        break;
    case MODEL_BY_BYTES:
        break;
    }
    return key > INT64_MAX ? INT64_MAX : (int64_t)key;
}

static int compare_rows(const void *a, const void *b, void *order)
{
    const struct model_row *x = a;
    const struct model_row *y = b;
    int64_t p = key_of(x, *(const enum model_order *)order);
    int64_t q = key_of(y, *(const enum model_order *)order);
    if (p != q)
        return p > q ? -1 : 1;
    if (x->amount.bytes != y->amount.bytes)
        return x->amount.bytes > y->amount.bytes ? -1 : 1;
    return (x->site->id > y->site->id) - (x->site->id < y->site->id);
}

static bool passes(struct model *model, const struct model_site *site,
                   const struct model_filter *filter, const struct glob *glob, uint8_t *verdicts,
                   const struct model_near *near)
{
    if (filter->in_poll != MODEL_ANY && site->in_poll != (filter->in_poll != 0))
        return false;
    if (near && !model_near_has(near, model, site))
        return false;
    return !filter->glob || stack_matches(model, site->stack, filter->innermost, glob, verdicts);
}

struct model_row *model_select(struct model *model, const struct model_filter *filter,
                               enum model_order order, size_t *count, struct model_amount *sum)
{
    struct model_row *rows = xcalloc(model->site_count, sizeof *rows);
    uint8_t *verdicts = xcalloc(model->frame_count, 1);
    struct glob glob = filter->glob ? glob_of(filter->glob) : (struct glob){0};
    struct model_near *near = filter->loop ? model_near_new(model, filter->loop) : NULL;
    struct model_amount all = {0};
    *count = 0;
    for (size_t i = 0; i < model->site_count; i++) {
        const struct model_site *site = &model->sites[i];
        if (!make_row(model, site, filter, &rows[*count]) ||
            !passes(model, site, filter, &glob, verdicts, near))
            continue;
        model_amount_add(&all, &rows[*count].amount);
        (*count)++;
    }
    if (*count)
        qsort_r(rows, *count, sizeof *rows, compare_rows, &order);
    if (sum)
        *sum = all;
    model_near_free(near);
    free(glob.module);
    free(verdicts);
    if (*count)
        return rows;
    free(rows);
    return NULL;
}
