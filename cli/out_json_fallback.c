/* SPDX-License-Identifier: MIT */
/* A poll to paste, and where it goes. The names are documented in allocreport-fallback(1). */
#include "cli/out_json.h"

#include <stdlib.h>

static json_t *places_of(const struct out_request *request)
{
    json_t *list = json_array();
    size_t count;
    struct fallback_site *places = fallback_sites(request->model, &count);

    for (size_t i = 0; i < count; i++) {
        const struct fallback_site *place = &places[i];
        json_t *object = json_object();

        out_json_set(object, "loop", out_json_loop(request, place->loop));
        out_json_set_number(object, "polls", place->polls);
        out_json_set_number(object, "allocations", place->allocations);
        out_json_set_number(object, "bytes", place->bytes);
        json_array_append_new(list, object);
    }
    free(places);
    return list;
}

void out_json_fallback(const struct out_request *request, const struct fallback_language *language)
{
    json_t *whole =
        request->model != NULL ? out_json_head(request) : json_pack("{s:i}", "schema", OUT_SCHEMA);

    out_json_set(whole, "language", json_string(language->name));
    out_json_set(whole, "source", json_string(language->text));
    out_json_set(whole, "places", request->model != NULL ? places_of(request) : json_null());
    out_json_print(request->term.out, whole);
}
