/* SPDX-License-Identifier: MIT */
/* The verdict as JSON: the exact fractions, and all sites that count. */
#include "cli/errors.h"
#include "cli/out_json.h"
#include "cli/out_verdict.h"

#include <stdlib.h>

/* numerator / denominator exactly, where JSON's integers hold them; and the nearest real. */
static json_t *ratio_json(struct ratio value)
{
    json_t *object = json_object();
    bool fits = value.part <= INT64_MAX && value.whole <= INT64_MAX;
    json_int_t part = fits ? (json_int_t)value.part : 0;

    out_json_set(object, "numerator",
                 fits ? json_integer(value.negative ? -part : part) : json_null());
    out_json_set(object, "denominator", fits ? json_integer((json_int_t)value.whole) : json_null());
    out_json_set(object, "value", json_real(ratio_double(value)));
    return object;
}

static json_t *site_json(const struct out_verdict_request *request, const struct verdict_part *part)
{
    json_t *object = out_json_amount(&part->amount);
    struct model_line line;
    bool known = model_name(request->base.model, part->site->stack, &line);
    char *name = known ? model_line_text(&line) : NULL;

    out_json_set_number(object, "id", part->site->id);
    out_json_set(object, "function", out_json_text(name));
    out_json_set(object, "module",
                 out_json_text(known && line.module != NULL ? line.module->name : NULL));
    out_json_set(object, "file", out_json_text(known ? line.file : NULL));
    out_json_set(object, "line", known && line.line > 0 ? json_integer(line.line) : json_null());
    out_json_set(object, "growth_bytes", json_integer(part->growth));
    out_json_set(object, "cadence", json_string(cadence_name(part->site->cadence.kind)));
    out_json_set_stack(object, &request->base, part->site->stack);
    free(name);
    return object;
}

static json_t *sites_json(const struct out_verdict_request *request,
                          const struct verdict_item *item)
{
    json_t *list = json_array();
    size_t count = item->status == VERDICT_WARN || item->excess_count == 0 ? item->part_count
                                                                           : item->excess_count;

    if (item->status == VERDICT_PASS || item->status == VERDICT_BETTER)
        count = 0;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, site_json(request, &item->parts[i]));
    return list;
}

static json_t *actual_json(const struct verdict_item *item)
{
    json_t *object = json_object();

    if (!item->has_actual) {
        json_decref(object);
        return json_null();
    }
    out_json_set(object, "exact", json_boolean(ratio_compare(item->least, item->most) == 0));
    out_json_set(object, "least", ratio_json(item->least));
    out_json_set(object, "most", ratio_json(item->most));
    return object;
}

static json_t *limit_json(const struct verdict_item *item)
{
    if (!item->has_bound)
        return json_null();
    json_t *object = ratio_json(item->bound);
    out_json_set(object, "kind", json_string(item->lower ? "at_least" : "at_most"));
    return object;
}

static json_t *item_json(const struct out_verdict_request *request, const struct verdict_item *item)
{
    json_t *object = json_object();
    bool written = request->verdict->file->path != NULL && item->mark.line > 0;

    out_json_set(object, "kind", json_string(verdict_kind_name(item->kind)));
    out_json_set(object, "name", out_json_text(item->name));
    out_json_set(object, "status", json_string(verdict_status_name(item->status)));
    out_json_set(object, "exit_code", json_integer(item->code));
    out_json_set(object, "text", out_json_text(item->text));
    out_json_set(object, "budget", out_json_text(item->budget != NULL ? item->budget->name : NULL));
    out_json_set(
        object, "metric",
        out_json_text(item->limit != NULL ? budget_metric_name(item->limit->metric) : NULL));
    out_json_set(
        object, "scope",
        out_json_text(item->budget != NULL ? budget_scope_name(item->budget->scope) : NULL));
    out_json_set(object, "unit", json_string(verdict_unit_name(item->unit)));
    out_json_set(object, "per", out_json_text(item->per));
    out_json_set(object, "actual", actual_json(item));
    out_json_set(object, "limit", limit_json(item));
    out_json_set(object, "actual_text", out_json_text(item->actual_text));
    out_json_set(object, "limit_text", out_json_text(item->bound_text));
    out_json_set(object, "over_text", out_json_text(item->over_text));
    out_json_set(object, "line", written ? json_integer(item->mark.line) : json_null());
    out_json_set(object, "column", written ? json_integer(item->mark.column) : json_null());
    out_json_set_number(object, "site_count", item->part_count);
    out_json_set(object, "sites", sites_json(request, item));
    return object;
}

static json_t *steady_json(const struct verdict *verdict)
{
    json_t *object = json_object();
    json_t *halves = json_array();

    out_json_set_number(object, "polls", verdict->steady_polls);
    out_json_set_number(object, "warm_up_polls", verdict->warmup_polls);
    for (unsigned i = 0; i < 2; i++) {
        json_t *half = json_object();
        out_json_set_number(half, "polls", verdict->half_polls[i]);
        out_json_set_number(half, "recurring_bytes", verdict->half_bytes[i]);
        json_array_append_new(halves, half);
    }
    out_json_set(object, "halves", halves);
    return object;
}

void out_verdict_json(const struct out_verdict_request *request)
{
    const struct verdict *verdict = request->verdict;
    json_t *whole = out_json_head(&request->base);
    json_t *counts = json_object();
    json_t *checks = json_array();
    char *look = out_verdict_look(request);
    char *accept = out_verdict_accept(request);

    out_json_set(whole, "verdict", json_string(verdict_code_name(verdict->code)));
    out_json_set(whole, "exit_code", json_integer(verdict->code));
    out_json_set(whole, "headline", out_json_text(verdict->headline));
    out_json_set(whole, "strict", json_boolean(verdict->strict));
    out_json_set(whole, "budget", out_json_text(verdict->file->path));
    out_json_set(whole, "baseline", out_json_text(request->baseline));
    out_json_set(whole, "steady", steady_json(verdict));
    for (int status = 0; status < VERDICT_STATUSES; status++)
        out_json_set_number(counts, verdict_status_name((enum verdict_status)status),
                            verdict->count[status]);
    out_json_set(whole, "counts", counts);
    out_json_set_number(whole, "failing", verdict->failing);
    for (size_t i = 0; i < verdict->item_count; i++)
        json_array_append_new(checks, item_json(request, &verdict->items[i]));
    out_json_set(whole, "checks", checks);
    out_json_set(whole, "look", out_json_text(look));
    out_json_set(whole, "accept", out_json_text(accept));
    free(accept);
    free(look);
    out_json_print(request->base.term.out, whole);
}
