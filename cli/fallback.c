/* SPDX-License-Identifier: MIT */
#include "cli/fallback.h"

#include "cli/errors.h"
#include "cli/fallback_texts.h"

#include <string.h>

const struct fallback_language fallback_languages[] = {
    {"c", "//", fallback_texts_c},          {"c++", "//", fallback_texts_c},
    {"rust", "//", fallback_texts_rust},    {"haskell", "--", fallback_texts_haskell},
    {"python", "#", fallback_texts_python}, {NULL, NULL, NULL},
};

const char *const fallback_names[] = {"c", "c++", "rust", "haskell", "python", NULL};

/* The line of the caller, by which functions are compared. */
static struct model_line caller_of(struct model *model, const struct model_stack *stack)
{
    struct model_line line;

    model_name(model, stack, &line);
    return line;
}

static bool same_function(const struct model_line *a, const struct model_line *b)
{
    if (a->module == NULL || a->module != b->module)
        return false;
    if (a->function == NULL || b->function == NULL)
        return a->function == b->function && a->offset == b->offset;
    return strcmp(a->function, b->function) == 0;
}

static void add_sites(struct model *model, struct fallback_site *place,
                      const struct model_line *caller)
{
    for (size_t i = 0; i < model->site_count; i++) {
        const struct model_site *site = &model->sites[i];
        struct model_line line;

        if (site->in_poll || site->cadence.kind != CADENCE_EVERY_POLL)
            continue;
        line = caller_of(model, site->stack);
        if (!same_function(&line, caller))
            continue;
        place->allocations += site->phase[MODEL_STEADY].allocations;
        place->bytes += site->phase[MODEL_STEADY].bytes;
    }
}

static void add_polls(struct model *model, struct fallback_site *place,
                      const struct model_line *caller)
{
    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];
        struct model_line line = caller_of(model, loop->stack);

        if (loop->steady[DUMP_SERIES_WINDOW_BYTES] == NULL)
            continue;
        if (loop == place->loop || same_function(&line, caller))
            place->polls += loop->steady[DUMP_SERIES_WINDOW_BYTES]->count;
    }
}

struct fallback_site *fallback_sites(struct model *model, size_t *count)
{
    struct fallback_site *places = NULL;

    *count = 0;
    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];
        struct model_line caller;

        if (loop->by_function[DUMP_POLL_EVENT] == 0)
            continue;
        if (places == NULL)
            places = xcalloc(model->loop_count, sizeof *places);
        places[*count].loop = loop;
        caller = caller_of(model, loop->stack);
        add_polls(model, &places[*count], &caller);
        add_sites(model, &places[*count], &caller);
        ++*count;
    }
    return places;
}
