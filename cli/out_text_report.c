/* SPDX-License-Identifier: MIT */
/* The first screen: what ran, what its loop allocates, where, and what to type next. */
#include "cli/blind.h"
#include "cli/errors.h"
#include "cli/out_text.h"
#include "cli/table.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS_MOST    2
#define WARNINGS_MOST 3

/* Adds ", more" to a list in memory. */
static void append(char **list, const char *separator, const char *more)
{
    char *longer = xasprintf("%s%s%s", *list, **list != '\0' ? separator : "", more);

    free(*list);
    *list = longer;
}

static void print_program(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct term *term = &request->term;
    char *line = xstrdup("");

    for (size_t i = 0; i < model->argument_count; i++) {
        char *word = text_shell(i == 0 ? model->program_name : model->arguments[i]);
        append(&line, " ", word);
        free(word);
    }
    if (*line == '\0')
        append(&line, "", *model->program_name != '\0' ? model->program_name : "(unknown)");
    char *safe = out_text_safe(term, line);
    char *fitted = text_fit(safe, term->columns, term->utf8);
    fprintf(term->out, "%s%s%s\n", term_on(term, TERM_BOLD), fitted, term_off(term, TERM_BOLD));
    free(fitted);
    free(safe);
    free(line);
}

static void print_run(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct {
        const char *name, *value;
    } facts[] = {{"SDL ", model->sdl_version},
                 {"video ", model->video_driver},
                 {"audio ", model->audio_driver}};
    char *line = xasprintf("%s, %s; pid %" PRIu32, format_duration(model->last_ns).text,
                           model_state_name(model), model->pid);

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (*facts[i].value == '\0')
            continue;
        char *safe = out_text_safe(&request->term, facts[i].value);
        char *fact = xasprintf("%s%s", facts[i].name, safe);
        append(&line, i == 0 ? "; " : ", ", fact);
        free(fact);
        free(safe);
    }
    out_text_line(&request->term, "ran", "%s", line);
    free(line);
}

static void print_polls(const struct out_request *request, const struct summary *summary)
{
    char *functions = xstrdup("");
    unsigned count = 0;

    for (unsigned i = 0; i < DUMP_POLL_KINDS; i++)
        count += summary->by_function[i] > 0;
    for (unsigned i = 0; i < DUMP_POLL_KINDS; i++) {
        if (summary->by_function[i] == 0)
            continue;
        char *one = count == 1 ? xstrdup(model_poll_function(i))
                               : xasprintf("%s %s", format_count(summary->by_function[i]).text,
                                           model_poll_function(i));
        append(&functions, ", ", one);
        free(one);
    }
    char *answers =
        xasprintf(": %s empty, %s with events, %s null", format_count(summary->empty).text,
                  format_count(summary->events).text, format_count(summary->null).text);
    out_text_line(&request->term, "polls", "%s%s%s%s", format_count(summary->rate.polls).text,
                  count == 1 ? " by " : "", count == 1 ? functions : "",
                  summary->empty + summary->events > 0 ? answers : "");
    free(answers);
    if (count > 1)
        out_text_line(&request->term, "", "%s", functions);
    if (request->model->polls.peeps > 0 && summary->loop == NULL)
        out_text_line(&request->term, "", "beside them %s SDL_PeepEvents fetched %s events",
                      format_count(request->model->polls.peeps).text,
                      format_count(request->model->polls.events_peeped).text);
    free(functions);
}

static void print_frames(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct model_frames *frames = &model->frame_info;
    double each = frames->count > 0 ? (double)model->polls.count / (double)frames->count : 0;

    if (frames->function != NULL)
        out_text_line(&request->term, "frames", "%s by %s; %s polls to a frame",
                      format_count(frames->count).text, frames->function, format_short(each).text);
    else
        out_text_line(&request->term, "frames",
                      "%s drain%s, since nothing presents; %s polls to a drain",
                      format_count(frames->count).text, format_plural(frames->count),
                      format_short(each).text);
}

static void print_loop(const struct out_request *request, const struct summary *summary)
{
    const struct model_rate *rate = &summary->rate;

    out_text_say(&request->term, TERM_PLAIN, "%s bytes/poll x %s polls/s = %s bytes/s (%s/s)",
                 format_precise(model_bytes_per_poll(rate)).text,
                 format_precise(model_polls_per_second(rate)).text,
                 format_real(model_bytes_per_second(rate), 0).text,
                 format_bytes_real(model_bytes_per_second(rate)).text);
    out_text_line(&request->term, "all polls",
                  "%s bytes in %" PRIu64 ".%09" PRIu64 " s; %s allocations/poll",
                  format_count(rate->bytes).text, rate->ns / 1000000000, rate->ns % 1000000000,
                  format_short(model_allocations_per_poll(rate)).text);
}

