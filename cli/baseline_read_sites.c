/* SPDX-License-Identifier: MIT */
/* The sites of a baseline's text. */
#include "cli/baseline_private.h"
#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

/* "module!function", or "function" of the same module as the line before. */
static bool read_line(struct baseline_reader *reader, const struct baseline_place *place,
                      const json_t *item, const struct baseline_line *last,
                      struct baseline_line *line)
{
    const char *text = json_string_value(item);
    const char *mark = text != NULL ? strchr(text, '!') : NULL;

    if (text == NULL)
        return baseline_json_wrong(&reader->json, place, "stack", "holds what is no text");
    if (mark == NULL && last == NULL)
        return baseline_json_wrong(&reader->json, place, "stack",
                                   "has no module in its first line");
    if (mark == NULL) {
        *line = (struct baseline_line){last->module, baseline_intern(reader->baseline, text)};
        return true;
    }
    char *module = xstrdup(text);
    module[mark - text] = '\0';
    *line = (struct baseline_line){baseline_intern(reader->baseline, module),
                                   baseline_intern(reader->baseline, mark + 1)};
    free(module);
    return true;
}

/* The place of the word in a list of `count`; count if it is not there. */
static unsigned find_word(const char *word, const char *const *words, unsigned count)
{
    unsigned i = 0;

    while (i < count && strcmp(word, words[i]) != 0)
        i++;
    return i;
}

static bool read_words(struct baseline_reader *reader, const struct baseline_place *place,
                       const json_t *object, struct baseline_site *site)
{
    const char *cadences[CADENCE_SHUTDOWN + 1];
    const char *place_word, *cadence_word;

    if (!baseline_json_text(&reader->json, place, object, "place", &place_word) ||
        !baseline_json_text(&reader->json, place, object, "cadence", &cadence_word))
        return false;
    for (unsigned kind = 0; kind <= CADENCE_SHUTDOWN; kind++)
        cadences[kind] = cadence_name((enum cadence_kind)kind);
    site->place =
        (enum model_place)find_word(place_word, baseline_place_names, (unsigned)MODEL_PLACES);
    if (site->place == MODEL_PLACES)
        return baseline_json_wrong(&reader->json, place, "place", "is no place");
    site->cadence =
        (enum cadence_kind)find_word(cadence_word, cadences, (unsigned)CADENCE_SHUTDOWN + 1);
    if (site->cadence > CADENCE_SHUTDOWN)
        return baseline_json_wrong(&reader->json, place, "cadence", "is no cadence");
    return true;
}

static bool read_stack(struct baseline_reader *reader, const struct baseline_place *place,
                       const json_t *object, struct baseline_site *site)
{
    struct baseline_json *json = &reader->json;
    const json_t *stack = baseline_json_list(json, place, object, "stack");
    size_t count = stack != NULL ? json_array_size(stack) : 0;
    struct baseline_line *lines = baseline_alloc(reader->baseline, count, sizeof *lines);
    uint64_t named = 0;

    for (size_t i = 0; i < count; i++)
        if (!read_line(reader, place, json_array_get(stack, i), i > 0 ? &lines[i - 1] : NULL,
                       &lines[i]))
            return false;
    if (json_object_get(object, "named") != NULL &&
        !baseline_json_number(json, place, object, "named", &named))
        return false;
    if (named > 0 && named >= count)
        return baseline_json_wrong(json, place, "named", "is behind the stack's end");
    site->lines = lines;
    site->line_count = count;
    site->named = (size_t)named;
    return stack != NULL;
}

static bool read_site(struct baseline_reader *reader, size_t index, json_t *object)
{
    const struct baseline_place place = {"sites", NULL, index + 1};
    const char *keys[6 + MODEL_PHASES + 1] = {"place",   "stack", "named",
                                              "cadence", "polls", "most"};
    struct baseline_json *json = &reader->json;
    struct baseline_site *site = &reader->baseline->sites[index];

    for (unsigned phase = 0; phase < MODEL_PHASES; phase++)
        keys[6 + phase] = budget_scope_name((enum budget_scope)phase);
    if (!json_is_object(object))
        return baseline_json_wrong(json, &baseline_top, "sites", "holds what is no object");
    if (!baseline_json_only(json, &place, object, keys) ||
        !read_words(reader, &place, object, site) || !read_stack(reader, &place, object, site) ||
        !baseline_json_number(json, &place, object, "polls", &site->polls_steady) ||
        !baseline_json_number(json, &place, object, "most", &site->most_bytes))
        return false;
    for (unsigned phase = 0; phase < MODEL_PHASES; phase++) {
        const struct baseline_place inner = {"sites", keys[6 + phase], index + 1};
        if (json_object_get(object, keys[6 + phase]) == NULL)
            continue;
        const json_t *amount = baseline_json_object(json, &place, object, keys[6 + phase]);
        if (amount == NULL || !baseline_read_amount(reader, &inner, amount, &site->phase[phase]))
            return false;
    }
    return true;
}

bool baseline_read_sites(struct baseline_reader *reader, const json_t *whole)
{
    struct baseline *baseline = reader->baseline;
    const json_t *list = baseline_json_list(&reader->json, &baseline_top, whole, "sites");
    size_t count = list != NULL ? json_array_size(list) : 0;

    baseline->sites = baseline_alloc(baseline, count, sizeof *baseline->sites);
    for (size_t i = 0; i < count; i++)
        if (!read_site(reader, i, json_array_get(list, i)))
            return false;
    baseline->site_count = count;
    if (baseline_merge_sites(baseline))
        return baseline_json_wrong(&reader->json, &baseline_top, "sites", "has one twice");
    return list != NULL;
}
