/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/eventnames.h"
#include "cli/model_private.h"

#include <inttypes.h>
#include <stdlib.h>

static struct model_event event_of(const struct dump_event *raw)
{
    bool typed = raw->kind == DUMP_EVENT_TYPE;
    return (struct model_event){
        .kind = (enum dump_event_kind)raw->kind,
        .type = typed ? raw->type : 0,
        .sdl = typed ? raw->sdl : 0,
        .events = raw->events,
        .drains = raw->drains,
        .allocations = raw->allocations,
        .bytes = raw->bytes,
        .most_bytes = raw->most_bytes,
        .alone_drains = raw->alone_drains,
        .alone_allocations = raw->alone_allocations,
        .alone_bytes = raw->alone_bytes,
    };
}

static int compare_keys(const void *a, const void *b)
{
    const struct model_event *x = a;
    const struct model_event *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->sdl != y->sdl)
        return x->sdl < y->sdl ? -1 : 1;
    return (x->type > y->type) - (x->type < y->type);
}

static void add_event(struct model_event *sum, const struct model_event *more)
{
    sum->events = model_add(sum->events, more->events);
    sum->drains = model_add(sum->drains, more->drains);
    sum->allocations = model_add(sum->allocations, more->allocations);
    sum->bytes = model_add(sum->bytes, more->bytes);
    if (more->most_bytes > sum->most_bytes)
        sum->most_bytes = more->most_bytes;
    sum->alone_drains = model_add(sum->alone_drains, more->alone_drains);
    sum->alone_allocations = model_add(sum->alone_allocations, more->alone_allocations);
    sum->alone_bytes = model_add(sum->alone_bytes, more->alone_bytes);
}

/* Adds up what is of the same type on several threads; all are sorted by it. */
static size_t merge(struct model_event *events, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_keys(&events[kept - 1], &events[i]) == 0)
            add_event(&events[kept - 1], &events[i]);
        else
            events[kept++] = events[i];
    }
    return kept;
}

static char *type_name(uint32_t sdl, uint32_t type)
{
    const char *name = eventnames_find(sdl, type);
    if (name)
        return xasprintf("%s", name);
    if (sdl != 0 && type >= EVENTNAMES_USER && type <= EVENTNAMES_USER_LAST)
        return xasprintf("user event 0x%" PRIx32, type);
    return xasprintf("event 0x%" PRIx32, type);
}

/* `mixed`: types go by the numbers of more than one SDL. */
static const char *name_of(struct model *model, const struct model_event *event, bool mixed)
{
    static const char *const fixed[] = {
        [DUMP_EVENT_NONE] = "no event",
        [DUMP_EVENT_SEVERAL] = "several types",
        [DUMP_EVENT_UNKNOWN] = "events of unknown type",
        [DUMP_EVENT_OTHER] = "events of further types",
    };
    if (event->kind != DUMP_EVENT_TYPE)
        return fixed[event->kind];
    char *name = type_name(event->sdl, event->type);
    char *whole = mixed ? xasprintf("%s (SDL %" PRIu32 ")", name, event->sdl) : NULL;
    const char *kept = model_text(model, whole ? whole : name, SIZE_MAX);
    free(whole);
    free(name);
    return kept;
}

/* Types first, most bytes first, then the drains that are of no type. */
static int compare_events(const void *a, const void *b)
{
    const struct model_event *x = a;
    const struct model_event *y = b;
    bool x_last = x->kind == DUMP_EVENT_NONE || x->kind == DUMP_EVENT_SEVERAL;
    bool y_last = y->kind == DUMP_EVENT_NONE || y->kind == DUMP_EVENT_SEVERAL;
    if (x_last != y_last)
        return x_last ? 1 : -1;
    if (x_last)
        return (x->kind < y->kind) - (x->kind > y->kind);
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->events != y->events)
        return x->events > y->events ? -1 : 1;
    return compare_keys(x, y);
}

void model_read_events(struct model *model, const struct dumpfile *file)
{
    uint32_t sdl = 0;
    bool mixed = false;
    model->events = model_alloc(model, model_count(file, DUMP_EVENT), sizeof *model->events);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_EVENT, &cursor);) {
        struct dump_event raw;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        model->knows_events = true;
        if (raw.kind <= DUMP_EVENT_TYPE && (raw.events > 0 || raw.drains > 0))
            model->events[model->event_count++] = event_of(&raw);
    }
    if (model->event_count)
        qsort(model->events, model->event_count, sizeof *model->events, compare_keys);
    model->event_count = merge(model->events, model->event_count);
    for (size_t i = 0; i < model->event_count; i++) {
        if (model->events[i].kind != DUMP_EVENT_TYPE)
            continue;
        mixed = mixed || (sdl != 0 && sdl != model->events[i].sdl);
        sdl = model->events[i].sdl;
    }
    for (size_t i = 0; i < model->event_count; i++)
        model->events[i].name = name_of(model, &model->events[i], mixed);
    if (model->event_count)
        qsort(model->events, model->event_count, sizeof *model->events, compare_events);
}
