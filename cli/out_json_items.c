/* SPDX-License-Identifier: MIT */
/* The objects of the JSON output that several commands print: sites, loops, worst polls, threads.
 */
#include "cli/out_json.h"
#include "cli/rows.h"

#include <string.h>

static json_t *signed_number(int64_t number)
{
    return json_integer(number);
}

json_t *out_json_phases(const struct model_amount *phases)
{
    static const char *const names[MODEL_PHASES] = {"startup", "warm_up", "steady", "shutdown"};
    json_t *object = json_object();

    for (int phase = 0; phase < MODEL_PHASES; phase++)
        out_json_set(object, names[phase], out_json_amount(&phases[phase]));
    return object;
}

static json_t *cadence_of_site(const struct model_site *site)
{
    json_t *cadence = json_object();

    out_json_set(cadence, "words", out_json_text(site->cadence.words));
    out_json_set_number(cadence, "period", site->cadence.period);
    out_json_set(cadence, "per_frame", json_real(site->cadence.per_frame));
    out_json_set_number(cadence, "polls_steady", site->polls_steady);
    out_json_set_number(cadence, "first_window", site->first_window);
    out_json_set_number(cadence, "last_window", site->last_window);
    return cadence;
}

static json_t *threads_of_site(const struct model *model, const struct model_site *site)
{
    json_t *list = json_array();

    for (uint32_t i = site->counter; i < site->counter + site->counters; i++) {
        const struct model_counter *counter = &model->counters[i];
        json_t *object = out_json_amount(&counter->all);
        out_json_set(object, "thread",
                     counter->thread != MODEL_NONE
                         ? json_integer(model->threads[counter->thread].id)
                         : json_null());
        json_array_append_new(list, object);
    }
    return list;
}

json_t *out_json_row(const struct out_request *request, const struct model_row *row)
{
    static const char *const places[] = {[MODEL_IN_POLL] = "in_poll",
                                         [MODEL_BETWEEN] = "between_polls",
                                         [MODEL_OTHER] = "other_threads"};
    const struct model *model = request->model;
    const struct model_site *site = row->site;
    const struct model_thread *thread =
        site->thread != MODEL_NONE ? &model->threads[site->thread] : NULL;
    json_t *object = json_object();

    out_json_set_number(object, "id", site->id);
    out_json_set_number(object, "bytes", row->amount.bytes);
    out_json_set_number(object, "allocations", row->amount.allocations);
    out_json_set_number(object, "reallocations", row->amount.reallocations);
    out_json_set_number(object, "frees", row->amount.frees);
    out_json_set_number(object, "freed_bytes", row->amount.freed_bytes);
    out_json_set(object, "live_bytes", signed_number(row->live_bytes));
    out_json_set(object, "live_blocks", signed_number(row->live_blocks));
    out_json_set(object, "growth_bytes", signed_number(row->growth_bytes));
    out_json_set_number(object, "temporary", row->temporary);
    out_json_set_number(object, "temporary_bytes", row->temporary_bytes);
    out_json_set_number(object, "temporary_frame", row->temporary_frame);
    out_json_set_number(object, "polls", row->polls);
    out_json_set_number(object, "most_bytes", row->most_bytes);
    out_json_set(object, "cadence", json_string(cadence_name(site->cadence.kind)));
    out_json_set(object, "cadence_detail", cadence_of_site(site));
    out_json_set(object, "where", json_string(places[rows_place(model, site)]));
    out_json_set(object, "in_poll", json_boolean(site->in_poll));
    out_json_set(object, "thread", thread != NULL ? json_integer(thread->id) : json_null());
    out_json_set(object, "thread_name", out_json_text(thread != NULL ? thread->name : NULL));
    out_json_set(object, "threads", threads_of_site(model, site));

    out_json_set(object, "phases", out_json_phases(site->phase));
    out_json_set_stack(object, request, site->stack);
    out_json_set(
        object, "stack_complete",
        json_boolean((site->stack->flags &
                      (DUMP_STACK_DEEPER | DUMP_STACK_BROKEN | DUMP_STACK_EARLY |
                       DUMP_STACK_CALL_SITE | DUMP_STACK_UNSAMPLED | DUMP_STACK_HANDLER)) == 0));
    return object;
}

static void set_functions(json_t *object, const uint64_t *by_function)
{
    json_t *functions = json_object();

    for (unsigned i = 0; i < DUMP_POLL_KINDS; i++)
        if (by_function[i] > 0)
            out_json_set_number(functions, model_poll_function((enum dump_poll_kind)i),
                                by_function[i]);
    out_json_set(object, "by_function", functions);
}

