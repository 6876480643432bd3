/* SPDX-License-Identifier: MIT */
/* The limits of a budget. */
#include "cli/budget_read.h"
#include "cli/budget_units.h"
#include "cli/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MOST 40

static bool is_time(enum budget_metric metric)
{
    return metric >= BUDGET_POLLS_PER_SECOND;
}

static enum budget_units units_of(enum budget_metric metric)
{
    switch (metric) {
    case BUDGET_BYTES:
    case BUDGET_LIVE_GROWTH:
    case BUDGET_LARGEST:
    case BUDGET_P99:
    case BUDGET_TOTAL_BYTES:
    case BUDGET_STARTUP_BYTES:
    case BUDGET_PEAK_LIVE:
    case BUDGET_LEAKED:
        return BUDGET_UNITS_BYTES;
    case BUDGET_ALLOCATING_SHARE:
        return BUDGET_UNITS_PERCENT;
    case BUDGET_POLL_TIME_P50:
    case BUDGET_POLL_TIME_P90:
    case BUDGET_POLL_TIME_P99:
    case BUDGET_POLL_TIME_MOST:
        return BUDGET_UNITS_TIME;
    default:
        return BUDGET_UNITS_COUNT;
    }
}

static const char *example_of(enum budget_units units)
{
    switch (units) {
    case BUDGET_UNITS_BYTES:
        return "bytes with a unit, like '4 KiB' or '0 B'";
    case BUDGET_UNITS_PERCENT:
        return "per cent, like '10 %'";
    case BUDGET_UNITS_TIME:
        return "a time with a unit, like '2 ms'";
    case BUDGET_UNITS_CHANGE:
        return "a change to the baseline with its sign, like '+5 %'";
    default:
        return "a number without a unit, like '12'";
    }
}

static int read_number(struct budget_reader *reader, const struct budget_yaml *yaml,
                       enum budget_units units, bool *is_change, struct ratio *value)
{
    enum budget_units kind = BUDGET_UNITS_COUNT;
    char *why = yaml->kind == BUDGET_YAML_SCALAR ? budget_units_parse(yaml->text, &kind, value)
                                                 : xstrdup("a number is meant here");

    if (why != NULL && yaml->kind == BUDGET_YAML_SCALAR && *yaml->text == '\0')
        budget_yaml_error(reader->source, yaml->mark, "nothing is written here: %s is meant",
                          example_of(units));
    else if (why != NULL)
        budget_yaml_error(reader->source, yaml->mark, "%s", why);
    free(why);
    if (reader->source->why != NULL)
        return -1;
    if (kind == BUDGET_UNITS_CHANGE && value->negative &&
        ratio_compare((struct ratio){value->part, value->whole, false}, ratio_of(100, 1)) > 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "'%s' is less than nothing: -100 %% is the least", yaml->text);
    if (kind == BUDGET_UNITS_PERCENT && units == kind &&
        ratio_compare(*value, ratio_of(100, 1)) > 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "'%s' is more than all polls: 100 %% is the most", yaml->text);
    if (is_change != NULL)
        *is_change = kind == BUDGET_UNITS_CHANGE;
    if (kind == units || (is_change != NULL && kind == BUDGET_UNITS_CHANGE))
        return 0;
    return budget_yaml_error(reader->source, yaml->mark, "'%s' has %s unit: %s is meant",
                             yaml->text, kind == BUDGET_UNITS_COUNT ? "no" : "the wrong",
                             example_of(units));
}

int budget_read_number(struct budget_reader *reader, const struct budget_yaml *yaml,
                       enum budget_metric metric, bool *is_change, struct ratio *value)
{
    return read_number(reader, yaml, units_of(metric), is_change, value);
}

/* {max: 4 KiB, min: 1 KiB, change: +5 %, fails: false} */
static int read_mapping(struct budget_reader *reader, const struct budget_yaml *yaml,
                        struct budget_limit *limit)
{
    static const char *const words[] = {"max", "min", "change", "fails", NULL};
    enum budget_units units = units_of(limit->metric);

    for (size_t i = 0; i < yaml->count; i += 2) {
        const struct budget_yaml *value = yaml->children[i + 1];
        bool fails = true;
        int result = -1;

        switch (budget_word(reader, yaml->children[i], "part of a limit", words)) {
        case 0:
            limit->has_most = true;
            result = read_number(reader, value, units, NULL, &limit->most);
            break;
        case 1:
            limit->has_least = true;
            result = read_number(reader, value, units, NULL, &limit->least);
            break;
        case 2:
            limit->has_change = true;
            result = read_number(reader, value, BUDGET_UNITS_CHANGE, NULL, &limit->change);
            break;
        case 3:
            result = budget_flag(reader, value, &fails);
            limit->warns = !fails;
            break;
        default:
            break;
        }
        if (result != 0)
            return -1;
    }
    if (!limit->has_most && !limit->has_least && !limit->has_change)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "the limit is empty: it has one or more of max, min, change");
    if (limit->has_most && limit->has_least && ratio_compare(limit->least, limit->most) > 0)
        return budget_yaml_error(reader->source, yaml->mark, "'min' is more than 'max'");
    return 0;
}

/* A number alone is the most; of polls per second, the least. */
static int read_scalar(struct budget_reader *reader, const struct budget_yaml *yaml,
                       struct budget_limit *limit)
{
    bool is_change;
    struct ratio value;

