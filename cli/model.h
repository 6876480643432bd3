/* SPDX-License-Identifier: MIT */
/*
 * model.h: what a dump says, added up: totals by phase and place, polls, frames, loops, threads and
 * sites with their stacks. The one thing that commands and outputs look at; they never see a dump's
 * records (but for `dump` itself) nor libdw. Reads only; prints nothing but errors of opening.
 *
 * The structs, their units and ownership are in model_data.h; what a function returns belongs to
 * the model too, unless it says that its caller frees.
 *
 * Sums that hold (model_check recomputes them):
 *   totals.all = sum of totals.phase[] = totals.phase[STARTUP] + sum of totals.place[]
 *   totals.all = sum of threads[].all
 *   totals.all = sum of sites[].all, up to loss (COUNTERS, THREADS)
 *   rate.polls = sum of loops[].polls, up to loss (LOOPS)
 *   rate.bytes = sum of loops[].in_poll.bytes + loops[].between.bytes, up to loss (LOOPS)
 *   patch.requests = patch.served + sum of patch.spilled[] = allocations in polls, up to loss
 *       (NESTED)
 *   polls.drains >= drains of "no event" and "several types" + alone_drains of the other events[]
 */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "cli/model_data.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dumpfile;

/* --- making it ------------------------------------------------------------------------------ */

/* Reads the dump at `path`. NULL: cannot be used, one line was printed (exit EXIT_UNREADABLE). A
 * damaged tail is left out with a printed warning. */
struct model *model_open(const char *path);

/* The same from an open dumpfile, which is not needed afterwards. Never NULL, prints nothing. */
struct model *model_build(const struct dumpfile *file);

void model_close(struct model *model); /* NULL is fine */

/* --- symbols -------------------------------------------------------------------------------- */

/* Symbolises every frame. Not needed: what is asked for is symbolised then, once. `progress` (may
 * be NULL) is called now and then with frames done and all. */
void model_symbolise(struct model *model, void (*progress)(size_t done, size_t all, void *data),
                     void *data);

/* The lines of a stack, innermost first; the caller frees the array, the texts stay the model's.
 * NULL with *count 0 if the stack has no frames or is NULL. */
struct model_line *model_lines(struct model *model, const struct model_stack *stack, size_t *count);

/* The line that names a site or a loop: the innermost one that is no well-known allocation wrapper
 * (SDL_malloc, g_malloc, std::allocator ...). False: the stack is empty, *line is all zero. */
bool model_name(struct model *model, const struct model_stack *stack, struct model_line *line);

/* "function" or "module+0xoffset" or "0xaddress"; the caller frees. */
char *model_line_text(const struct model_line *line);

/* What became of a module's symbols, and why they are poor (NULL: they are not, or nobody asked).
 */
enum symbol_source model_symbol_source(const struct model *model, size_t module);
const char *model_symbol_note(const struct model *model, size_t module);

/* A later reading of the same dump takes over the symbols that an earlier one has found, which has
 * none then and is only to be closed. Does nothing where the modules of `from` are not the first
 * ones of `model`. */
void model_take_symbols(struct model *model, struct model *from);

/* --- choosing sites ------------------------------------------------------------------------- */

#define MODEL_ANY (-1)
struct model_filter {
    const char *thread; /* a name (glob), a number of a thread record, or a tid; NULL: all */
    int phase;          /* enum model_phase or MODEL_ANY */
    int in_poll;        /* 1 in poll, 0 outside, MODEL_ANY */
    uint32_t loop;      /* model_loop.id; 0: all. A site belongs to the loop that shares most of
                           its outer frames with it */
    const char *glob;   /* "function" or "module!function", as fnmatch; NULL: all */
    bool innermost;     /* the glob is for the line that names the site, not for any of its lines */
};
#define MODEL_FILTER_ALL ((struct model_filter){.phase = MODEL_ANY, .in_poll = MODEL_ANY})

enum model_order {
    MODEL_BY_BYTES = 0,
    MODEL_BY_ALLOCATIONS = 1,
    MODEL_BY_LIVE = 2,
    MODEL_BY_TEMPORARY = 3,
    MODEL_BY_POLLS = 4,
    MODEL_BY_GROWTH = 5,
    MODEL_BY_FREES = 6,
    MODEL_BY_MOST = 7 /* largest single poll */
};

/* A site as the filter sees it: only the chosen thread's and phase's part. live, temporaries, polls
 * and so on are of the chosen threads but of the whole run: the dump has no phases of them. */
struct model_row {
    const struct model_site *site;
    struct model_amount amount;
    int64_t live_bytes;
    int64_t live_blocks;
    int64_t growth_bytes;
    uint64_t temporary;
    uint64_t temporary_bytes;
    uint64_t temporary_frame;
    uint64_t polls;
    uint64_t polls_steady;
    uint64_t most_bytes;
};

/* The sites that pass and have a non-zero amount, sorted, greatest first, ties by bytes and then by
 * site id; the caller frees. *sum (may be NULL) is the sum of their amounts. NULL with *count 0 if
 * none. */
struct model_row *model_select(struct model *model, const struct model_filter *filter,
                               enum model_order order, size_t *count, struct model_amount *sum);

/* Whether any thread or loop matches: for messages about a filter that can match nothing. */
bool model_has_thread(const struct model *model, const char *thread);
const struct model_loop *model_find_loop(const struct model *model, uint32_t id); /* or NULL */

/* Is it that of all stacks that poll by one call, or by any, and have no loop of their own? */
bool model_loop_is_shared(const struct model_loop *loop);

/* --- small helpers -------------------------------------------------------------------------- */

double model_bytes_per_poll(const struct model_rate *rate); /* 0 without polls */
double model_allocations_per_poll(const struct model_rate *rate);
double model_polls_per_second(const struct model_rate *rate); /* 0 without time */
double model_bytes_per_second(const struct model_rate *rate);

const char *
model_phase_name(enum model_phase phase); /* "startup", "warm-up", "steady", "shutdown" */
const char *model_place_name(enum model_place place);      /* "in poll", "between polls", ... */
const char *model_poll_function(enum dump_poll_kind kind); /* "SDL_PollEvent", ... */
const char *model_present_function(unsigned index);        /* "SDL_RenderPresent", ... */
const char *model_state_name(const struct model *model);   /* "running", "killed", "ended", ... */
const char *model_loss_key(unsigned loss);  /* "stacks", "counters", ...; NULL: not known */
const char *model_loss_text(unsigned loss); /* a line that explains it; NULL: not known */

void model_amount_add(struct model_amount *sum, const struct model_amount *more); /* saturating */

/* --- checking ------------------------------------------------------------------------------- */

/* Recomputes all sums above and of the histograms. Returns how many disagree; *lines (may be NULL)
 * is an array of that many lines, which the caller frees with model_check_free. A running program's
 * dump may disagree by what happened while it was read. */
size_t model_check(const struct model *model, char ***lines);
void model_check_free(char **lines, size_t count);

#endif