static void print_advice(const struct term *term, const struct blind_words *words)
{
    if (words != NULL)
        out_text_line(term, "to do", "%s", words->advice);
}

/* Of counts that may be lost or damaged. */
static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* A lump that comes once is told apart from what each frame costs. */
static void print_allocates(const struct term *term, const struct summary *summary)
{
    uint64_t rare = less(summary->steady.allocations, summary->recurring_allocations);
    size_t sites = summary->loop_sites - summary->recurring_sites;

    if (summary->recurring_sites > 0)
        out_text_say(term, TERM_BAD,
                     "the steady loop allocates: %s allocations, %s bytes per %s from %s site%s",
                     format_short(summary_per_unit(summary, summary->recurring_allocations)).text,
                     format_short(summary_per_unit(summary, summary->recurring_bytes)).text,
                     summary->unit, format_count(summary->recurring_sites).text,
                     format_plural(summary->recurring_sites));
    if (rare > 0)
        out_text_say(term, summary->recurring_sites > 0 ? TERM_PLAIN : TERM_BAD,
                     "%s: %s allocation%s, %s from %s site%s that %s not recur",
                     summary->recurring_sites > 0 ? "and now and then"
                                                  : "the steady loop allocates now and then",
                     format_count(rare).text, format_plural(rare),
                     format_bytes(less(summary->steady.bytes, summary->recurring_bytes)).text,
                     format_count(sites).text, format_plural(sites), sites == 1 ? "does" : "do");
}

static void print_verdict(const struct out_request *request, const struct summary *summary)
{
    const struct term *term = &request->term;
    const struct blind_words *words =
        blind_words(request->model->blind); /* NULL: polls elsewhere */
    const char *reason = words != NULL ? words->reason : "there is no event loop to tell about";

    switch (summary->verdict) {
    case SUMMARY_NO_POLLS:
        out_text_say(term, TERM_BAD, "no poll was seen: %s", reason);
        print_advice(term, words);
        break;
    case SUMMARY_BLIND:
        out_text_say(term, TERM_BAD, "nothing can be told: not one allocation was seen: %s",
                     reason);
        print_advice(term, words);
        break;
    case SUMMARY_NO_STEADY:
        out_text_say(term, TERM_BAD,
                     "no steady phase: %s polls are too few to tell what the loop allocates",
                     format_count(summary->rate.polls).text);
        break;
    case SUMMARY_NOTHING:
        out_text_say(term, TERM_GOOD,
                     "the steady loop allocates nothing: 0 allocations in %s polls",
                     format_count(summary->steady_polls).text);
        break;
    case SUMMARY_ALLOCATES:
        print_allocates(term, summary);
        break;
    }
}

static void print_steady_polls(const struct out_request *request, const struct summary *summary)
{
    const struct stats_histogram *bytes = summary->steady_series[DUMP_SERIES_WINDOW_BYTES];

    if (bytes->count == 0 || summary->verdict == SUMMARY_BLIND)
        return;
    if (summary->steady_allocating == 0) {
        out_text_line(&request->term, "steady polls",
                      "0 of %s allocate: under %s of all, with 95 %% confidence",
                      format_count(bytes->count).text,
                      format_share(stats_zero_bound(bytes->count)).text);
        return;
    }
    out_text_line(&request->term, "steady polls",
                  "%s of %s allocate; p50 %s, p90 %s, p99 %s, max %s",
                  format_percent(summary->steady_allocating, bytes->count).text,
                  format_count(bytes->count).text, out_text_bytes(stats_quantile(bytes, 0.5)).text,
                  out_text_bytes(stats_quantile(bytes, 0.9)).text,
                  out_text_bytes(stats_quantile(bytes, 0.99)).text, format_bytes(bytes->most).text);
}

/* What a site's growth is a part of may be released before the program ends: so both are told. */
static void print_memory(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct model_amount *end = &model->totals.phase[MODEL_SHUTDOWN];
    uint64_t last = less(model->live_bytes + end->freed_bytes, end->bytes);
    char *before = last != model->live_bytes && model->polls.count > 0
                       ? xasprintf("%s at the last poll, ", format_bytes(last).text)
                       : xstrdup("");

    out_text_line(&request->term, "memory", "live %s%s at the end, peak %s", before,
                  format_bytes(model->live_bytes).text, format_bytes(model->live_peak_bytes).text);
    free(before);
}

