/* SPDX-License-Identifier: MIT */
/* The polls: percentiles, a histogram, the time line, the loops, the worst ones with their sites.
 */
#include "cli/errors.h"
#include "cli/out_text.h"
#include "cli/table.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Eighths of a cell, from one eighth up. */
static const char *const blocks[] = {"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
                                     "\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86",
                                     "\xe2\x96\x87", "\xe2\x96\x88"};
static const char ascii_blocks[] = ".:-=+*#@";
static const char *const left_blocks[] = {"\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d",
                                          "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a",
                                          "\xe2\x96\x89", "\xe2\x96\x88"};

static void percentile_row(struct table *table, const char *name,
                           const struct stats_histogram *histogram,
                           struct shown (*show)(struct stats_range range))
{
    static const double quantiles[] = {0.5, 0.9, 0.99, 0.999};

    table_cell(table, name);
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
        table_cell(table, histogram->count > 0 ? show(stats_quantile(histogram, quantiles[i])).text
                                               : "n/a");
    table_cell(table, histogram->count > 0
                          ? show((struct stats_range){histogram->most, histogram->most}).text
                          : "n/a");
}

static struct shown show_count(struct stats_range range)
{
    return format_around(range.least == range.most ? "" : "~", format_count(range.least).text, "");
}

static void print_percentiles(const struct out_request *request, const struct summary *summary)
{
    static const struct table_column columns[] = {
        {"steady polls", TABLE_LEFT}, {"p50", TABLE_RIGHT},   {"p90", TABLE_RIGHT},
        {"p99", TABLE_RIGHT},         {"p99.9", TABLE_RIGHT}, {"max", TABLE_RIGHT},
    };
    const struct stats_histogram *const *steady = summary->steady_series;
    struct table *table = table_new(columns, 6, 0);

    percentile_row(table, "bytes", steady[DUMP_SERIES_WINDOW_BYTES], out_text_bytes);
    percentile_row(table, "allocations", steady[DUMP_SERIES_WINDOW_ALLOCATIONS], show_count);
    percentile_row(table, "bytes in poll", steady[DUMP_SERIES_POLL_BYTES], out_text_bytes);
    percentile_row(table, "time in poll", steady[DUMP_SERIES_POLL_NS], out_text_time);
    percentile_row(table, "poll to poll", steady[DUMP_SERIES_INTERVAL_NS], out_text_time);
    table_print(table, &request->term);

    if (request->loop != NULL || request->model->frame_info.steady == 0)
        return;
    bool presents = strcmp(request->model->frame_info.kind, "present") == 0;
    const struct stats_histogram *const *all = request->model->steady_polls;
    struct table_column heads[6];
    memcpy(heads, columns, sizeof heads);
    heads[0].head = presents ? "steady frames" : "steady drains";
    table = table_new(heads, 6, 0);
    percentile_row(table, "bytes",
                   all[presents ? DUMP_SERIES_FRAME_BYTES : DUMP_SERIES_DRAIN_BYTES],
                   out_text_bytes);
    percentile_row(table, "allocations",
                   all[presents ? DUMP_SERIES_FRAME_ALLOCATIONS : DUMP_SERIES_DRAIN_ALLOCATIONS],
                   show_count);
    if (presents)
        percentile_row(table, "frame to frame", all[DUMP_SERIES_FRAME_NS], out_text_time);
    fputc('\n', request->term.out);
    table_print(table, &request->term);
}

static void print_bar(const struct term *term, double share, unsigned columns)
{
    unsigned eighths = (unsigned)(share * columns * 8 + 0.5);

    if (eighths == 0 && share > 0)
        eighths = 1; /* something is not nothing */
    if (!term->utf8) {
        for (unsigned i = 0; i < (eighths + 7) / 8; i++)
            fputc('#', term->out);
        return;
    }
    for (; eighths >= 8; eighths -= 8)
        fputs(left_blocks[7], term->out);
    if (eighths > 0)
        fputs(left_blocks[eighths - 1], term->out);
}

/* One line: values 0; or from a power of two to the next. */
struct line {
    uint64_t least, most, count;
};

static size_t histogram_lines(const struct stats_histogram *histogram, struct line *lines)
{
    size_t count = 0;

    for (unsigned b = 0; b < STATS_BUCKETS; b++) {
        struct stats_range range = stats_bucket_range(b);
        bool starts = (range.least & (range.least - 1)) == 0; /* also 0 */
        if (b == 0 || (starts && range.least >= 16) || range.least == 1)
            lines[count++] = (struct line){.least = range.least};
        lines[count - 1].most = range.most;
        lines[count - 1].count += histogram->bucket[b];
    }
    while (count > 0 && lines[count - 1].count == 0)
        count--;
    return count;
}

static void print_histogram(const struct out_request *request, const struct summary *summary)
{
    const struct stats_histogram *histogram = summary->all_polls[DUMP_SERIES_WINDOW_BYTES];
    const struct term *term = &request->term;
    struct line lines[64];
    size_t count = histogram_lines(histogram, lines);
    uint64_t most = 0;
    size_t first = 0;

    for (size_t i = 0; i < count; i++)
        most = lines[i].count > most ? lines[i].count : most;
    fprintf(term->out, "%sbytes in a poll and since the one before: all %s polls%s\n",
            term_on(term, TERM_DIM), format_count(histogram->count).text, term_off(term, TERM_DIM));
    while (first + 1 < count && lines[first + 1].count == 0 && first > 0)
        first++;
    for (size_t i = 0; i < count; i++) {
        char range[112];
        bool gap = lines[i].count == 0 && i > 0;
        if (gap && i + 1 < count && lines[i + 1].count == 0)
            continue; /* only the last line of a gap is shown */
        if (gap)
            snprintf(range, sizeof range, "...");
        else if (lines[i].least == lines[i].most)
            snprintf(range, sizeof range, "%s", format_count(lines[i].least).text);
        else
            snprintf(range, sizeof range, "%s to %s", format_count(lines[i].least).text,
                     format_count(lines[i].most).text);
        fprintf(term->out, "%24s  %12s  ", range, gap ? "" : format_count(lines[i].count).text);
        print_bar(term, most > 0 ? (double)lines[i].count / (double)most : 0, term->columns - 42);
        fputc('\n', term->out);
    }
}