    if (read_number(reader, yaml, units_of(limit->metric), &is_change, &value) != 0)
        return -1;
    if (is_change) {
        limit->has_change = true;
        limit->change = value;
    } else if (limit->metric == BUDGET_POLLS_PER_SECOND) {
        limit->has_least = true;
        limit->least = value;
    } else {
        limit->has_most = true;
        limit->most = value;
    }
    return 0;
}

/* Of windows: known from histograms of the loop, and of some sites but for quantiles. */
static const char *never_of_windows(const struct budget *budget, enum budget_metric metric)
{
    unsigned loop = BUDGET_IN_POLL | BUDGET_BETWEEN;
    bool some = budget->site != NULL || budget->cadences != 0 || budget->sustained;
    bool of_bytes = metric == BUDGET_LARGEST || metric == BUDGET_P99;
    bool of_frames = budget->per == BUDGET_PER_FRAME || budget->per == BUDGET_PER_DRAIN;

    if (budget->scope == BUDGET_WARMUP)
        return "is known of the scopes steady and process alone";
    if (metric == BUDGET_P99 && some)
        return "is known of all sites together, not of some";
    if (!is_time(metric) && !some && budget->places != 0 && budget->places != BUDGET_IN_POLL &&
        budget->places != loop)
        return "is known in poll, or in poll and between polls together";
    if (of_bytes && of_frames && budget->places == BUDGET_IN_POLL)
        return "in poll is known of polls, not of frames and drains";
    if (of_bytes && of_frames && some)
        return "of some sites is known of polls, not of frames and drains";
    return NULL;
}

/* What can never be told, whatever the run. */
static int check_limit(struct budget_reader *reader, const struct budget *budget,
                       const struct budget_limit *limit)
{
    const char *name = budget_metric_name(limit->metric);
    bool has_polls = budget->scope != BUDGET_STARTUP && budget->scope != BUDGET_SHUTDOWN;
    bool per_poll = budget->per != BUDGET_PER_NONE && budget->per != BUDGET_PER_SECOND;
    bool of_windows = limit->metric == BUDGET_LARGEST || limit->metric == BUDGET_P99 ||
                      limit->metric == BUDGET_ALLOCATING_POLLS ||
                      limit->metric == BUDGET_ALLOCATING_SHARE || is_time(limit->metric);
    const char *never = of_windows ? never_of_windows(budget, limit->metric) : NULL;

    if (!has_polls && (of_windows || (per_poll && limit->metric <= BUDGET_LIVE_GROWTH)))
        return budget_yaml_error(reader->source, limit->mark,
                                 "'%s' is of polls, and the scope '%s' has none: leave out 'per', "
                                 "or take another scope",
                                 name, budget_scope_name(budget->scope));
    if (limit->metric == BUDGET_NEW_SITES && limit->has_change)
        never = "is counted against the baseline already: a number is meant";
    if (limit->metric == BUDGET_PEAK_LIVE &&
        (budget->site != NULL || budget->cadences != 0 || budget->sustained))
        never = "is known of all sites together, not of some";
    if (never != NULL)
        return budget_yaml_error(reader->source, limit->mark, "'%s' %s", name, never);
    return 0;
}

/* Polls that allocate may be told in per cent as well: then it is their share that is meant. */
static bool is_share(const struct budget_yaml *value)
{
    size_t first = value->kind == BUDGET_YAML_SCALAR ? 0 : 1;
    size_t count = value->kind == BUDGET_YAML_SCALAR ? 1 : value->count;

    for (size_t i = first; i < count; i += 2) {
        const struct budget_yaml *one =
            value->kind == BUDGET_YAML_SCALAR ? value : value->children[i];

        if (one->kind == BUDGET_YAML_SCALAR && strchr("+-", *one->text) == NULL &&
            strchr(one->text, '%') != NULL)
            return true;
    }
    return false;
}

int budget_read_limit(struct budget_reader *reader, const struct budget_yaml *key,
                      const struct budget_yaml *value, struct budget *budget)
{
    const char *words[KEYS_MOST];
    struct budget_limit *limit = &budget->limits[budget->limit_count];
    int metric = -1;
    size_t count = 0;

    for (int i = 0; i < BUDGET_METRICS; i++) {
        words[count++] = budget_metric_name((enum budget_metric)i);
        if (strcmp(words[i], key->text) == 0)
            metric = i;
    }
    for (size_t i = 0; budget_settings[i] != NULL && count + 1 < KEYS_MOST; i++)
        words[count++] = budget_settings[i];
    words[count] = NULL;
    if (metric < 0)
        return budget_unknown(reader, key, "limit or setting of a budget", words);
    if (metric == BUDGET_ALLOCATING_POLLS && is_share(value))
        metric = BUDGET_ALLOCATING_SHARE;

    *limit = (struct budget_limit){.metric = (enum budget_metric)metric,
                                   .mark = key->mark,
                                   .warns = is_time((enum budget_metric)metric)};
    if (value->kind == BUDGET_YAML_SEQUENCE)
        return budget_yaml_error(reader->source, value->mark,
                                 "a limit is a number, or {max: ..., min: ..., change: ...}");
    int result = value->kind == BUDGET_YAML_MAPPING ? read_mapping(reader, value, limit)
                                                    : read_scalar(reader, value, limit);
    if (result != 0)
        return -1;
    budget->limit_count++;
    return check_limit(reader, budget, limit);
}
