/* SPDX-License-Identifier: MIT */
/* The verdict as GitHub's workflow commands: an annotation for each item that fails or warns, at
 * the line of source that adds most, where that is known. */
#include "cli/errors.h"
#include "cli/escape.h"
#include "cli/out_verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Annotations are of files in the checkout, named from its root. */
static const char *in_checkout(const char *file)
{
    const char *root = getenv("GITHUB_WORKSPACE");
    size_t length = root != NULL ? strlen(root) : 0;

    while (length > 0 && root[length - 1] == '/')
        length--;
    if (length > 0 && strncmp(file, root, length) == 0 && file[length] == '/')
        file += length + 1;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    return file;
}

static char *message_of(const struct out_verdict_request *request, const struct verdict_item *item)
{
    char *message = xstrdup(item->text);
    size_t shown = out_verdict_shown(item);

    for (size_t i = 0; i < shown; i++) {
        char *site = out_verdict_site(request, &item->parts[i]);
        char *longer = xasprintf("%s\n%s", message, site);

        free(site);
        free(message);
        message = longer;
    }
    return message;
}

static void annotate(const struct out_verdict_request *request, const struct verdict_item *item)
{
    FILE *out = request->base.term.out;
    struct out_verdict_place place = out_verdict_place(request, item);
    char *name = xasprintf("allocreport: %s", item->name);
    char *title = escape_github_property(name);
    char *message = message_of(request, item);
    char *data = escape_github(message);

    fprintf(out, "::%s ", item->code != EXIT_FINE ? "error" : "warning");
    if (place.file != NULL) {
        char *file = escape_github_property(in_checkout(place.file));

        fprintf(out, "file=%s,", file);
        if (place.line > 0)
            fprintf(out, "line=%u,", place.line);
        free(file);
    }
    fprintf(out, "title=%s::%s\n", title, data);
    free(data);
    free(message);
    free(title);
    free(name);
    free(place.file);
}

void out_verdict_github(const struct out_verdict_request *request)
{
    const struct verdict *verdict = request->verdict;

    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];

        if (item->code != EXIT_FINE || item->status == VERDICT_WARN)
            annotate(request, item);
    }
    char *headline = escape_github(verdict->headline);
    fprintf(request->base.term.out, "::notice title=allocreport::%s\n", headline);
    free(headline);
}
