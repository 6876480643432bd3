/* SPDX-License-Identifier: MIT */
/* A baseline as the text of its file: one line for each value, series and site, in a fixed order,
 * so that two of them differ in the lines of what changed. */
#include "cli/baseline_private.h"
#include "cli/errors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(void)
{
    error("out of memory");
    exit(EXIT_UNREADABLE);
}

static void set(json_t *object, const char *key, json_t *value)
{
    if (value == NULL || json_object_set_new(object, key, value) != 0)
        fail();
}

/* What no reader of JSON can hold is text. */
static json_t *number(uint64_t value)
{
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    char *digits = xasprintf("%" PRIu64, value);
    json_t *text = json_string(digits);
    free(digits);
    return text;
}

static void put(FILE *out, json_t *value)
{
    if (value == NULL || json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY) != 0)
        fail();
    json_decref(value);
}

static json_t *amount_of(const struct model_amount *amount)
{
    json_t *object = json_object();
    struct model_amount copy = *amount;

    for (unsigned i = 0; i < 5; i++)
        if (*baseline_amount_field(&copy, i) > 0)
            set(object, baseline_amount_names[i], number(*baseline_amount_field(&copy, i)));
    return object;
}

static json_t *range_of(struct stats_range range)
{
    json_t *array = json_array();

    if (json_array_append_new(array, number(range.least)) != 0 ||
        json_array_append_new(array, number(range.most)) != 0)
        fail();
    return array;
}

static json_t *series_of(const struct baseline_series *series)
{
    json_t *object = json_object();

    set(object, "count", number(series->count));
    set(object, "sum", number(series->sum));
    set(object, "zeros", number(series->zeros));
    set(object, "least", number(series->least));
    set(object, "most", number(series->most));
    set(object, "p50", range_of(series->p50));
    set(object, "p90", range_of(series->p90));
    set(object, "p99", range_of(series->p99));
    return object;
}

/* "key": value, with a comma in front unless it is the first of its object. */
static void put_member(FILE *out, int indent, bool *first, const char *key, json_t *value)
{
    fprintf(out, "%s\n%*s\"%s\": ", *first ? "" : ",", indent, "", key);
    put(out, value);
    *first = false;
}

static void put_environment(FILE *out, const struct baseline *baseline)
{
    const struct baseline_environment *environment = &baseline->environment;
    bool first = true;

    fputs("  \"environment\": {", out);
    put_member(out, 4, &first, "arch", json_string(environment->arch));
    put_member(out, 4, &first, "libc", json_string(environment->libc));
    put_member(out, 4, &first, "sdl", json_string(environment->sdl));
    put_member(out, 4, &first, "video", json_string(environment->video));
    put_member(out, 4, &first, "program", json_string(environment->program));
    put_member(out, 4, &first, "build_id", json_string(environment->build_id));
    fputs("\n  },\n", out);
}

static void put_run(FILE *out, const struct baseline *baseline)
{
    bool first = true;

    fputs("  \"run\": {", out);
    put_member(out, 4, &first, "blind", json_boolean(baseline->blind));
    put_member(out, 4, &first, "ended", json_boolean(baseline->ended));
    put_member(out, 4, &first, "sample", number(baseline->sample));
    put_member(out, 4, &first, "lost", number(baseline->lost));
    put_member(out, 4, &first, "peak_live", number(baseline->peak_live));
    put_member(out, 4, &first, "leaked", number(baseline->leaked));
    fputs("\n  },\n", out);
}

static void put_scope(FILE *out, const struct baseline_scope *scope, enum budget_scope which)
{
    bool first = true;

    fprintf(out, "    \"%s\": {", budget_scope_name(which));
    for (unsigned place = 0; place < MODEL_PLACES; place++)
        put_member(out, 6, &first, baseline_place_names[place], amount_of(&scope->place[place]));
    if (which == BUDGET_STEADY || which == BUDGET_PROCESS) {
        put_member(out, 6, &first, "polls", number(scope->polls));
        put_member(out, 6, &first, "drains", number(scope->drains));
        put_member(out, 6, &first, "frames", number(scope->frames));
        put_member(out, 6, &first, "ns", number(scope->ns));
        put_member(out, 6, &first, "allocating_polls", number(scope->allocating_polls));
        for (unsigned s = 0; s < DUMP_SERIES_COUNT; s++)
            put_member(out, 6, &first, baseline_series_name(s), series_of(&scope->series[s]));
    }
    fprintf(out, "\n    }%s\n", which + 1 < BUDGET_SCOPES ? "," : "");
}

