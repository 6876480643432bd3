/* SPDX-License-Identifier: MIT */
/* Reads a baseline's text; trusts none of it. */
#include "cli/baseline_private.h"
#include "cli/errors.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

const struct baseline_place baseline_top = {NULL, NULL, 0};

static bool read_environment(struct baseline_reader *reader, const json_t *whole)
{
    struct baseline_environment *environment = &reader->baseline->environment;
    const struct {
        const char *key;
        const char **to;
    } parts[] = {{"arch", &environment->arch},       {"libc", &environment->libc},
                 {"sdl", &environment->sdl},         {"video", &environment->video},
                 {"program", &environment->program}, {"build_id", &environment->build_id}};
    static const char *const keys[] = {"arch", "libc", "sdl", "video", "program", "build_id", NULL};
    const struct baseline_place place = {"environment", NULL, 0};
    const json_t *object = baseline_json_object(&reader->json, &baseline_top, whole, "environment");

    if (object == NULL || !baseline_json_only(&reader->json, &place, (json_t *)object, keys))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *text;
        if (!baseline_json_text(&reader->json, &place, object, parts[i].key, &text))
            return false;
        *parts[i].to = baseline_intern(reader->baseline, text);
    }
    return true;
}

static bool read_run(struct baseline_reader *reader, const json_t *whole)
{
    static const char *const keys[] = {"blind",     "ended",  "sample", "lost",
                                       "peak_live", "leaked", NULL};
    const struct baseline_place place = {"run", NULL, 0};
    struct baseline_json *json = &reader->json;
    struct baseline *baseline = reader->baseline;
    const json_t *object = baseline_json_object(json, &baseline_top, whole, "run");
    uint64_t sample = 0;

    if (object == NULL || !baseline_json_only(json, &place, (json_t *)object, keys) ||
        !baseline_json_flag(json, &place, object, "blind", &baseline->blind) ||
        !baseline_json_flag(json, &place, object, "ended", &baseline->ended) ||
        !baseline_json_number(json, &place, object, "sample", &sample) ||
        !baseline_json_number(json, &place, object, "lost", &baseline->lost) ||
        !baseline_json_number(json, &place, object, "peak_live", &baseline->peak_live) ||
        !baseline_json_number(json, &place, object, "leaked", &baseline->leaked))
        return false;
    if (sample == 0 || sample > UINT32_MAX)
        return baseline_json_wrong(json, &place, "sample", "is out of range");
    baseline->sample = (uint32_t)sample;
    return true;
}

static bool read_values(struct baseline_reader *reader, const json_t *whole)
{
    static const char *const keys[] = {"budget", "metric", "of", "negative", "part", "whole", NULL};
    struct baseline_json *json = &reader->json;
    struct baseline *baseline = reader->baseline;
    const json_t *list = baseline_json_list(json, &baseline_top, whole, "values");
    size_t count = list != NULL ? json_array_size(list) : 0;

    if (count > 0)
        baseline->values = xcalloc(count, sizeof *baseline->values);
    for (size_t i = 0; i < count; i++) {
        const struct baseline_place place = {"values", NULL, i + 1};
        struct baseline_value *value = &baseline->values[i];
        json_t *object = json_array_get(list, i);
        uint64_t part = 0, of_whole = 0;
        const char *budget, *metric, *of;
        if (!json_is_object(object))
            return baseline_json_wrong(json, &baseline_top, "values", "holds what is no object");
        if (!baseline_json_only(json, &place, object, keys) ||
            !baseline_json_text(json, &place, object, "budget", &budget) ||
            !baseline_json_text(json, &place, object, "metric", &metric) ||
            !baseline_json_text(json, &place, object, "of", &of) ||
            (json_object_get(object, "negative") != NULL &&
             !baseline_json_flag(json, &place, object, "negative", &value->value.negative)) ||
            !baseline_json_number(json, &place, object, "part", &part) ||
            !baseline_json_number(json, &place, object, "whole", &of_whole))
            return false;
        if (of_whole == 0)
            return baseline_json_wrong(json, &place, "whole", "is zero");
        value->budget = baseline_intern(baseline, budget);
        value->metric = baseline_intern(baseline, metric);
        value->of = baseline_intern(baseline, of);
        value->value.part = part;
        value->value.whole = of_whole;
        baseline->value_count++;
    }
    if (!baseline_sort_values(baseline))
        return baseline_json_wrong(json, &baseline_top, "values", "has one twice");
    return list != NULL;
}

static bool read_modules(struct baseline_reader *reader, const json_t *whole)
{
    static const char *const keys[] = {"name", "build_id", NULL};
    struct baseline_json *json = &reader->json;
    struct baseline *baseline = reader->baseline;
    const json_t *list = baseline_json_list(json, &baseline_top, whole, "modules");
    size_t count = list != NULL ? json_array_size(list) : 0;

    baseline->modules = baseline_alloc(baseline, count, sizeof *baseline->modules);
    for (size_t i = 0; i < count; i++) {
        const struct baseline_place place = {"modules", NULL, i + 1};
        json_t *object = json_array_get(list, i);
        const char *name, *build_id;
        if (!json_is_object(object))
            return baseline_json_wrong(json, &baseline_top, "modules", "holds what is no object");
        if (!baseline_json_only(json, &place, object, keys) ||
            !baseline_json_text(json, &place, object, "name", &name) ||
            !baseline_json_text(json, &place, object, "build_id", &build_id))
            return false;
        baseline->modules[baseline->module_count++] = (struct baseline_module){
            baseline_intern(baseline, name), baseline_intern(baseline, build_id)};
    }
    return list != NULL;
}

static bool read_all(struct baseline_reader *reader, json_t *whole)
{
    static const char *const keys[] = {
        "allocreport_baseline", "environment", "run", "scopes", "values", "modules", "sites", NULL};

    return baseline_json_only(&reader->json, &baseline_top, whole, keys) &&
           read_environment(reader, whole) && read_run(reader, whole) &&
           baseline_read_scopes(reader, whole) && read_values(reader, whole) &&
           read_modules(reader, whole) && baseline_read_sites(reader, whole);
}

/* Whether the numbers mean what they mean here; other versions may have other members. */
static bool read_definition(struct baseline_reader *reader, const json_t *whole)
{
    uint64_t definition = 0;

    if (!json_is_object(whole) || json_object_get(whole, "allocreport_baseline") == NULL) {
        reader->json.why = xstrdup("is no baseline of allocreport");
        return false;
    }
    if (!baseline_json_number(&reader->json, &baseline_top, whole, "allocreport_baseline",
                              &definition))
        return false;
    if (definition == BASELINE_DEFINITION)
        return true;
    reader->json.why = xasprintf("its numbers have definition %llu, here they have %d: remove "
                                 "it, and make it anew with --update",
                                 (unsigned long long)definition, BASELINE_DEFINITION);
    return false;
}

struct baseline *baseline_parse(const char *text, size_t length, char **why)
{
    struct baseline_reader reader = {baseline_new(NULL), {NULL}};
    json_error_t wrong;
    json_t *whole = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);

    if (whole == NULL)
        reader.json.why = xasprintf("line %d: %s", wrong.line, wrong.text);
    else if (read_definition(&reader, whole))
        read_all(&reader, whole);
    json_decref(whole);
    *why = NULL;
    if (reader.json.why == NULL)
        return reader.baseline;
    /* Keys and tokens of the file may stand in it. */
    *why = text_escape(reader.json.why, strlen(reader.json.why), true);
    free(reader.json.why);
    baseline_free(reader.baseline);
    return NULL;
}
