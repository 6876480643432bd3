/* SPDX-License-Identifier: MIT */
#include "cli/baseline_json.h"

#include "cli/errors.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 60 /* bytes of a key of the file in a message */

bool baseline_json_wrong(struct baseline_json *json, const struct baseline_place *place,
                         const char *key, const char *message)
{
    char index[32] = "";

    if (json->why != NULL)
        return false;
    if (place->index > 0)
        snprintf(index, sizeof index, " %zu", place->index);
    json->why =
        xasprintf("%s%s%s%s%s%.*s: %s", place->outer != NULL ? place->outer : "", index,
                  place->outer != NULL && place->inner != NULL ? "." : "",
                  place->inner != NULL ? place->inner : "",
                  place->outer != NULL || place->inner != NULL ? "." : "", SHOWN, key, message);
    return false;
}

bool baseline_json_item(struct baseline_json *json, const struct baseline_place *place,
                        const char *key, const json_t *item, uint64_t *value)
{
    if (json->why != NULL)
        return false;
    if (json_is_integer(item) && json_integer_value(item) >= 0) {
        *value = (uint64_t)json_integer_value(item);
        return true;
    }
    if (json_is_string(item) && options_number(json_string_value(item), value))
        return true;
    return baseline_json_wrong(json, place, key, "is no whole number");
}

static const json_t *member(struct baseline_json *json, const struct baseline_place *place,
                            const json_t *object, const char *key)
{
    const json_t *value = json->why == NULL ? json_object_get(object, key) : NULL;

    if (value == NULL)
        baseline_json_wrong(json, place, key, "is missing");
    return value;
}

bool baseline_json_number(struct baseline_json *json, const struct baseline_place *place,
                          const json_t *object, const char *key, uint64_t *value)
{
    const json_t *item = member(json, place, object, key);

    return item != NULL && baseline_json_item(json, place, key, item, value);
}

bool baseline_json_flag(struct baseline_json *json, const struct baseline_place *place,
                        const json_t *object, const char *key, bool *value)
{
    const json_t *item = member(json, place, object, key);

    if (item == NULL)
        return false;
    if (!json_is_boolean(item))
        return baseline_json_wrong(json, place, key, "is neither true nor false");
    *value = json_is_true(item);
    return true;
}

bool baseline_json_text(struct baseline_json *json, const struct baseline_place *place,
                        const json_t *object, const char *key, const char **value)
{
    const json_t *item = member(json, place, object, key);

    if (item == NULL)
        return false;
    if (!json_is_string(item))
        return baseline_json_wrong(json, place, key, "is no text");
    *value = json_string_value(item);
    return true;
}

const json_t *baseline_json_object(struct baseline_json *json, const struct baseline_place *place,
                                   const json_t *object, const char *key)
{
    const json_t *item = member(json, place, object, key);

    if (item != NULL && !json_is_object(item)) {
        baseline_json_wrong(json, place, key, "is no object");
        return NULL;
    }
    return item;
}

const json_t *baseline_json_list(struct baseline_json *json, const struct baseline_place *place,
                                 const json_t *object, const char *key)
{
    const json_t *item = member(json, place, object, key);

    if (item != NULL && !json_is_array(item)) {
        baseline_json_wrong(json, place, key, "is no list");
        return NULL;
    }
    return item;
}

bool baseline_json_only(struct baseline_json *json, const struct baseline_place *place,
                        json_t *object, const char *const *keys)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (keys[i] != NULL && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i] == NULL)
            return baseline_json_wrong(json, place, key, "is not known");
    }
    return json->why == NULL;
}
