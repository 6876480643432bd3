/* SPDX-License-Identifier: MIT */
/*
 * baseline_json.h: reads members of JSON objects that nobody vouches for, each of the one right
 * type. The first thing that is wrong is kept as a line of text with its place; from then on every
 * function fails at once. Called by the baseline's reader alone.
 */
#ifndef CLI_BASELINE_JSON_H
#define CLI_BASELINE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct baseline_json {
    char *why; /* what is wrong; NULL: nothing yet. The caller frees */
};

/* Where something stands: names from the outermost, the last ones may be NULL. */
struct baseline_place {
    const char *outer, *inner; /* "scopes", "steady" */
    size_t index;              /* of the item of `outer`, from 1; 0: no list */
};

/* Each returns whether the member is there and fits. Numbers are whole and not negative: integers,
 * or text of decimal digits for those that are larger than JSON's. */
bool baseline_json_number(struct baseline_json *json, const struct baseline_place *place,
                          const json_t *object, const char *key, uint64_t *value);
bool baseline_json_flag(struct baseline_json *json, const struct baseline_place *place,
                        const json_t *object, const char *key, bool *value);
/* The text stays the object's. */
bool baseline_json_text(struct baseline_json *json, const struct baseline_place *place,
                        const json_t *object, const char *key, const char **value);
const json_t *baseline_json_object(struct baseline_json *json, const struct baseline_place *place,
                                   const json_t *object, const char *key); /* or NULL */
const json_t *baseline_json_list(struct baseline_json *json, const struct baseline_place *place,
                                 const json_t *object, const char *key); /* or NULL */
/* As baseline_json_number, of a value that stands by itself. */
bool baseline_json_item(struct baseline_json *json, const struct baseline_place *place,
                        const char *key, const json_t *item, uint64_t *value);

/* Fails unless all keys of the object are among `keys` (ended by NULL). */
bool baseline_json_only(struct baseline_json *json, const struct baseline_place *place,
                        json_t *object, const char *const *keys);

/* Keeps "PLACE: MESSAGE"; returns false. */
bool baseline_json_wrong(struct baseline_json *json, const struct baseline_place *place,
                         const char *key, const char *message);

#endif
