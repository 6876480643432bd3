/* SPDX-License-Identifier: MIT */
/* Limits and allowances of a budget file. */
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

/* A number of these units; or of a change, if that is allowed: *is_change. */
static int read_number(struct budget_reader *reader, const struct budget_yaml *yaml,
                       enum budget_units units, bool *is_change, struct ratio *value)
{
    enum budget_units kind = BUDGET_UNITS_COUNT;
    char *why = yaml->kind == BUDGET_YAML_SCALAR ? budget_units_parse(yaml->text, &kind, value)
                                                 : xstrdup("a number is meant here");

    if (why != NULL) {
        budget_yaml_error(reader->source, yaml->mark, "%s", why);
        free(why);
        return -1;
    }
    if (is_change != NULL)
        *is_change = kind == BUDGET_UNITS_CHANGE;
    if (kind == units || (is_change != NULL && kind == BUDGET_UNITS_CHANGE))
        return 0;
    return budget_yaml_error(reader->source, yaml->mark, "'%s' has %s unit: %s is meant",
                             yaml->text, kind == BUDGET_UNITS_COUNT ? "no" : "the wrong",
                             example_of(units));
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

    if (!has_polls && (of_windows || (per_poll && limit->metric <= BUDGET_LIVE_GROWTH)))
        return budget_yaml_error(reader->source, limit->mark,
                                 "'%s' is of polls, and the scope '%s' has none: leave out 'per', "
                                 "or take another scope",
                                 name, budget_scope_name(budget->scope));
    if (of_windows && budget->scope == BUDGET_WARMUP)
        return budget_yaml_error(reader->source, limit->mark,
                                 "'%s' is known of the scopes steady and process alone", name);
    if (limit->metric == BUDGET_P99 && (budget->site != NULL || budget->cadences != 0))
        return budget_yaml_error(reader->source, limit->mark,
                                 "'%s' is known of all sites together, not of some", name);
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
                      const struct budget_yaml *value, const char *const *settings,
                      struct budget *budget)
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
    for (size_t i = 0; settings[i] != NULL && count + 1 < KEYS_MOST; i++)
        words[count++] = settings[i];
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

/* --- allowances ------------------------------------------------------------------------------ */

/* A day that there is, as "2026-12-31". */
static bool is_date(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    if (strlen(text) != 10 || strspn(text, "0123456789-") != 10 || text[4] != '-' ||
        text[7] != '-' || strchr("-", text[5]) || strchr("-", text[6]) || strchr("-", text[8]) ||
        strchr("-", text[9]) || strcspn(text, "-") != 4)
        return false;
    int year = atoi(text);
    int month = atoi(text + 5);
    int day = atoi(text + 8);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

static const char *const allowance_words[] = {"site",   "bytes",   "allocations", "per",
                                              "reason", "expires", NULL};

static int read_part(struct budget_reader *reader, const struct budget_yaml *key,
                     const struct budget_yaml *value, struct budget_allowance *allowance)
{
    int word = budget_word(reader, key, "part of an allowance", allowance_words);

    switch (word) {
    case 0:
        allowance->site = budget_site(reader, value);
        allowance->site_text = allowance->site != NULL ? budget_text(reader, value) : NULL;
        return allowance->site != NULL ? 0 : -1;
    case 1:
    case 2:
        if (allowance->most.whole != 0)
            return budget_yaml_error(reader->source, key->mark,
                                     "an allowance has one cap: bytes or allocations");
        allowance->metric = word == 1 ? BUDGET_BYTES : BUDGET_ALLOCATIONS;
        return read_number(reader, value, units_of(allowance->metric), NULL, &allowance->most);
    case 3:
        return budget_per(reader, value, &allowance->per);
    case 4:
        allowance->reason = budget_text(reader, value);
        return allowance->reason != NULL ? 0 : -1;
    case 5:
        allowance->expires = budget_text(reader, value);
        if (allowance->expires == NULL)
            return -1;
        if (!is_date(allowance->expires))
            return budget_yaml_error(reader->source, value->mark,
                                     "'%s' is no day; write it like 2026-12-31",
                                     allowance->expires);
        return 0;
    default:
        return -1;
    }
}

static int read_allowance(struct budget_reader *reader, const struct budget_yaml *yaml,
                          struct budget_allowance *allowance)
{
    *allowance = (struct budget_allowance){.mark = yaml->mark, .per = BUDGET_PER_POLL};
    if (yaml->kind != BUDGET_YAML_MAPPING)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "an allowance has a site, a cap, a reason and a day: {site: "
                                 "'game!f', bytes: 1 KiB, reason: ..., expires: 2026-12-31}");
    for (size_t i = 0; i < yaml->count; i += 2)
        if (read_part(reader, yaml->children[i], yaml->children[i + 1], allowance) != 0)
            return -1;
    const char *missing = allowance->site == NULL      ? "site: which may allocate?"
                          : allowance->most.whole == 0 ? "bytes or allocations: how much?"
                          : allowance->reason == NULL  ? "reason: why?"
                          : allowance->expires == NULL ? "expires: until when?"
                                                       : NULL;
    return missing == NULL
               ? 0
               : budget_yaml_error(reader->source, yaml->mark, "the allowance lacks %s", missing);
}

int budget_read_allowances(struct budget_reader *reader, const struct budget_yaml *yaml)
{
    struct budget_file *file = reader->file;

    if (yaml->kind != BUDGET_YAML_SEQUENCE || yaml->count == 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "'allowances' is a list, each with '-' in front; leave it out if "
                                 "there are none");
    file->allowances = budget_keep(reader, xcalloc(yaml->count, sizeof *file->allowances));
    for (size_t i = 0; i < yaml->count; i++) {
        file->allowance_count++;
        if (read_allowance(reader, yaml->children[i], &file->allowances[i]) != 0)
            return -1;
    }
    return 0;
}