json_t *out_json_loop(const struct out_request *request, const struct model_loop *loop)
{
    const struct model *model = request->model;
    json_t *object = json_object();
    double bytes = model_bytes_per_poll(&loop->rate);
    double polls = model_polls_per_second(&loop->rate);

    out_json_set_number(object, "id", loop->id);
    out_json_set(object, "thread",
                 loop->thread != MODEL_NONE ? json_integer(model->threads[loop->thread].id)
                                            : json_null());
    out_json_set_number(object, "polls", loop->polls);
    out_json_set_number(object, "null", loop->null);
    out_json_set_number(object, "empty", loop->empty);
    out_json_set_number(object, "events", loop->events);
    set_functions(object, loop->by_function);
    out_json_set_number(object, "allocating", loop->allocating_windows);
    out_json_set_number(object, "allocating_in_poll", loop->allocating_polls);
    out_json_set_number(object, "bytes", loop->rate.bytes);
    out_json_set_number(object, "allocations", loop->rate.allocations);
    out_json_set_number(object, "nanoseconds", loop->rate.ns);
    out_json_set(object, "bytes_per_poll", json_real(bytes));
    out_json_set(object, "allocations_per_poll",
                 json_real(model_allocations_per_poll(&loop->rate)));
    out_json_set(object, "polls_per_second", json_real(polls));
    out_json_set(object, "bytes_per_second", json_real(bytes * polls));
    out_json_set(object, "waits", out_json_waits(&loop->waits));
    out_json_set(object, "in_poll", out_json_amount(&loop->in_poll));
    out_json_set(object, "between_polls", out_json_amount(&loop->between));
    out_json_set_number(object, "first_ns", loop->first_ns);
    out_json_set_number(object, "last_ns", loop->last_ns);
    out_json_set_stack(object, request, loop->stack);
    out_json_set(object, "other_stacks", json_boolean(model_loop_is_shared(loop)));
    return object;
}

json_t *out_json_worst(const struct out_request *request, const struct model_worst *worst)
{
    json_t *object = json_object();
    json_t *sites = json_array();

    out_json_set_number(object, "poll", worst->poll);
    out_json_set_number(object, "window", worst->window);
    out_json_set(object, "steady", json_boolean(worst->steady));
    out_json_set_number(object, "end_ns", worst->end_ns);
    out_json_set_number(object, "poll_ns", worst->poll_ns);
    out_json_set_number(object, "interval_ns", worst->interval_ns);
    out_json_set_number(object, "allocations", worst->allocations);
    out_json_set_number(object, "bytes", worst->bytes);
    out_json_set_number(object, "in_poll_allocations", worst->in_poll_allocations);
    out_json_set_number(object, "in_poll_bytes", worst->in_poll_bytes);
    out_json_set(object, "loop", worst->loop != NULL ? json_integer(worst->loop->id) : json_null());
    out_json_set_number(object, "all_sites", worst->all_sites);
    for (uint32_t i = 0; i < worst->site_count; i++) {
        const struct model_site *site = worst->sites[i].site;
        json_t *part = json_object();
        out_json_set(part, "site", site != NULL ? json_integer(site->id) : json_null());
        out_json_set_number(part, "allocations", worst->sites[i].allocations);
        out_json_set_number(part, "bytes", worst->sites[i].bytes);
        out_json_set_stack(part, request, site != NULL ? site->stack : NULL);
        json_array_append_new(sites, part);
    }
    out_json_set(object, "sites", sites);
    return object;
}

json_t *out_json_threads(const struct model *model)
{
    json_t *list = json_array();

    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];
        json_t *object = out_json_amount(&thread->all);
        out_json_set_number(object, "id", thread->id);
        out_json_set_number(object, "tid", thread->tid);
        out_json_set(object, "name", out_json_text(thread->name));
        out_json_set_number(object, "threads", thread->threads);
        out_json_set(object, "polling", json_boolean(thread->polls));
        out_json_set(object, "main", json_boolean(thread->main));
        out_json_set(object, "primary", json_boolean(thread->primary));
        out_json_set_number(object, "polls", thread->poll_count);
        out_json_set_number(object, "drains", thread->drains);
        out_json_set_number(object, "frames", thread->frames);
        out_json_set(object, "startup", out_json_amount(&thread->phase[MODEL_STARTUP]));
        out_json_set(object, "steady", out_json_amount(&thread->phase[MODEL_STEADY]));
        out_json_set(object, "in_poll", out_json_amount(&thread->place[MODEL_IN_POLL]));
        out_json_set(object, "between_polls", out_json_amount(&thread->place[MODEL_BETWEEN]));
        out_json_set(object, "other_threads", out_json_amount(&thread->place[MODEL_OTHER]));
        json_array_append_new(list, object);
    }
    return list;
}
