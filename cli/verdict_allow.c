/* SPDX-License-Identifier: MIT */
/* Allowances: what they let pass, whether they still hold, whether anything needs them. */
#include "cli/errors.h"
#include "cli/verdict_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SOON_DAYS  30 /* before an allowance expires, it is said */
#define DAY        INT64_C(86400)
#define DATE_BYTES 11 /* "2026-12-31" */

/* The day of `when` in UTC, as the file writes dates: they compare as text. */
static void write_day(int64_t when, char day[DATE_BYTES])
{
    struct tm parts;
    time_t seconds = (time_t)when;

    if (gmtime_r(&seconds, &parts) == NULL || parts.tm_year < 0 || parts.tm_year > 8099 ||
        strftime(day, DATE_BYTES, "%Y-%m-%d", &parts) == 0)
        strcpy(day, "9999-12-31"); /* no such day: nothing holds on it */
}

/* What the sites that it means allocated in the steady phase, all threads. */
static struct model_amount matched(struct verdict *verdict, size_t place, struct verdict_item *item)
{
    const struct model *model = verdict->model;
    const bool *sites = verdict->private->allowance_sites[place];
    struct model_amount sum = {0};

    item->parts = verdict_memory(verdict, model->site_count, sizeof *item->parts);
    for (size_t i = 0; i < model->site_count; i++) {
        const struct model_site *site = &model->sites[i];
        const struct model_amount *amount = &site->phase[MODEL_STEADY];

        if (!sites[i] || amount->allocations == 0)
            continue;
        uint64_t weight =
            item->allowance->metric == BUDGET_ALLOCATIONS ? amount->allocations : amount->bytes;
        model_amount_add(&sum, amount);
        item->parts[item->part_count++] = (struct verdict_part){
            .site = site,
            .amount = *amount,
            .growth = site->growth_bytes,
            .weight = weight > INT64_MAX ? INT64_MAX : (int64_t)weight,
        };
    }
    verdict_sort_parts(item);
    return sum;
}

/* Fills in the actual value; false: there are no such units. */
static bool measure(struct verdict *verdict, struct verdict_item *item,
                    const struct model_amount *amount)
{
    const struct budget_allowance *allowance = item->allowance;
    bool counts = allowance->metric == BUDGET_ALLOCATIONS;
    uint64_t scale;
    uint64_t units =
        verdict_units(verdict->model, BUDGET_STEADY, allowance->per, &scale, &item->per);
    uint64_t number = counts ? amount->allocations : amount->bytes;

    if (units == 0)
        return false;
    item->unit = counts ? VERDICT_COUNT : VERDICT_BYTES;
    item->least = item->most = (struct ratio){(unsigned __int128)number * scale, units, false};
    item->bound = allowance->most;
    item->has_actual = item->has_bound = true;
    verdict_show_item(verdict, item);
    return true;
}

static void judge(struct verdict *verdict, struct verdict_item *item, bool used)
{
    const struct budget_allowance *allowance = item->allowance;
    int64_t now = verdict->private->options.now;
    char today[DATE_BYTES];
    char soon[DATE_BYTES];

    write_day(now, today);
    write_day(now + SOON_DAYS * DAY, soon);
    if (strcmp(allowance->expires, today) < 0) {
        item->status = VERDICT_FAIL;
        item->text =
            verdict_text(verdict, "expired on %s (%s)", allowance->expires, allowance->reason);
    } else if (ratio_compare(item->most, item->bound) > 0) {
        item->status = VERDICT_FAIL;
        item->excess_count = item->part_count;
        item->text = verdict_text(verdict, "%s, allowed %s: %s (%s)", item->actual_text,
                                  item->bound_text, item->over_text, allowance->reason);
    } else if (!used) {
        item->status = VERDICT_WARN;
        item->text = verdict_text(verdict, "nothing needs it: no such site allocates (%s)",
                                  allowance->reason);
    } else {
        bool ends = strcmp(allowance->expires, soon) <= 0;
        item->status = ends ? VERDICT_WARN : VERDICT_PASS;
        item->text = verdict_text(verdict, "%s, allowed %s%s %s (%s)", item->actual_text,
                                  item->bound_text, ends ? "; expires soon, on" : " until",
                                  allowance->expires, allowance->reason);
    }
}

void verdict_allow(struct verdict *verdict)
{
    const struct budget_file *file = verdict->file;

    for (size_t i = 0; i < file->allowance_count; i++) {
        const struct budget_allowance *allowance = &file->allowances[i];
        const char *name = verdict_text(verdict, "allowance: %s", allowance->site_text);
        struct verdict_item *item = verdict_add(verdict, VERDICT_ALLOWANCE, name);
        const char *missing = verdict_missing_module(verdict, allowance->site);

        item->allowance = allowance;
        item->mark = allowance->mark;
        if (missing != NULL) {
            item->status = VERDICT_WRONG;
            item->text = missing;
            continue;
        }
        struct model_amount amount = matched(verdict, i, item);
        if (measure(verdict, item, &amount)) {
            judge(verdict, item, amount.allocations > 0);
        } else {
            item->status = VERDICT_UNKNOWN;
            item->text = "there was none of what it is counted by in the steady phase";
        }
    }
}
