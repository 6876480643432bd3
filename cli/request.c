/* SPDX-License-Identifier: MIT */
#include "cli/request.h"

#include "cli/errors.h"
#include "cli/progress.h"
#include "cli/settle.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

const char *const request_colours[] = {
    [TERM_AUTO] = "auto", [TERM_ALWAYS] = "always", [TERM_NEVER] = "never", NULL};

const char *const request_orders[] = {
    [MODEL_BY_BYTES] = "bytes",
    [MODEL_BY_ALLOCATIONS] = "allocations",
    [MODEL_BY_LIVE] = "live",
    [MODEL_BY_TEMPORARY] = "temporary",
    [MODEL_BY_POLLS] = "polls",
    [MODEL_BY_GROWTH] = "growth",
    [MODEL_BY_FREES] = "frees",
    [MODEL_BY_MOST] = "largest",
    NULL,
};

const char *const request_phases[] = {
    "all",
    [1 + MODEL_STARTUP] = "startup",
    [1 + MODEL_WARMUP] = "warm-up",
    [1 + MODEL_STEADY] = "steady",
    [1 + MODEL_SHUTDOWN] = "shutdown",
    NULL,
};

/* Whether the glob is for a function of the stack that polls: "function" or "module!function". */
static bool loop_matches(struct model *model, const struct model_loop *loop, const char *glob)
{
    size_t count;
    struct model_line *lines = model_lines(model, loop->stack, &count);
    bool matches = false;

    for (size_t i = 0; i < count && !matches; i++) {
        char *name = model_line_text(&lines[i]);
        char *whole =
            xasprintf("%s!%s", lines[i].module != NULL ? lines[i].module->name : "", name);
        matches = fnmatch(glob, name, 0) == 0 || fnmatch(glob, whole, 0) == 0;
        free(whole);
        free(name);
    }
    free(lines);
    return matches;
}

/* The loop with that number, or the only one that the glob matches. */
static const struct model_loop *find_loop(struct model *model, const char *text)
{
    const struct model_loop *found = NULL;
    uint64_t number;

    if (options_number(text, &number)) {
        if (number <= UINT32_MAX)
            found = model_find_loop(model, (uint32_t)number);
        if (found == NULL)
            error("option '--loop': there is no loop %s; 'allocreport polls' lists them", text);
        return found;
    }

    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];
        if (!loop_matches(model, loop, text))
            continue;
        if (found != NULL) {
            error("option '--loop': '%s' matches several loops: %u, %u ...", text, found->id,
                  loop->id);
            return NULL;
        }
        found = loop;
    }
    if (found == NULL)
        error("option '--loop': no loop matches '%s'; 'allocreport polls' lists them", text);
    return found;
}

int request_open(struct out_request *request, const struct request_options *options,
                 const char *path)
{
    *request = (struct out_request){.filter = MODEL_FILTER_ALL};
    request->term = term_of(stdout, (enum term_colour)options->colour);
    settle(path);
    settle_leftovers();
    request->model = model_open(path);
    if (request->model == NULL)
        return EXIT_UNREADABLE;

    if (options->loop != NULL) {
        request->loop = find_loop(request->model, options->loop);
        if (request->loop == NULL) {
            request_close(request);
            return EXIT_USAGE;
        }
        request->filter.loop = request->loop->id;
    }
    return EXIT_FINE;
}

int request_choose(struct out_request *request, const struct request_choice *choice,
                   const char *glob)
{
    if (choice->thread != NULL && !model_has_thread(request->model, choice->thread)) {
        error("option '--thread': no thread matches '%s'; 'allocreport info' lists them",
              choice->thread);
        return EXIT_USAGE;
    }
    request->filter.thread = choice->thread;
    request->filter.phase = choice->phase > 0 ? choice->phase - 1 : MODEL_ANY;
    request->filter.glob = glob;
    request->places = (unsigned)choice->in_poll << MODEL_IN_POLL |
                      (unsigned)choice->between << MODEL_BETWEEN |
                      (unsigned)choice->other << MODEL_OTHER;
    request->order = (enum model_order)choice->order;
    request->order_name = request_orders[choice->order];
    return EXIT_FINE;
}

void request_symbolise(const struct out_request *request)
{
    struct progress progress = progress_start("symbols");

    model_symbolise(request->model, progress_step, &progress);
    progress_end(&progress);
}

const struct out_format *request_format(const struct request_options *options)
{
    return options->json ? &out_json : &out_text;
}

void request_close(struct out_request *request)
{
    model_close(request->model);
    request->model = NULL;
}
