/* SPDX-License-Identifier: MIT */
#include "cli/model_near.h"
#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

/* Loops that are compared in one place of the order: more of them share all outer frames only in
 * dumps that lie. */
#define MOST_EQUAL 64

struct model_near {
    const struct model_loop *loop;
    size_t count;
    const struct model_loop **loops; /* those of its thread, by their frames from the outermost */
};

/* The k-th frame from outside, or MODEL_NONE behind the innermost. */
static uint32_t outer(const struct model_stack *stack, uint32_t k)
{
    return k < stack->count ? stack->frames[stack->count - 1 - k] : MODEL_NONE;
}

static int compare_stacks(const struct model_stack *x, const struct model_stack *y)
{
    for (uint32_t k = 0;; k++) {
        uint32_t a = outer(x, k);
        uint32_t b = outer(y, k);
        if (a == MODEL_NONE || b == MODEL_NONE)
            return (a != MODEL_NONE) - (b != MODEL_NONE);
        if (a != b)
            return a < b ? -1 : 1;
    }
}

static int compare_loops(const void *a, const void *b)
{
    const struct model_loop *const *x = a;
    const struct model_loop *const *y = b;
    return compare_stacks((*x)->stack, (*y)->stack);
}

static uint32_t common(const struct model_stack *x, const struct model_stack *y)
{
    uint32_t k = 0;
    while (k < x->count && k < y->count && outer(x, k) == outer(y, k))
        k++;
    return k;
}

struct model_near *model_near_new(struct model *model, uint32_t id)
{
    const struct model_loop *loop = model_find_loop(model, id);
    if (!loop)
        return NULL;
    struct model_near *near = xcalloc(1, sizeof *near);
    near->loop = loop;
    near->loops = xcalloc(model->loop_count, sizeof(const struct model_loop *));
    for (size_t i = 0; i < model->loop_count; i++)
        if (model->loops[i].thread == loop->thread && model->loops[i].stack)
            near->loops[near->count++] = &model->loops[i];
    if (near->count)
        qsort(near->loops, near->count, sizeof(const struct model_loop *), compare_loops);
    return near;
}

void model_near_free(struct model_near *near)
{
    if (near)
        free(near->loops);
    free(near);
}

static bool same_function(struct model *model, uint32_t a, uint32_t b)
{
    if (a == MODEL_NONE || b == MODEL_NONE || model->frames[a].module != model->frames[b].module)
        return false;
    if (a == b)
        return true;
    struct model_line x;
    struct model_line y;
    struct model_stack one = {.count = 1, .frames = &a};
    struct model_stack two = {.count = 1, .frames = &b};
    size_t n;
    struct model_line *lines = model_lines(model, &one, &n);
    x = lines[n - 1];
    free(lines);
    lines = model_lines(model, &two, &n);
    y = lines[n - 1];
    free(lines);
    return x.full && y.full && strcmp(x.full, y.full) == 0;
}

/* Twice the common outer frames, and one more if the next ones lie in one function. */
static uint32_t nearness(struct model *model, const struct model_stack *x,
                         const struct model_stack *y)
{
    uint32_t k = common(x, y);
    return 2 * k + same_function(model, outer(x, k), outer(y, k));
}

/* The first loop that is not before the stack. */
static size_t place_of(const struct model_near *near, const struct model_stack *stack)
{
    size_t low = 0;
    size_t high = near->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_stacks(near->loops[middle]->stack, stack) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether no other loop is nearer: those with most in common stand around the stack's place. */
static bool is_nearest(const struct model_near *near, struct model *model,
                       const struct model_stack *stack)
{
    uint32_t mine = nearness(model, stack, near->loop->stack);
    size_t place = place_of(near, stack);
    size_t first = place > MOST_EQUAL ? place - MOST_EQUAL : 0;
    for (size_t i = first; i < near->count && i < place + MOST_EQUAL; i++) {
        const struct model_stack *other = near->loops[i]->stack;
        if (common(stack, other) * 2 + 1 > mine && nearness(model, stack, other) > mine)
            return false;
    }
    return mine > 0;
}

/* A stack that does not reach its outermost frame can only be searched for the loop's. */
static bool passes_through(const struct model_near *near, struct model *model,
                           const struct model_stack *stack)
{
    uint32_t wanted = outer(near->loop->stack, near->loop->stack->count - 1);
    for (uint32_t i = 0; i < stack->count; i++)
        if (same_function(model, stack->frames[i], wanted))
            return true;
    return false;
}

static bool on_thread(const struct model *model, const struct model_site *site, uint32_t thread)
{
    for (uint32_t i = 0; i < site->counters; i++)
        if (model->counters[site->counter + i].thread == thread)
            return true;
    return false;
}

bool model_near_has(const struct model_near *near, struct model *model,
                    const struct model_site *site)
{
    const struct model_loop *loop = near->loop;
    const struct model_stack *stack = site->stack;
    if (!loop->stack || loop->stack->count == 0 || loop->thread == MODEL_NONE ||
        !on_thread(model, site, loop->thread))
        return false;
    if (site->first_window > loop->last_window || site->last_window < loop->first_window)
        return false;
    unsigned cut = DUMP_STACK_DEEPER | DUMP_STACK_BROKEN | DUMP_STACK_EARLY | DUMP_STACK_CALL_SITE |
                   DUMP_STACK_HANDLER;
    if (stack->flags & cut || loop->stack->flags & cut)
        return passes_through(near, model, stack);
    if (site->in_poll)
        return common(stack, loop->stack) == loop->stack->count;
    return is_nearest(near, model, stack);
}
