/* SPDX-License-Identifier: MIT */
#include "cli/out_live.h"

#include "cli/errors.h"
#include "cli/out_json.h"
#include "cli/out_text.h"
#include "cli/runwords.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *out_live_unit(const struct follow *follow, const struct reading_change *change,
                          uint64_t *units)
{
    *units = change->frames > 0 ? change->frames : change->rate.polls;
    if (change->frames == 0 && change->rate.polls > 0)
        return "poll";
    return strcmp(follow->model->frame_info.kind, "drain") == 0 ? "drain" : "frame";
}

static double ratio(uint64_t amount, uint64_t units)
{
    return units > 0 ? (double)amount / (double)units : 0;
}

/* Each is printed when it is known: nobody may be there to wait for the rest. */
static void flush(struct out_live_lines *lines)
{
    fflush(lines->out);
}

void out_live_begin(struct out_live_lines *lines)
{
    const struct model *model = lines->follow->model;

    if (lines->json)
        return;
    char *name = out_text_safe(&lines->term, model->program_name);
    char *sdl = out_text_safe(&lines->term, model->sdl_version);
    char *path = out_text_safe(&lines->term, runwords_path(lines->follow->path));
    fprintf(lines->out, "%s, pid %" PRIu32 "%s%s: %s\n", name, lines->follow->pid,
            *sdl != '\0' ? ", SDL " : "", sdl, path);
    free(path);
    free(sdl);
    free(name);
    flush(lines);
}

static void print_text(struct out_live_lines *lines)
{
    const struct follow *follow = lines->follow;
    const struct reading_change change = follow_last(follow);
    const struct out_request request = {.model = follow->model, .term = lines->term};
    size_t count;
    uint64_t units;
    const char *unit = out_live_unit(follow, &change, &units);
    struct reading_row *rows = follow_rows(follow, FOLLOW_LAST, lines->order, &count);
    char *most = count > 0 ? out_text_function(&request, rows[0].site->stack) : xstrdup("");

    if (lines->unit == NULL || (units > 0 && strcmp(lines->unit, unit) != 0)) {
        char *head = xasprintf("B/%s", unit);
        fprintf(lines->out, "%9s %10s %9s %9s %9s %7s %9s  most at\n", "time", "B/poll", "polls/s",
                "B/s", head, "allocs", "in use");
        free(head);
        lines->unit = unit;
    }
    fprintf(lines->out, "%9s %10s %9s %9s %9s %7s %9s  %s\n",
            format_duration(follow->model->last_ns).text,
            format_cell(model_bytes_per_poll(&change.rate)).text,
            format_cell(model_polls_per_second(&change.rate)).text,
            format_bytes_real(model_bytes_per_second(&change.rate)).text,
            format_cell(ratio(change.rate.bytes, units)).text,
            format_cell(ratio(change.rate.allocations, units)).text,
            format_bytes(follow->model->live_bytes).text, most);
    free(most);
    free(rows);
}

static json_t *json_rate(const struct model_rate *rate, uint64_t frames)
{
    json_t *exact = json_object();

    out_json_set_number(exact, "bytes", rate->bytes);
    out_json_set_number(exact, "allocations", rate->allocations);
    out_json_set_number(exact, "polls", rate->polls);
    out_json_set_number(exact, "nanoseconds", rate->ns);
    out_json_set_number(exact, "frames", frames);
    return exact;
}

static json_t *json_site(const struct out_live_lines *lines, const struct reading_row *row)
{
    struct model *model = lines->follow->model;
    struct model_line line;
    json_t *site = json_object();
    char *name = model_name(model, row->site->stack, &line) ? model_line_text(&line) : NULL;

    out_json_set_number(site, "id", row->site->id);
    out_json_set(site, "name", out_json_text(name));
    out_json_set(site, "file", out_json_text(line.file));
    out_json_set(site, "line", line.line > 0 ? json_integer(line.line) : json_null());
    out_json_set_number(site, "bytes", row->bytes);
    out_json_set_number(site, "allocations", row->allocations);
    out_json_set(site, "live_bytes", json_integer(row->live_bytes));
    out_json_set(site, "live_change", json_integer(row->change));
    free(name);
    return site;
}

static void print_json(const struct out_live_lines *lines)
{
    const struct follow *follow = lines->follow;
    const struct model *model = follow->model;
    const struct reading_change change = follow_last(follow);
    double bytes = model_bytes_per_poll(&change.rate);
    double polls = model_polls_per_second(&change.rate);
    json_t *whole = json_object(), *per_poll = json_object(), *sites = json_array();
    size_t count;
    struct reading_row *rows = follow_rows(follow, FOLLOW_LAST, lines->order, &count);

    out_json_set(whole, "schema", json_integer(OUT_SCHEMA));
    out_json_set(whole, "program", out_json_text(model->program_name));
    out_json_set_number(whole, "pid", follow->pid);
    out_json_set(whole, "dump", out_json_text(follow->path));
    out_json_set(whole, "state", json_string(model_state_name(model)));
    out_json_set(whole, "run_seconds", json_real((double)model->last_ns / 1e9));
    out_json_set(per_poll, "bytes", json_real(bytes));
    out_json_set(per_poll, "allocations", json_real(model_allocations_per_poll(&change.rate)));
    out_json_set(whole, "per_poll", per_poll);
    out_json_set(whole, "polls_per_second", json_real(polls));
    out_json_set(whole, "bytes_per_second", json_real(bytes * polls));
    out_json_set(whole, "rate", json_rate(&change.rate, change.frames));
    out_json_set(whole, "total", json_rate(&model->rate, model->frame_info.count));
    out_json_set(whole, "frame_kind", out_json_text(model->frame_info.kind));
    out_json_set_number(whole, "live_bytes", model->live_bytes);
    out_json_set(whole, "live_change", json_integer(change.live_bytes));
    for (size_t i = 0; i < count && i < lines->limit; i++)
        json_array_append_new(sites, json_site(lines, &rows[i]));
    out_json_set_number(whole, "site_count", count);
    out_json_set(whole, "sites", sites);
    json_dumpf(whole, lines->out, JSON_COMPACT | JSON_REAL_PRECISION(17));
    fputc('\n', lines->out);
    json_decref(whole);
    free(rows);
}

void out_live_line(struct out_live_lines *lines)
{
    if (lines->json)
        print_json(lines);
    else
        print_text(lines);
    flush(lines);
}

void out_live_over(struct out_live_lines *lines)
{
    const struct model *model = lines->follow->model;

    if (lines->json)
        return;
    fprintf(lines->out, "%s after %s\n", model_state_name(model),
            format_duration(model->last_ns).text);
    flush(lines);
}
