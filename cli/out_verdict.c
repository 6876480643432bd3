/* SPDX-License-Identifier: MIT */
#include "cli/out_verdict.h"

#include "cli/errors.h"
#include "cli/format.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct out_verdict_format out_verdict_formats[] = {
    [OUT_VERDICT_TEXT] = {"text", out_verdict_text},
    [OUT_VERDICT_JSON] = {"json", out_verdict_json},
    [OUT_VERDICT_JUNIT] = {"junit", out_verdict_junit},
    [OUT_VERDICT_GITHUB] = {"github", out_verdict_github},
    [OUT_VERDICT_MARKDOWN] = {"markdown", out_verdict_markdown},
};

const char *const out_verdict_names[] = {
    [OUT_VERDICT_TEXT] = "text",         [OUT_VERDICT_JSON] = "json",
    [OUT_VERDICT_JUNIT] = "junit",       [OUT_VERDICT_GITHUB] = "github",
    [OUT_VERDICT_MARKDOWN] = "markdown", NULL};

const char *out_verdict_word(const struct verdict_item *item)
{
    static const char *const loud[] = {
        [VERDICT_PASS] = "pass",  [VERDICT_SKIPPED] = "skipped", [VERDICT_BETTER] = "BETTER",
        [VERDICT_WARN] = "WARN",  [VERDICT_FAIL] = "FAIL",       [VERDICT_UNKNOWN] = "UNKNOWN",
        [VERDICT_WRONG] = "WRONG"};

    return item->code != EXIT_FINE ? loud[item->status] : verdict_status_name(item->status);
}

size_t out_verdict_shown(const struct verdict_item *item)
{
    bool all = item->status == VERDICT_WARN || item->excess_count == 0;
    size_t count = all ? item->part_count : item->excess_count;

    if (item->status == VERDICT_PASS || item->status == VERDICT_BETTER)
        return 0;
    return count < OUT_VERDICT_SITES ? count : OUT_VERDICT_SITES;
}

struct out_verdict_place out_verdict_place(const struct out_verdict_request *request,
                                           const struct verdict_item *item)
{
    struct model_line line;

    if (out_verdict_shown(item) > 0 &&
        model_name(request->base.model, item->parts[0].site->stack, &line) && line.file != NULL)
        return (struct out_verdict_place){xstrdup(line.file), line.line};
    if (request->verdict->file->path != NULL && item->mark.line > 0)
        return (struct out_verdict_place){xstrdup(request->verdict->file->path), item->mark.line};
    return (struct out_verdict_place){NULL, 0};
}

char *out_verdict_site(const struct out_verdict_request *request, const struct verdict_part *part)
{
    struct model_line line;
    bool known = model_name(request->base.model, part->site->stack, &line);
    char *name = known ? model_line_text(&line) : xstrdup("(no stack)");
    char *place = known && line.file != NULL ? xasprintf(" (%s:%" PRIu32 ")", line.file, line.line)
                  : known && line.function != NULL && line.module != NULL
                      ? xasprintf(" (%s)", line.module->name)
                      : xstrdup("");
    char *whole = xasprintf("%s%s: %s allocation%s, %s byte%s, %s", name, place,
                            ratio_text(ratio_of(part->amount.allocations, 1), 0).text,
                            format_plural(part->amount.allocations),
                            ratio_text(ratio_of(part->amount.bytes, 1), 0).text,
                            format_plural(part->amount.bytes), part->site->cadence.words);

    free(place);
    free(name);
    return whole;
}

char *out_verdict_mark(const struct out_verdict_request *request, const struct verdict_item *item)
{
    if (request->verdict->file->path == NULL || item->mark.line == 0)
        return xstrdup("");
    return xasprintf("%s:%u:%u", request->verdict->file->path, item->mark.line, item->mark.column);
}

/* The first item that decided, or the first that warns, or NULL. */
static const struct verdict_item *decisive(const struct verdict *verdict)
{
    const struct verdict_item *warned = NULL;

    for (size_t i = 0; i < verdict->item_count; i++) {
        if (verdict->code != EXIT_FINE && verdict->items[i].code == verdict->code)
            return &verdict->items[i];
        if (warned == NULL && verdict->items[i].status == VERDICT_WARN)
            warned = &verdict->items[i];
    }
    return warned;
}

char *out_verdict_look(const struct out_verdict_request *request)
{
    const struct verdict_item *item = decisive(request->verdict);
    char *dump = text_shell(request->base.model->path);
    char *whole;

    if (item == NULL || (item->kind == VERDICT_REQUIREMENT && item->part_count == 0))
        whole = xasprintf("allocreport info %s", dump);
    else if (item->budget != NULL && item->budget->scope == BUDGET_PROCESS)
        whole = xasprintf("allocreport sites --stacks %s", dump);
    else
        whole =
            xasprintf("allocreport sites --phase %s --stacks %s",
                      model_phase_name(item->budget != NULL ? (enum model_phase)item->budget->scope
                                                            : MODEL_STEADY),
                      dump);
    free(dump);
    return whole;
}

char *out_verdict_accept(const struct out_verdict_request *request)
{
    const struct verdict *verdict = request->verdict;
    const struct verdict_item *item = decisive(verdict);

    if (verdict->code != EXIT_EXCEEDED && verdict->code != EXIT_BETTER)
        return NULL;
    char *dump = text_shell(request->base.model->path);
    char *budget = text_shell(verdict->file->path != NULL ? verdict->file->path : "budget.yml");
    char *baseline = text_shell(request->baseline != NULL ? request->baseline : "");
    bool relative = item != NULL && item->limit != NULL &&
                    (item->limit->has_change || item->limit->metric == BUDGET_NEW_SITES);
    char *whole;

    if (request->baseline != NULL && (relative || item == NULL))
        whole = xasprintf("allocreport check%s%s --baseline %s --update %s",
                          verdict->file->path != NULL ? " --budget " : "",
                          verdict->file->path != NULL ? budget : "", baseline, dump);
    else if (verdict->file->path != NULL && item != NULL && item->mark.line > 0)
        whole = xasprintf("${EDITOR:-vi} +%u %s", item->mark.line, budget);
    else
        whole = xasprintf("allocreport budget init %s >%s", dump, budget);
    free(baseline);
    free(budget);
    free(dump);
    return whole;
}
