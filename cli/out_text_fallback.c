/* SPDX-License-Identifier: MIT */
/* A poll to paste: where it goes as comments in front, so that all of it is source. */
#include "cli/out_text.h"

#include <stdlib.h>
#include <string.h>

/* The name never ends the line: a backslash there would go on with the next one. */
static void print_place(const struct out_request *request, const struct fallback_site *place,
                        const char *comment)
{
    FILE *out = request->term.out;
    char *name = out_text_name(request, place->loop->stack);
    char *tab = strchr(name, '\t');
    double polls = (double)place->polls;

    if (tab != NULL)
        *tab = '\0';
    fprintf(out, "%s   %s%s%s: %s poll%s, ", comment, name, tab != NULL ? " at " : "",
            tab != NULL ? tab + 1 : "",
            format_count(place->loop->by_function[DUMP_POLL_EVENT]).text,
            format_plural(place->loop->by_function[DUMP_POLL_EVENT]));
    if (place->allocations == 0 || place->polls == 0)
        fprintf(out, "which would save nothing\n");
    else
        fprintf(out, "each would save up to %s allocations of %s bytes in all\n",
                format_short((double)place->allocations / polls).text,
                format_short((double)place->bytes / polls).text);
    free(name);
}

void out_text_fallback(const struct out_request *request, const struct fallback_language *language)
{
    FILE *out = request->term.out;
    struct fallback_site *places;
    size_t count;

    if (request->model != NULL) {
        places = fallback_sites(request->model, &count);
        fprintf(out, "%s %s\n", language->comment,
                count > 0 ? "Where it goes, in place of SDL_PollEvent:"
                          : "Nothing calls SDL_PollEvent there.");
        for (size_t i = 0; i < count; i++)
            print_place(request, &places[i], language->comment);
        fputc('\n', out);
        free(places);
    }
    fputs(language->text, out);
}