static json_t *line_of(const struct baseline_line *line, const struct baseline_line *last)
{
    bool same = last != NULL && strcmp(last->module, line->module) == 0 &&
                strchr(line->function, '!') == NULL;
    char *text = same ? xstrdup(line->function) : xasprintf("%s!%s", line->module, line->function);
    json_t *string = json_string(text);

    free(text);
    return string;
}

static json_t *site_of(const struct baseline_site *site)
{
    json_t *object = json_object();
    json_t *stack = json_array();

    set(object, "place", json_string(baseline_place_names[site->place]));
    for (size_t i = 0; i < site->line_count; i++)
        if (json_array_append_new(
                stack, line_of(&site->lines[i], i > 0 ? &site->lines[i - 1] : NULL)) != 0)
            fail();
    set(object, "stack", stack);
    if (site->named > 0)
        set(object, "named", number(site->named));
    set(object, "cadence", json_string(cadence_name(site->cadence)));
    set(object, "polls", number(site->polls_steady));
    set(object, "most", number(site->most_bytes));
    for (unsigned phase = 0; phase < MODEL_PHASES; phase++) {
        json_t *amount = amount_of(&site->phase[phase]);
        if (json_object_size(amount) > 0)
            set(object, budget_scope_name((enum budget_scope)phase), amount);
        else
            json_decref(amount);
    }
    return object;
}

static json_t *value_of(const struct baseline_value *value)
{
    json_t *object = json_object();

    set(object, "budget", json_string(value->budget));
    set(object, "metric", json_string(value->metric));
    set(object, "of", json_string(value->of));
    if (value->value.negative)
        set(object, "negative", json_true());
    set(object, "part", number((uint64_t)value->value.part));
    set(object, "whole", number((uint64_t)value->value.whole));
    return object;
}

static json_t *module_of(const struct baseline_module *module)
{
    json_t *object = json_object();

    set(object, "name", json_string(module->name));
    set(object, "build_id", json_string(module->build_id));
    return object;
}

static void begin_item(FILE *out, size_t i)
{
    fputs(i > 0 ? ",\n    " : "\n    ", out);
}

static void put_lists(FILE *out, const struct baseline *baseline)
{
    fputs("  \"values\": [", out);
    for (size_t i = 0; i < baseline->value_count; i++) {
        begin_item(out, i);
        put(out, value_of(&baseline->values[i]));
    }
    fputs(baseline->value_count > 0 ? "\n  ],\n  \"modules\": [" : "],\n  \"modules\": [", out);
    for (size_t i = 0; i < baseline->module_count; i++) {
        begin_item(out, i);
        put(out, module_of(&baseline->modules[i]));
    }
    fputs(baseline->module_count > 0 ? "\n  ],\n  \"sites\": [" : "],\n  \"sites\": [", out);
    for (size_t i = 0; i < baseline->site_count; i++) {
        begin_item(out, i);
        put(out, site_of(&baseline->sites[i]));
    }
    fputs(baseline->site_count > 0 ? "\n  ]\n" : "]\n", out);
}

char *baseline_text(const struct baseline *baseline)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        fail();
    fprintf(out, "{\n  \"allocreport_baseline\": %d,\n", BASELINE_DEFINITION);
    put_environment(out, baseline);
    put_run(out, baseline);
    fputs("  \"scopes\": {\n", out);
    for (unsigned scope = 0; scope < BUDGET_SCOPES; scope++)
        put_scope(out, &baseline->scope[scope], (enum budget_scope)scope);
    fputs("  },\n", out);
    put_lists(out, baseline);
    fputs("}\n", out);
    if (fclose(out) != 0 || text == NULL)
        fail();
    return text;
}
