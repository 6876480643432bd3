/* SPDX-License-Identifier: MIT */
/* The screen of `live`: the rates of the last second, their course, the sites of the last seconds.
 */
#include "cli/errors.h"
#include "cli/out_live.h"
#include "cli/out_text.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NARROW   56u /* columns: below, a table of two columns */
#define LOW      12u /* rows: below, no empty lines */
#define VERY_LOW 8u  /* below, neither the course nor the keys */

struct page {
    const struct out_live *view;
    struct screen_line *lines;
    size_t count;
};

static __attribute__((format(printf, 3, 4))) void add(struct page *page, enum term_style style,
                                                      const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = xstrdup("");
    va_end(arguments);
    if (page->count >= page->view->rows) {
        free(text);
        return;
    }
    page->lines = xreallocarray(page->lines, page->count + 1, sizeof *page->lines);
    page->lines[page->count++] = (struct screen_line){style, text};
}

static double ratio(uint64_t amount, uint64_t units)
{
    return units > 0 ? (double)amount / (double)units : 0;
}

/* For how long there was no poll. */
static uint64_t silent_ns(const struct follow *follow)
{
    uint64_t ns = 0;

    for (size_t i = follow->point_count; i > 0 && follow->points[i - 1].rate.polls == 0; i--)
        ns += follow->points[i - 1].taken_ns;
    return ns;
}

static void add_head(struct page *page)
{
    const struct out_live *view = page->view;
    const struct follow *follow = view->follow;
    const char *paused = view->paused ? " (paused)" : "";

    if (follow == NULL) {
        add(page, TERM_BOLD, "%s has not polled yet%s", view->program, paused);
        return;
    }
    const struct model *model = follow->model;
    const struct term term = {.utf8 = view->utf8};
    char *name = out_text_safe(&term, model->program_name);
    char *sdl = out_text_safe(&term, model->sdl_version);
    struct shown time = format_duration(model->last_ns);
    if (follow->state == FOLLOW_REPLACED)
        add(page, TERM_BOLD,
            "%s, pid %" PRIu32 ": runs another program, which has not polled yet%s", name,
            follow->pid, paused);
    else if (follow->state == FOLLOW_ENDED || (view->paused && follow_is_over(follow)))
        add(page, TERM_BOLD, "%s, pid %" PRIu32 ": %s after %s%s", name, follow->pid,
            follow->state == FOLLOW_ENDED ? model_state_name(model) : "over", time.text, paused);
    else
        add(page, TERM_BOLD, "%s, pid %" PRIu32 ": runs for %s%s%s%s", name, follow->pid, time.text,
            *sdl != '\0' ? ", SDL " : "", sdl, paused);
    free(sdl);
    free(name);
}

static void add_rates(struct page *page, const struct reading_change *change)
{
    const struct follow *follow = page->view->follow;
    const struct model_rate *rate = &change->rate;
    uint64_t units;
    const char *unit = out_live_unit(follow, change, &units);
    double seconds = (double)rate->ns / 1e9;

    if (follow->point_count == 0)
        add(page, TERM_PLAIN, "the first figures come in a moment");
    else if (rate->polls == 0)
        add(page, TERM_PLAIN, "no poll for %s", format_duration(silent_ns(follow)).text);
    else if (rate->bytes == 0 && rate->allocations == 0)
        add(page, TERM_GOOD, "the loop allocates nothing; %s %ss/s",
            format_short(seconds > 0 ? (double)units / seconds : 0).text, unit);
    else
        add(page, TERM_BAD, "%s bytes in %s allocations per %s; %s %ss/s",
            format_short(ratio(rate->bytes, units)).text,
            format_short(ratio(rate->allocations, units)).text, unit,
            format_short(seconds > 0 ? (double)units / seconds : 0).text, unit);
    add(page, TERM_PLAIN, "%s bytes/poll x %s polls/s = %s bytes/s (%s/s)",
        format_precise(model_bytes_per_poll(rate)).text,
        format_precise(model_polls_per_second(rate)).text,
        format_real(model_bytes_per_second(rate), 0).text,
        format_bytes_real(model_bytes_per_second(rate)).text);
}

static void add_memory(struct page *page)
{
    const struct follow *follow = page->view->follow;
    struct reading_change recent = follow_recent(follow);

    add(page, TERM_PLAIN, "in use %s, %s in the last %s",
        format_bytes(follow->model->live_bytes).text, format_bytes_signed(recent.live_bytes).text,
        format_duration(recent.taken_ns).text);
}

