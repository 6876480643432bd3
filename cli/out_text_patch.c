/* SPDX-License-Identifier: MIT */
/* The patched poll: what was asked for in polls, what of it reached the heap, what is kept for it.
 */
#include "cli/errors.h"
#include "cli/out_text.h"

#include <stdlib.h>

static void print_spilled(const struct term *term, const struct model_patch *patch)
{
    char *line = xstrdup("");

    for (unsigned i = 0; i < DUMP_SPILLS; i++) {
        if (patch->spilled[i] == 0)
            continue;
        char *longer = xasprintf("%s%s%s %s", line, *line != '\0' ? ", " : "",
                                 format_count(patch->spilled[i]).text, model_spill_name(i));
        free(line);
        line = longer;
    }
    if (*line != '\0')
        out_text_line(term, "", "to the heap: %s", line);
    if (patch->missing_bytes > 0)
        out_text_line(term, "", "largest size missing: %s bytes, %s time%s",
                      format_count(patch->missing_bytes).text, format_count(patch->missing).text,
                      format_plural(patch->missing));
    free(line);
}

void out_text_patch(const struct out_request *request)
{
    const struct model_patch *patch = &request->model->patch;
    const struct term *term = &request->term;
    uint64_t calls = patch->heap_allocations + patch->heap_releases;

    if ((patch->modes & DUMP_PATCH_POLL) == 0)
        return;
    out_text_line(term, "patched", "%s request%s in polls, %s served without the heap, %s spilled",
                  format_count(patch->requests).text, format_plural(patch->requests),
                  format_count(patch->served).text, format_count(patch->heap_allocations).text);
    print_spilled(term, patch);
    out_text_line(term, "heap calls", "in polls %s; in %s steady poll%s %s",
                  format_count(calls).text, format_count(request->model->polls.steady).text,
                  format_plural(request->model->polls.steady),
                  format_count(patch->steady_heap_calls).text);
    out_text_line(term, "reserve", "%s held, at most %s, of %s; %s refill%s, %s block%s",
                  format_bytes(patch->held_bytes).text, format_bytes(patch->held_most_bytes).text,
                  format_bytes_binary(patch->limit_bytes).text, format_count(patch->refills).text,
                  format_plural(patch->refills), format_count(patch->refilled).text,
                  format_plural(patch->refilled));
}
