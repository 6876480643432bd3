/* SPDX-License-Identifier: MIT */
/* All that the first screen shows, as JSON. The names are documented in allocreport-report(1). */
#include "cli/out_json.h"

#define LOOPS_MOST 1000

static json_t *sdl_of(const struct model *model)
{
    json_t *sdl = json_object();

    out_json_set(sdl, "version", out_json_text(model->sdl_version));
    out_json_set(sdl, "path", out_json_text(model->sdl_path));
    out_json_set(sdl, "video_driver", out_json_text(model->video_driver));
    out_json_set(sdl, "audio_driver", out_json_text(model->audio_driver));
    out_json_set(sdl, "subsystems", out_json_text(model->subsystems));
    return sdl;
}

static json_t *polls_of(const struct summary *summary)
{
    const struct model_polls *all = &summary->model->polls;
    json_t *polls = json_object();
    json_t *functions = json_object();

    out_json_set_number(polls, "count", summary->rate.polls);
    out_json_set_number(polls, "null", summary->null);
    out_json_set_number(polls, "empty", summary->empty);
    out_json_set_number(polls, "events", summary->events);
    for (unsigned i = 0; i < DUMP_POLL_KINDS; i++)
        if (summary->by_function[i] > 0)
            out_json_set_number(functions, model_poll_function((enum dump_poll_kind)i),
                                summary->by_function[i]);
    out_json_set(polls, "by_function", functions);
    out_json_set_number(polls, "allocating", summary->allocating);
    out_json_set_number(polls, "steady", summary->steady_polls);
    out_json_set_number(polls, "peeps", all->peeps);
    out_json_set_number(polls, "events_peeped", all->events_peeped);
    out_json_set_number(polls, "drains", all->drains);
    return polls;
}

static json_t *frames_of(const struct model *model)
{
    const struct model_frames *info = &model->frame_info;
    json_t *frames = json_object();
    json_t *presents = json_object();

    out_json_set_number(frames, "count", info->count);
    out_json_set(frames, "kind", out_json_text(info->kind));
    out_json_set(frames, "function", out_json_text(info->function));
    out_json_set_number(frames, "steady", info->steady);
    for (unsigned i = 0; i < DUMP_PRESENT_KINDS; i++)
        if (info->presents[i] > 0)
            out_json_set_number(presents, model_present_function(i), info->presents[i]);
    out_json_set(frames, "presents", presents);
    out_json_set_number(frames, "elsewhere", info->elsewhere);
    return frames;
}

/* bytes per poll x polls per second = bytes per second holds to the last bit of a double. */
static void set_rate(json_t *whole, const struct model_rate *rate)
{
    double bytes = model_bytes_per_poll(rate);
    double polls = model_polls_per_second(rate);
    json_t *per_poll = json_object();
    json_t *exact = json_object();

    out_json_set(per_poll, "bytes", json_real(bytes));
    out_json_set(per_poll, "allocations", json_real(model_allocations_per_poll(rate)));
    out_json_set(whole, "per_poll", per_poll);
    out_json_set(whole, "polls_per_second", json_real(polls));
    out_json_set(whole, "bytes_per_second", json_real(bytes * polls));

    out_json_set_number(exact, "bytes", rate->bytes);
    out_json_set_number(exact, "allocations", rate->allocations);
    out_json_set_number(exact, "polls", rate->polls);
    out_json_set_number(exact, "nanoseconds", rate->ns);
    out_json_set(whole, "rate", exact);
}

/* What a phase allocated, and where. */
static json_t *phase_of(const struct model_totals *totals, enum model_phase phase)
{
    json_t *object = out_json_amount(&totals->phase[phase]);

    out_json_set(object, "in_poll", out_json_amount(&totals->cell[phase][MODEL_IN_POLL]));
    out_json_set(object, "between_polls", out_json_amount(&totals->cell[phase][MODEL_BETWEEN]));
    out_json_set(object, "other_threads", out_json_amount(&totals->cell[phase][MODEL_OTHER]));
    return object;
}

static json_t *steady_of(const struct summary *summary)
{
    const struct stats_histogram *bytes = summary->steady_series[DUMP_SERIES_WINDOW_BYTES];
    json_t *steady = phase_of(&summary->model->totals, MODEL_STEADY);

    out_json_set_number(steady, "polls", summary->steady_polls);
    out_json_set_number(steady, "allocating_polls", summary->steady_allocating);
    out_json_set(steady, "allocating_upper_bound",
                 bytes->count > 0 && summary->steady_allocating == 0
                     ? json_real(stats_zero_bound(bytes->count))
                     : json_null());
    out_json_set(steady, "poll_bytes", out_json_histogram(bytes, false));
    out_json_set(steady, "poll_allocations",
                 out_json_histogram(summary->steady_series[DUMP_SERIES_WINDOW_ALLOCATIONS], false));
    return steady;
}