enum track { TRACK_POLLS, TRACK_BYTES, TRACK_LIVE, TRACKS };

static double track_value(const struct model_bucket *bucket, enum track track)
{
    switch (track) {
    case TRACK_POLLS:
        return (double)bucket->polls;
    case TRACK_BYTES:
        return (double)bucket->in_poll_bytes + (double)bucket->between_bytes;
    default:
        return (double)bucket->live_bytes;
    }
}

/* The time line squeezed or as it is: `width` cells of `step` buckets each. */
static void print_track(const struct out_request *request, enum track track, size_t width,
                        size_t step)
{
    static const char *const names[] = {"polls/s", "bytes/s", "live bytes"};
    const struct model *model = request->model;
    const struct term *term = &request->term;
    double *cells = xcalloc(width, sizeof *cells);
    double most = 0;

    for (size_t i = 0; i < width; i++) {
        for (size_t b = i * step; b < (i + 1) * step && b < model->bucket_count; b++) {
            double value = track_value(&model->buckets[b], track);
            if (track != TRACK_LIVE)
                cells[i] += value;
            else if (value > cells[i])
                cells[i] = value;
        }
        most = cells[i] > most ? cells[i] : most;
    }
    fprintf(term->out, "%-12s", names[track]);
    for (size_t i = 0; i < width; i++) {
        int level = most > 0 ? (int)(cells[i] / most * 8 + 0.9999) : 0;
        level = level > 8 ? 8 : level;
        if (level == 0)
            fputc(' ', term->out);
        else if (term->utf8)
            fputs(blocks[level - 1], term->out);
        else
            fputc(ascii_blocks[level - 1], term->out);
    }
    double seconds = (double)model->bucket_ns * (double)step / 1e9;
    fprintf(term->out, "  max %s\n",
            track == TRACK_LIVE    ? format_bytes_real(most).text
            : track == TRACK_POLLS ? format_short(seconds > 0 ? most / seconds : 0).text
                                   : format_bytes_real(seconds > 0 ? most / seconds : 0).text);
    free(cells);
}

static void print_timeline(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct term *term = &request->term;
    size_t room = term->columns - 12 - 18;
    size_t step = (model->bucket_count + room - 1) / room;

    if (model->bucket_count == 0 || step == 0)
        return;
    size_t width = (model->bucket_count + step - 1) / step;
    fprintf(term->out, "\n%stime line: %s from the first poll on, a column is %s%s\n",
            term_on(term, TERM_DIM), format_duration(model->bucket_count * model->bucket_ns).text,
            format_duration(step * model->bucket_ns).text, term_off(term, TERM_DIM));
    for (int track = 0; track < TRACKS; track++)
        print_track(request, (enum track)track, width, step);
}

static void print_worst(const struct out_request *request, bool steady)
{
    const struct model *model = request->model;
    const struct model_worst *list = steady ? model->worst_steady : model->worst;
    size_t count = steady ? model->worst_steady_count : model->worst_count;
    const struct term *term = &request->term;
    size_t shown = 0;

    for (size_t i = 0; i < count && shown < request->limit; i++) {
        const struct model_worst *worst = &list[i];
        if (request->loop != NULL && worst->loop != request->loop)
            continue;
        if (shown++ == 0)
            fprintf(term->out, "\n%sworst %s%s\n", term_on(term, TERM_DIM),
                    steady ? "steady polls" : "polls of the whole run", term_off(term, TERM_DIM));
        fprintf(term->out, "poll %s at %s: %s bytes, %s allocation%s, %s in the poll\n",
                format_count(worst->poll).text, format_duration(worst->end_ns).text,
                format_count(worst->bytes).text, format_count(worst->allocations).text,
                worst->allocations == 1 ? "" : "s", format_duration(worst->poll_ns).text);
        for (uint32_t s = 0; s < worst->site_count; s++) {
            const struct model_site *site = worst->sites[s].site;
            char *name = out_text_function(request, site != NULL ? site->stack : NULL);
            char *fitted = text_fit(name, term->columns - 31, term->utf8);
            fprintf(term->out, "%14s B %9s x  %s\n", format_count(worst->sites[s].bytes).text,
                    format_count(worst->sites[s].allocations).text, fitted);
            free(fitted);
            free(name);
        }
        if (worst->all_sites > worst->site_count)
            fprintf(term->out, "%14s   and %" PRIu32 " more sites\n", "",
                    worst->all_sites - worst->site_count);
    }
}

void out_text_polls(const struct out_request *request)
{
    struct summary summary = summary_of(request->model, request->loop);

    if (summary.rate.polls == 0) {
        out_text_say(&request->term, TERM_BAD, "no poll was seen");
        summary_free(&summary);
        return;
    }
    if (request->by_event) {
        out_text_events(request);
        summary_free(&summary);
        return;
    }
    print_percentiles(request, &summary);
    fputc('\n', request->term.out);
    print_histogram(request, &summary);
    if (request->loop == NULL) {
        print_timeline(request);
        fputc('\n', request->term.out);
        out_text_loops(request, request->limit);
    }
    print_worst(request, true);
    print_worst(request, false);
    summary_free(&summary);
}
