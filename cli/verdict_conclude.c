/* SPDX-License-Identifier: MIT */
/* From items to one exit code and one line. */
#include "cli/errors.h"
#include "cli/verdict_private.h"

#include <assert.h>

static bool is_time(const struct verdict_item *item)
{
    return item->limit != NULL && item->limit->metric >= BUDGET_POLLS_PER_SECOND;
}

/* Times differ from run to run by themselves, so that not even --strict fails for them; nor for
 * another environment. */
static int code_of(const struct verdict_item *item, bool strict)
{
    switch (item->status) {
    case VERDICT_FAIL:
        return item->kind == VERDICT_REQUIREMENT ? EXIT_PROGRAM : EXIT_EXCEEDED;
    case VERDICT_UNKNOWN:
        return is_time(item) && item->limit->warns ? EXIT_FINE : EXIT_INCONCLUSIVE;
    case VERDICT_WRONG:
        return EXIT_USAGE;
    case VERDICT_WARN:
        return strict && !is_time(item) && item->kind != VERDICT_REQUIREMENT ? EXIT_EXCEEDED
                                                                             : EXIT_FINE;
    case VERDICT_BETTER:
        return strict ? EXIT_BETTER : EXIT_FINE;
    default:
        return EXIT_FINE;
    }
}

/* That the program failed comes first; then what a budget file gets wrong; then that nothing can be
 * told of such a run; then what is exceeded, what cannot be told alone, and what is only better. */
static int rank(const struct verdict_item *item)
{
    switch (item->code) {
    case EXIT_PROGRAM:
        return 6;
    case EXIT_USAGE:
        return 5;
    case EXIT_INCONCLUSIVE:
        return item->kind == VERDICT_REQUIREMENT ? 4 : 2;
    case EXIT_EXCEEDED:
        return 3;
    case EXIT_BETTER:
        return 1;
    default:
        return 0;
    }
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Of the items with this code, how many there are, and the first. */
static const struct verdict_item *find(const struct verdict *verdict, int code, size_t *count)
{
    const struct verdict_item *first = NULL;

    *count = 0;
    for (size_t i = 0; i < verdict->item_count; i++) {
        if (verdict->items[i].code != code)
            continue;
        first = first != NULL ? first : &verdict->items[i];
        ++*count;
    }
    return first;
}

static void write_headline(struct verdict *verdict)
{
    size_t warnings = verdict->count[VERDICT_WARN];
    size_t better = verdict->count[VERDICT_BETTER];
    size_t count;
    const struct verdict_item *first = find(verdict, verdict->code, &count);

    switch (verdict->code) {
    case EXIT_FINE:
        verdict->headline = verdict_text(
            verdict, "passes: %zu check%s%s%s", count, plural(count),
            warnings > 0 ? verdict_text(verdict, ", %zu warning%s", warnings, plural(warnings))
                         : "",
            better > 0 ? verdict_text(verdict, ", %zu better", better) : "");
        break;
    case EXIT_EXCEEDED:
        verdict->headline =
            verdict_text(verdict, "fails: %zu of %zu checks%s", count, verdict->item_count,
                         verdict->count[VERDICT_FAIL] == 0 ? ", warnings under --strict" : "");
        break;
    case EXIT_BETTER:
        verdict->headline = verdict_text(
            verdict, "better than asked for, which --strict does not let pass: %zu check%s", count,
            plural(count));
        break;
    case EXIT_USAGE:
        verdict->headline =
            verdict_text(verdict, "the budget does not fit the run: %s", first->text);
        break;
    case EXIT_PROGRAM:
        verdict->headline = verdict_text(verdict, "the program failed: %s", first->text);
        break;
    default:
        verdict->headline = verdict_text(verdict, "inconclusive: %s: %s", first->name, first->text);
    }
}

/* A gate that checks nothing passes nothing. */
static void require_any(struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->item_count; i++)
        if (verdict->items[i].kind == VERDICT_LIMIT && verdict->items[i].status != VERDICT_SKIPPED)
            return;
    struct verdict_item *item = verdict_add(verdict, VERDICT_REQUIREMENT, "budgets");
    item->status = VERDICT_UNKNOWN;
    item->text = "not one budget applies to this run";
}

void verdict_conclude(struct verdict *verdict)
{
    int most = 0;

    require_any(verdict);
    for (size_t i = 0; i < verdict->item_count; i++) {
        struct verdict_item *item = &verdict->items[i];

        item->code = code_of(item, verdict->strict);
        verdict->count[item->status]++;
        verdict->failing += item->code != EXIT_FINE;
        if (rank(item) > most) {
            most = rank(item);
            verdict->code = item->code;
        }
    }
    write_headline(verdict);
}

const char *verdict_status_name(enum verdict_status status)
{
    static const char *const names[] = {"pass", "skipped", "better", "warn",
                                        "fail", "unknown", "wrong"};

    assert(status < VERDICT_STATUSES);
    return names[status];
}

const char *verdict_kind_name(enum verdict_kind kind)
{
    static const char *const names[] = {"requirement", "limit", "allowance"};

    return names[kind];
}

const char *verdict_unit_name(enum verdict_unit unit)
{
    static const char *const names[] = {"bytes", "count", "percent", "nanoseconds"};

    return names[unit];
}

const char *verdict_code_name(int code)
{
    switch (code) {
    case EXIT_FINE:
        return "pass";
    case EXIT_EXCEEDED:
        return "exceeded";
    case EXIT_USAGE:
        return "usage";
    case EXIT_UNREADABLE:
        return "unreadable";
    case EXIT_INCONCLUSIVE:
        return "inconclusive";
    case EXIT_BETTER:
        return "better";
    case EXIT_PROGRAM:
        return "program-failed";
    default:
        return "unknown";
    }
}