static void print_sites(const struct out_request *request, const struct summary *summary)
{
    char bytes[40], head[112];
    const struct table_column columns[] = {
        {bytes, TABLE_RIGHT},    {"allocs", TABLE_RIGHT}, {"temp", TABLE_RIGHT},
        {"cadence", TABLE_LEFT}, {"growth", TABLE_RIGHT}, {head, TABLE_NAME},
    };
    struct table *table = table_new(columns, 6, 0);
    size_t shown = summary->row_count < request->limit ? summary->row_count : request->limit;

    snprintf(bytes, sizeof bytes, "B/%s", summary->unit);
    snprintf(head, sizeof head, "site (%s of %s)", format_count(shown).text,
             format_count(summary->row_count).text);
    for (size_t i = 0; i < shown; i++) {
        const struct model_row *row = &summary->rows[i];
        char *name = out_text_site(request, row->site);
        table_cell(table, format_cell(summary_per_unit(summary, row->amount.bytes)).text);
        table_cell(table, format_cell(summary_per_unit(summary, row->amount.allocations)).text);
        table_cell(table, out_text_percent(row->temporary, row->site->all.allocations).text);
        table_cell(table, row->site->cadence.words);
        table_cell(table, format_bytes_signed(row->growth_bytes).text);
        table_cell(table, name);
        free(name);
    }
    table_print(table, &request->term);
}

/* "no. 12 at 1.20 s: 640 B in 10 allocations; most at f" */
static void print_worst(const struct out_request *request, const struct model_worst *worst)
{
    char *line =
        xasprintf("no. %s%s at %s: %s in %s allocation%s", format_count(worst->poll).text,
                  worst->steady ? "" : " (warming up)", format_duration(worst->end_ns).text,
                  format_bytes(worst->bytes).text, format_count(worst->allocations).text,
                  format_plural(worst->allocations));

    if (worst->site_count > 0) {
        const struct model_site *site = worst->sites[0].site;
        char *name = out_text_function(request, site != NULL ? site->stack : NULL);
        append(&line, worst->all_sites > 1 ? "; most at " : " at ", name);
        free(name);
    }
    out_text_line(&request->term, "worst poll", "%s", line);
    free(line);
}

static void print_next(const struct out_request *request, const struct summary *summary)
{
    const char *command = "sites";

    if (summary->verdict == SUMMARY_NO_POLLS || summary->verdict == SUMMARY_BLIND ||
        request->model->lossy)
        command = "info";
    else if (summary->verdict == SUMMARY_NOTHING)
        command = "polls";
    else if (summary->verdict == SUMMARY_ALLOCATES)
        command = "sites --phase steady --stacks";

    char *whole = out_text_command(request, command);
    fprintf(request->term.out, "%-*s%s\n", OUT_TEXT_LABEL, "next", whole);
    free(whole);
}

static void print_head(const struct out_request *request, const struct summary *summary)
{
    print_program(request);
    print_run(request);
    if (summary->rate.polls == 0)
        return;
    if (request->loop != NULL) {
        char *name = out_text_function(request, request->loop->stack);
        out_text_line(&request->term, "only loop", "%" PRIu32 ": %s", request->loop->id, name);
        free(name);
    }
    print_polls(request, summary);
    if (request->loop == NULL)
        print_frames(request);
}

void out_text_report(const struct out_request *request)
{
    struct summary summary = summary_of(request->model, request->loop);
    FILE *out = request->term.out;

    print_head(request, &summary);
    fputc('\n', out);
    print_verdict(request, &summary);
    fputc('\n', out);
    if (summary.rate.polls > 0) {
        print_loop(request, &summary);
        print_steady_polls(request, &summary);
    }
    out_text_waits(request);
    if (request->loop == NULL) {
        out_text_patch(request);
        print_memory(request);
    }
    fputc('\n', out);
    out_text_where(request, &summary);
    if (request->loop == NULL && request->model->loop_count > 1) {
        fputc('\n', out);
        out_text_loops(request, LOOPS_MOST);
    }
    if (summary.row_count > 0 && request->limit > 0) {
        fputc('\n', out);
        print_sites(request, &summary);
    }
    fputc('\n', out);
    if (summary.worst != NULL)
        print_worst(request, summary.worst);
    out_text_warnings(request, WARNINGS_MOST);
    print_next(request, &summary);
    summary_free(&summary);
}