/* A character for a value: nothing was there to count, zero, or one of seven heights. */
static const char *bar(double value, double most, bool none, bool utf8)
{
    static const char *const blocks[] = {"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
                                         "\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86",
                                         "\xe2\x96\x87", "\xe2\x96\x88"};
    static const char *const ascii[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    int height = value <= 0 ? 0 : 1 + (int)(6.0 * value / most + 0.5);

    return none ? " " : (utf8 ? blocks : ascii)[height > 7 ? 7 : height];
}

/* Bytes per frame from reading to reading, the last one on the right. */
static void add_course(struct page *page)
{
    const struct follow *follow = page->view->follow;
    size_t room = page->view->columns > 40 ? page->view->columns - 34 : 8;
    size_t count = follow->point_count < room ? follow->point_count : room;
    const struct reading_change *points = follow->points + follow->point_count - count;
    char *text = xstrdup("");
    uint64_t units, time = 0;
    const char *unit = "frame";
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        unit = out_live_unit(follow, &points[i], &units);
        time += points[i].taken_ns;
        if (ratio(points[i].rate.bytes, units) > most)
            most = ratio(points[i].rate.bytes, units);
    }
    for (size_t i = 0; i < count; i++) {
        out_live_unit(follow, &points[i], &units);
        char *longer =
            xasprintf("%s%s", text,
                      bar(ratio(points[i].rate.bytes, units), most, units == 0, page->view->utf8));
        free(text);
        text = longer;
    }
    add(page, TERM_PLAIN, "B/%s %s %s, at most %s", unit, text, format_duration(time).text,
        format_short(most).text);
    free(text);
}

static void add_cells(struct table *table, const struct page *page, const struct reading_row *row,
                      uint64_t units, bool narrow)
{
    const struct follow *follow = page->view->follow;
    const struct out_request request = {.model = follow->model, .term = {.utf8 = page->view->utf8}};
    char *name = out_text_site(&request, row->site);

    table_cell(table, format_cell(ratio(row->bytes, units)).text);
    if (!narrow) {
        table_cell(table, format_cell(ratio(row->allocations, units)).text);
        table_cell(table, format_bytes_real((double)row->live_bytes).text);
        table_cell(table, format_bytes_signed(row->change).text);
    }
    table_cell(table, name);
    free(name);
}

/* The text's lines become the page's; the first is the head. */
static void add_text(struct page *page, char *text)
{
    enum term_style style = TERM_DIM;

    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL && rest != NULL;) {
        add(page, style, "%s", line);
        style = TERM_PLAIN;
    }
}

static void print_sites(const struct page *page, const struct term *term,
                        const struct reading_row *rows, size_t shown, size_t count)
{
    const struct out_live *view = page->view;
    const struct reading_change recent = follow_recent(view->follow);
    bool narrow = view->columns < NARROW;
    char site[200], bytes[24];
    uint64_t units;
    const char *unit = out_live_unit(view->follow, &recent, &units);
    const struct table_column wide_columns[] = {
        {bytes, TABLE_RIGHT},    {"allocs", TABLE_RIGHT}, {"in use", TABLE_RIGHT},
        {"change", TABLE_RIGHT}, {site, TABLE_NAME},
    };
    const struct table_column narrow_columns[] = {{bytes, TABLE_RIGHT}, {site, TABLE_NAME}};

    snprintf(bytes, sizeof bytes, "B/%s", unit);
    snprintf(site, sizeof site, "site (%s of %s; last %s, by %s)", format_count(shown).text,
             format_count(count).text, format_duration(recent.taken_ns).text,
             reading_orders[view->order]);
    struct table *table = narrow ? table_new(narrow_columns, 2, 0) : table_new(wide_columns, 5, 0);
    for (size_t i = 0; i < shown; i++)
        add_cells(table, page, &rows[i], units, narrow);
    table_print(table, term);
}

static void add_sites(struct page *page, size_t room)
{
    const struct out_live *view = page->view;
    char *text = NULL;
    size_t size = 0, count;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return;
    const struct term term = {.out = out, .columns = view->columns, .utf8 = view->utf8};
    struct reading_row *rows = follow_rows(view->follow, FOLLOW_RECENT, view->order, &count);
    if (count > 0)
        print_sites(page, &term, rows, count < room ? count : room, count);
    else if (view->follow->point_count > 0)
        fprintf(out, "no site allocated in the last %s\n",
                format_duration(follow_recent(view->follow).taken_ns).text);
    free(rows);
    if (fclose(out) == 0)
        add_text(page, text);
    free(text);
}

struct screen_line *out_live_screen(const struct out_live *view, size_t *count)
{
    struct page page = {.view = view};
    bool low = view->rows < LOW, very_low = view->rows < VERY_LOW;
    bool keys = view->keys && !very_low;

    add_head(&page);
    if (view->follow != NULL) {
        struct reading_change last = follow_last(view->follow);
        add_rates(&page, &last);
        add_memory(&page);
        if (!very_low)
            add_course(&page);
        if (!low)
            add(&page, TERM_PLAIN, "%s", "");
        size_t used = page.count + 1 + (keys ? 1 : 0) + (low ? 0 : 1);
        if (used < view->rows)
            add_sites(&page, view->rows - used);
    }
    while (keys && page.count + 1 < view->rows)
        add(&page, TERM_PLAIN, "%s", "");
    if (keys)
        add(&page, TERM_DIM, "q quit  space %s  sort: b bytes  a allocations  l live  c change",
            view->paused ? "go on" : "pause");
    *count = page.count;
    return page.lines;
}

void out_live_free(struct screen_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lines[i].text);
    free(lines);
}
