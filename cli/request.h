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

/* Which sites, and in which order. */
struct request_choice {
    int order; /* enum model_order */
    const char *thread;
    int phase; /* 0: all, else 1 + enum model_phase */
    bool in_poll, between, other;
};

extern const char *const request_orders[];
extern const char *const request_phases[];

/* For the table of a command whose values have a `struct request_choice choice`. */
#define REQUEST_SORT(values)                                                                       \
    {                                                                                              \
        .name = "sort", .letter = 's', .type = OPTION_CHOICE, .value = "KEY",                      \
        .help = "greatest first by", .choices = request_orders,                                    \
        .offset = offsetof(struct values, choice.order)                                            \
    }
#define REQUEST_FLAG(values, option, member, text)                                                 \
    {                                                                                              \
        .name = (option), .type = OPTION_FLAG, .help = (text),                                     \
        .offset = offsetof(struct values, choice.member)                                           \
    }
#define REQUEST_FILTER(values)                                                                     \
    {.name = "thread",                                                                             \
     .letter = 't',                                                                                \
     .type = OPTION_TEXT,                                                                          \
     .value = "THREAD",                                                                            \
     .help = "only this thread: a glob of its name, its number, or its tid",                       \
     .offset = offsetof(struct values, choice.thread)},                                            \
        {.name = "phase",                                                                          \
         .letter = 'p',                                                                            \
         .type = OPTION_CHOICE,                                                                    \
         .value = "PHASE",                                                                         \
         .help = "only allocations of this phase",                                                 \
         .choices = request_phases,                                                                \
         .offset = offsetof(struct values, choice.phase)},                                         \
        REQUEST_FLAG(values, "in-poll", in_poll, "only sites inside polls"),                       \
        REQUEST_FLAG(values, "between", between,                                                   \
                     "only sites outside polls, on threads that poll"),                            \
        REQUEST_FLAG(values, "other", other, "only sites on threads that never poll")

/*
 * Opens the dump and fills in what the common options say; the rest of *request is zero. Returns an
 * exit code: EXIT_FINE, or what to end with, having printed why; then nothing is to be closed.
 */
int request_open(struct out_request *request, const struct request_options *options,
                 const char *path);

/* Chooses sites of the open dump; `glob`: of a function in their stacks, NULL: all. Returns an exit
 * code: EXIT_FINE, or what to end with, having printed why. */
int request_choose(struct out_request *request, const struct request_choice *choice,
                   const char *glob);

/* Symbolises all of the dump at once, with progress on a terminal: for what looks at every site. */
void request_symbolise(const struct out_request *request);

const struct out_format *request_format(const struct request_options *options);

void request_close(struct out_request *request);

#endif
