/* SPDX-License-Identifier: MIT */
/* Values as text: exact where they are whole, and else with as many decimals as it takes to tell
 * them apart. A point whatever the locale. */
#include "cli/verdict_private.h"

#include <string.h>

#define DECIMALS_LEAST 2u
#define DECIMALS_MOST  9u

static const char *unit_of(enum verdict_unit unit)
{
    switch (unit) {
    case VERDICT_BYTES:
        return " B";
    case VERDICT_PERCENT:
        return " %";
    case VERDICT_NANOSECONDS:
        return " ns";
    default:
        return "";
    }
}

const char *verdict_show(struct verdict *verdict, struct ratio value, enum verdict_unit unit,
                         const char *per, unsigned decimals)
{
    return verdict_text(verdict, "%s%s%s%s", ratio_text(value, decimals).text, unit_of(unit),
                        *per == '\0' ? "" : "/", per);
}

static bool looks_same(struct ratio a, struct ratio b, unsigned decimals)
{
    return strcmp(ratio_text(a, decimals).text, ratio_text(b, decimals).text) == 0;
}

/* Decimals that tell the two apart, if they differ at all. */
static unsigned decimals_for(struct ratio a, struct ratio b)
{
    unsigned decimals = DECIMALS_LEAST;

    while (decimals < DECIMALS_MOST && ratio_compare(a, b) != 0 && looks_same(a, b, decimals))
        decimals++;
    return decimals;
}

static const char *show_over(struct verdict *verdict, const struct verdict_item *item)
{
    bool above = ratio_compare(item->most, item->bound) > 0;
    struct ratio value = above == item->lower ? item->least : item->most;
    struct ratio distance = ratio_distance(value, item->bound);
    unsigned decimals = decimals_for(distance, ratio_of(0, 1));
    const char *text = verdict_show(verdict, distance, item->unit, item->per, decimals);
    int side = ratio_compare(value, item->bound);

    if (side == 0)
        return "just at the limit";
    if (looks_same(distance, ratio_of(0, 1), decimals))
        text = "next to nothing";
    if (side > 0)
        return verdict_text(verdict, item->lower ? "%s above" : "over by %s", text);
    return verdict_text(verdict, item->lower ? "%s below" : "%s left", text);
}

void verdict_show_item(struct verdict *verdict, struct verdict_item *item)
{
    struct ratio bound = item->has_bound ? item->bound : item->least;
    unsigned decimals = decimals_for(item->least, bound);
    unsigned most_decimals = decimals_for(item->most, bound);

    if (most_decimals > decimals)
        decimals = most_decimals;
    if (item->has_actual && ratio_compare(item->least, item->most) == 0)
        item->actual_text = verdict_show(verdict, item->least, item->unit, item->per, decimals);
    else if (item->has_actual)
        item->actual_text =
            verdict_text(verdict, "%s to %s", ratio_text(item->least, decimals).text,
                         verdict_show(verdict, item->most, item->unit, item->per, decimals));
    if (item->has_bound)
        item->bound_text =
            verdict_text(verdict, "%s %s", item->lower ? "at least" : "at most",
                         verdict_show(verdict, item->bound, item->unit, item->per, decimals));
    if (item->has_actual && item->has_bound)
        item->over_text = show_over(verdict, item);
}
