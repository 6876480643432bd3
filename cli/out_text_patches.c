/* SPDX-License-Identifier: MIT */
/* A run without the patch beside one with it. */
#include "cli/out_text.h"
#include "cli/table.h"

static const char *modes_of(const struct patchfigures *side)
{
    static const char *const names[] = {"not patched", "poll", "wait", "poll, wait"};

    return names[side->modes % (sizeof names / sizeof names[0])];
}

static struct shown share_of(uint64_t count, uint64_t polls)
{
    if (polls == 0)
        return format_around("", "n/a", "");
    return count == 0 ? format_count(0) : format_cell((double)count / (double)polls);
}

static struct shown time_of(const struct patchfigures *side, struct stats_range range)
{
    return side->polls > 0 ? out_text_time(range) : format_around("", "n/a", "");
}

static void row(struct table *table, const char *name, const char *before, const char *after)
{
    table_cell(table, name);
    table_cell(table, before);
    table_cell(table, after);
}

void out_text_patches(const struct out_patches *request)
{
    static const struct table_column columns[] = {
        {"steady polls", TABLE_LEFT}, {"before", TABLE_RIGHT}, {"after", TABLE_RIGHT}};
    const struct patchfigures *before = request->before;
    const struct patchfigures *after = request->after;
    struct table *table = table_new(columns, 3, 0);

    row(table, "patch", modes_of(before), modes_of(after));
    row(table, "polls", format_count(before->polls).text, format_count(after->polls).text);
    row(table, "allocations in a poll", share_of(before->allocations, before->polls).text,
        share_of(after->allocations, after->polls).text);
    row(table, "heap calls in a poll", share_of(before->heap_calls, before->polls).text,
        share_of(after->heap_calls, after->polls).text);
    row(table, "heap calls in polls", format_count(before->heap_calls).text,
        format_count(after->heap_calls).text);
    row(table, "time in a poll, p50", time_of(before, before->p50_ns).text,
        time_of(after, after->p50_ns).text);
    row(table, "time in a poll, p99", time_of(before, before->p99_ns).text,
        time_of(after, after->p99_ns).text);
    table_print(table, &request->term);
}
