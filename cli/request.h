/* SPDX-License-Identifier: MIT */
/*
 * request.h: what the commands that look at a dump share: their common options, opening the dump,
 * finding the loop that is meant. Called by the commands.
 */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "cli/options.h"
#include "cli/out.h"

struct request_options {
    bool json;
    int colour; /* enum term_colour */
    const char *loop;
};

extern const char *const request_colours[];

/* For the table of a command whose values have a `struct request_options common`. */
#define REQUEST_JSON(values)                                                                       \
    {                                                                                              \
        .name = "json", .letter = 'j', .type = OPTION_FLAG, .help = "print JSON",                  \
        .offset = offsetof(struct values, common.json)                                             \
    }
#define REQUEST_COLOUR(values)                                                                     \
    {                                                                                              \
        .name = "color", .type = OPTION_CHOICE, .value = "WHEN", .help = "colours and bold type",  \
        .choices = request_colours, .offset = offsetof(struct values, common.colour)               \
    }
#define REQUEST_LOOP(values)                                                                       \
    {                                                                                              \
        .name = "loop", .letter = 'l', .type = OPTION_TEXT, .value = "LOOP",                       \
        .help = "only this poll site: its number, or a glob of a function in its stack",           \
        .offset = offsetof(struct values, common.loop)                                             \
    }

/*
 * Opens the dump and fills in what the common options say; the rest of *request is zero. Returns an
 * exit code: EXIT_FINE, or what to end with, having printed why; then nothing is to be closed.
 */
int request_open(struct out_request *request, const struct request_options *options,
                 const char *path);

/* Symbolises all of the dump at once, with progress on a terminal: for what looks at every site. */
void request_symbolise(const struct out_request *request);

const struct out_format *request_format(const struct request_options *options);

void request_close(struct out_request *request);

#endif