static json_t *verdict_of(const struct summary *summary)
{
    json_t *verdict = json_object();

    out_json_set(verdict, "loop", json_string(summary_verdict_name(summary->verdict)));
    out_json_set(verdict, "unit", json_string(summary->unit));
    out_json_set_number(verdict, "units", summary->units);
    out_json_set_number(verdict, "allocations", summary->steady.allocations);
    out_json_set_number(verdict, "bytes", summary->steady.bytes);
    out_json_set(verdict, "allocations_per_unit",
                 json_real(summary_per_unit(summary, summary->steady.allocations)));
    out_json_set(verdict, "bytes_per_unit",
                 json_real(summary_per_unit(summary, summary->steady.bytes)));
    out_json_set_number(verdict, "sites", summary->loop_sites);
    out_json_set_number(verdict, "recurring_allocations", summary->recurring_allocations);
    out_json_set_number(verdict, "recurring_bytes", summary->recurring_bytes);
    out_json_set_number(verdict, "recurring_sites", summary->recurring_sites);
    return verdict;
}

static json_t *memory_of(const struct model *model)
{
    json_t *memory = json_object();

    out_json_set_number(memory, "live_peak_bytes", model->live_peak_bytes);
    out_json_set_number(memory, "live_bytes", model->live_bytes);
    out_json_set_number(memory, "live_blocks", model->live_blocks);
    out_json_set_number(memory, "heap_growths", model->heap_growths);
    out_json_set_number(memory, "mapped_blocks", model->mapped_blocks);
    out_json_set_number(memory, "minor_faults", model->minor_faults);
    out_json_set_number(memory, "major_faults", model->major_faults);
    return memory;
}

static void set_totals(json_t *whole, const struct model_totals *totals)
{
    out_json_set(whole, "total", out_json_amount(&totals->all));
    out_json_set(whole, "in_poll", out_json_amount(&totals->place[MODEL_IN_POLL]));
    out_json_set(whole, "between_polls", out_json_amount(&totals->place[MODEL_BETWEEN]));
    out_json_set(whole, "other_threads", out_json_amount(&totals->place[MODEL_OTHER]));
    out_json_set(whole, "startup", out_json_amount(&totals->phase[MODEL_STARTUP]));
    out_json_set(whole, "warm_up", out_json_amount(&totals->phase[MODEL_WARMUP]));
    out_json_set(whole, "shutdown", phase_of(totals, MODEL_SHUTDOWN));
}

static void set_lists(json_t *whole, const struct out_request *request,
                      const struct summary *summary)
{
    const struct model *model = request->model;
    json_t *loops = json_array();
    json_t *sites = json_array();

    for (size_t i = 0; i < model->loop_count && i < LOOPS_MOST; i++)
        json_array_append_new(loops, out_json_loop(request, &model->loops[i]));
    for (size_t i = 0; i < summary->row_count && i < request->limit; i++)
        json_array_append_new(sites, out_json_row(request, &summary->rows[i]));
    out_json_set(whole, "loops", loops);
    out_json_set_number(whole, "steady_sites", summary->row_count);
    out_json_set(whole, "top_sites", sites);
    out_json_set(whole, "worst",
                 summary->worst != NULL ? out_json_worst(request, summary->worst) : json_null());
    out_json_set(whole, "threads", out_json_threads(model));
}

static json_t *incomplete_of(const struct model *model)
{
    json_t *list = json_array();

    for (size_t i = 0; i < model->incomplete_count; i++)
        json_array_append_new(list, out_json_blind(model->incomplete[i]));
    return list;
}

void out_json_report(const struct out_request *request)
{
    struct model *model = request->model;
    struct summary summary = summary_of(model, request->loop);
    json_t *whole = out_json_head(request);

    out_json_set(whole, "sdl", sdl_of(model));
    out_json_set(whole, "loop",
                 request->loop != NULL ? json_integer(request->loop->id) : json_null());
    out_json_set(whole, "seconds", json_real((double)summary.rate.ns / 1e9));
    out_json_set(whole, "run_seconds", json_real((double)model->last_ns / 1e9));
    out_json_set(whole, "polls", polls_of(&summary));
    out_json_set(whole, "frames", frames_of(model));
    set_rate(whole, &summary.rate);
    set_totals(whole, &model->totals);
    out_json_set(whole, "steady", steady_of(&summary));
    out_json_set(whole, "memory", memory_of(model));
    out_json_set(whole, "verdict", verdict_of(&summary));
    out_json_set(whole, "waits", out_json_waits(&model->waits));
    out_json_set(whole, "patch", out_json_patch(model));
    out_json_set(whole, "blind", out_json_blind(model->blind));
    out_json_set(whole, "incomplete", incomplete_of(model));
    out_json_set(whole, "bypass", out_json_text(model->bypass));
    set_lists(whole, request, &summary);
    out_json_set(whole, "losses", out_json_losses(model));
    out_json_set(whole, "lossy", json_boolean(model->lossy));
    out_json_set(whole, "notes", out_json_notes(model));
    out_json_print(request->term.out, whole);
    summary_free(&summary);
}
