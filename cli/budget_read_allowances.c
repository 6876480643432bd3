/* SPDX-License-Identifier: MIT */
/* Allowances of a budget file. */
#include "cli/budget_read.h"
#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

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
        return budget_read_number(reader, value, allowance->metric, NULL, &allowance->most);
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
