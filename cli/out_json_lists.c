/* SPDX-License-Identifier: MIT */
/* JSON of the commands sites, polls and info. */
#include "cli/out_json.h"
#include "cli/rows.h"

#include <stdlib.h>

void out_json_sites(const struct out_request *request)
{
    struct model_amount sum = {0};
    size_t count;
    struct model_row *rows = rows_select(request, &count, &sum);
    json_t *head = out_json_head(request);
    json_t *tail = json_object();

    out_json_set(head, "sort", json_string(request->order_name));
    out_json_set_number(head, "count", count);
    out_json_set(head, "sum", out_json_amount(&sum));
    out_json_set(tail, "losses", out_json_losses(request->model));

    struct out_json_stream stream = out_json_start(request->term.out, head);
    out_json_list(&stream, "sites");
    for (size_t i = 0; i < count && i < request->limit; i++)
        out_json_item(&stream, out_json_row(request, &rows[i]));
    out_json_end_list(&stream);
    out_json_end(&stream, tail);
    free(rows);
}

static json_t *timeline_of(const struct model *model)
{
    json_t *list = json_array();

    for (size_t i = 0; i < model->bucket_count; i++) {
        const struct model_bucket *bucket = &model->buckets[i];
        json_t *object = json_object();
        out_json_set_number(object, "begin_ns", bucket->begin_ns);
        out_json_set_number(object, "end_ns", bucket->end_ns);
        out_json_set_number(object, "polls", bucket->polls);
        out_json_set_number(object, "drains", bucket->drains);
        out_json_set_number(object, "frames", bucket->frames);
        out_json_set_number(object, "in_poll_allocations", bucket->in_poll_allocations);
        out_json_set_number(object, "in_poll_bytes", bucket->in_poll_bytes);
        out_json_set_number(object, "between_allocations", bucket->between_allocations);
        out_json_set_number(object, "between_bytes", bucket->between_bytes);
        out_json_set_number(object, "poll_ns", bucket->poll_ns);
        out_json_set_number(object, "most_bytes", bucket->most_bytes);
        out_json_set_number(object, "live_bytes", bucket->live_bytes);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *series_of(const struct stats_histogram *const *series)
{
    static const char *const names[] = {"poll_bytes", "poll_allocations", "in_poll_bytes",
                                        "in_poll_ns", "interval_ns"};
    json_t *object = json_object();

    for (unsigned i = 0; i < DUMP_SERIES_LOOP_COUNT; i++)
        out_json_set(object, names[i], out_json_histogram(series[i], true));
    return object;
}

static json_t *worst_of(const struct out_request *request, const struct model_worst *list,
                        size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count && json_array_size(array) < request->limit; i++)
        if (request->loop == NULL || list[i].loop == request->loop)
            json_array_append_new(array, out_json_worst(request, &list[i]));
    return array;
}

static json_t *events_of(const struct model *model)
{
    json_t *list = json_array();

    for (size_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        bool typed = event->kind == DUMP_EVENT_TYPE;
        json_t *object = json_object();
        out_json_set(object, "event", out_json_text(event->name));
        out_json_set(object, "type", typed ? json_integer(event->type) : json_null());
        out_json_set(object, "sdl", typed ? json_integer(event->sdl) : json_null());
        out_json_set_number(object, "events", event->events);
        out_json_set_number(object, "drains", event->drains);
        out_json_set_number(object, "allocations", event->allocations);
        out_json_set_number(object, "bytes", event->bytes);
        out_json_set_number(object, "most_bytes", event->most_bytes);
        out_json_set_number(object, "alone_drains", event->alone_drains);
        out_json_set_number(object, "alone_allocations", event->alone_allocations);
        out_json_set_number(object, "alone_bytes", event->alone_bytes);
        json_array_append_new(list, object);
    }
    return list;
}

void out_json_polls(const struct out_request *request)
{
    struct model *model = request->model;
    struct summary summary = summary_of(model, request->loop);
    json_t *whole = out_json_head(request);
    json_t *loops = json_array();

    for (size_t i = 0; i < model->loop_count; i++)
        json_array_append_new(loops, out_json_loop(request, &model->loops[i]));
    out_json_set(whole, "loop",
                 request->loop != NULL ? json_integer(request->loop->id) : json_null());
    out_json_set(whole, "all", series_of(summary.all_polls));
    out_json_set(whole, "steady", series_of(summary.steady_series));
    out_json_set(whole, "loops", loops);
    out_json_set(whole, "by_event", model->knows_events ? events_of(model) : json_null());
    out_json_set(whole, "timeline", timeline_of(model));
    out_json_set(whole, "worst_steady",
                 worst_of(request, model->worst_steady, model->worst_steady_count));
    out_json_set(whole, "worst", worst_of(request, model->worst, model->worst_count));
    out_json_print(request->term.out, whole);
    summary_free(&summary);
}

static json_t *modules_of(const struct model *model)
{
    static const char *const sources[] = {"untried", "dwarf",   "table",  "perf-map",
                                          "none",    "missing", "changed"};
    json_t *list = json_array();

    for (size_t i = 0; i < model->module_count; i++) {
        const struct model_module *module = &model->modules[i];
        json_t *object = json_object();
        out_json_set_number(object, "id", module->id);
        out_json_set(object, "name", out_json_text(module->name));
        out_json_set(object, "path", out_json_text(module->path));
        out_json_set(object, "build_id", out_json_text(module->build_id));
        out_json_set_number(object, "start", module->start);
        out_json_set_number(object, "end", module->end);
        out_json_set_number(object, "bias", module->bias);
        out_json_set_number(object, "loaded_ns", module->loaded_ns);
        out_json_set(object, "unloaded_ns",
                     module->unloaded_ns > 0 ? out_json_number(module->unloaded_ns) : json_null());
        out_json_set(object, "symbols", json_string(sources[model_symbol_source(model, i)]));
        out_json_set(object, "note", out_json_text(model_symbol_note(model, i)));
        json_array_append_new(list, object);
    }
    return list;
}

void out_json_info(const struct out_request *request, char *const *wrong, size_t wrong_count)
{
    const struct model *model = request->model;
    json_t *whole = out_json_head(request);
    json_t *health = json_object();
    json_t *lines = json_array();

    out_json_set_number(whole, "file_size", model->file_size);
    out_json_set_number(whole, "used", model->used);
    out_json_set_number(whole, "machine", model->machine);
    out_json_set_number(whole, "page_size", model->page_size);
    out_json_set_number(whole, "start_realtime_ns", model->start_realtime_ns);
    out_json_set_number(whole, "first_poll_ns", model->first_poll_ns);
    out_json_set_number(whole, "last_ns", model->last_ns);
    out_json_set_number(whole, "stack_depth", model->stack_depth);
    out_json_set_number(whole, "recorder_bytes", model->recorder_bytes);
    out_json_set(whole, "libc", out_json_text(model->libc));
    out_json_set(whole, "allocator", out_json_text(model->allocator));
    out_json_set(whole, "unwinder", out_json_text(model->unwinder));
    out_json_set_number(whole, "stacks", model->stack_count);
    out_json_set_number(whole, "sites", model->site_count);
    out_json_set(whole, "threads", out_json_threads(model));
    out_json_set(whole, "modules", modules_of(model));
    out_json_set(whole, "patch", out_json_patch(model));
    out_json_set(whole, "losses", out_json_losses(model));
    out_json_set(whole, "lossy", json_boolean(model->lossy));
    out_json_set(whole, "notes", out_json_notes(model));
    for (size_t i = 0; i < wrong_count; i++)
        json_array_append_new(lines, out_json_text(wrong[i]));
    out_json_set(health, "sums_agree", json_boolean(wrong_count == 0));
    out_json_set(health, "wrong", lines);
    out_json_set(whole, "health", health);
    out_json_print(request->term.out, whole);
}
