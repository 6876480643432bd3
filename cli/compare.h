/* SPDX-License-Identifier: MIT */
/*
 * compare.h: two sides, each of one or several runs, and what became worse, better, new or gone.
 * Prints nothing but what compare_update says; outputs show what is found. Called by cmd_compare
 * and cmd_check.
 *
 * Exact counts are compared as they are: no p-value. Of a phase that lasted longer in one run they
 * are compared for each frame (drain, poll), and a run may end anywhere, so one occurrence more or
 * less is no difference: a figure is worse if, without its largest poll, it is still more than that
 * of the other side with its largest poll once more, by more than the threshold. Sites that do
 * not allocate in every poll must be worse in the whole run too, since the steady phase begins at
 * another poll in each run. With several runs on a side, the median after must lie beyond all runs
 * before.
 *
 * Times are compared between runs, never between polls of one run: median, an order-statistic
 * interval, and from four runs a side the exact Mann-Whitney test.
 */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "cli/baseline.h"
#include "cli/ratio.h"
#include "cli/stats.h"
#include "cli/term.h"

enum compare_change {
    COMPARE_SAME = 0,
    COMPARE_BETTER = 1,
    COMPARE_WORSE = 2,
    COMPARE_NEW = 3,
    COMPARE_GONE = 4,
    COMPARE_UNTOLD = 5, /* cannot be told apart, or is not to be compared */
    COMPARE_CHANGES = 6
};

enum compare_times { COMPARE_TIMES_WARN = 0, COMPARE_TIMES_FAIL = 1, COMPARE_TIMES_OFF = 2 };

struct compare_options {
    struct ratio percent;      /* counts that rise by no more are the same; shares: of the whole */
    uint64_t bytes;            /* the same for bytes, and bytes per frame */
    struct ratio time_percent; /* the same for times */
    enum compare_times times;  /* whether worse times count in the status */
    enum model_phase phase;    /* of the sites: MODEL_STEADY or MODEL_STARTUP */
};
/* 1 %, no bytes, 5 %, warn, steady. */
struct compare_options compare_defaults(void);

/* A count of all runs of a side, least first. */
struct compare_counts {
    struct ratio *runs;
    size_t count;        /* 0: not known */
    struct ratio median; /* of an even number of runs the lower one of the two in the middle */
};

/* How a count is shown. */
enum compare_kind {
    COMPARE_COUNT = 0,
    COMPARE_BYTES = 1,
    COMPARE_SHARE = 2,            /* of one: times 100 it is per cent */
    COMPARE_BYTES_PER_SECOND = 3, /* bytes for each nanosecond: times 10^9 */
};

/* One line of the summary. */
struct compare_metric {
    const char *key; /* "bytes_per_unit", for JSON */
    char *name;      /* "bytes per frame" */
    enum compare_kind kind;
    bool counts; /* in the status */
    enum compare_change change;
    struct compare_counts before, after;
};

/* One site, or several that differ in their callers only, after those that match as a whole. */
struct compare_site {
    enum compare_change change;
    bool counts; /* in the status: one that is new but allocated in one poll only does not */
    enum model_place place;
    const struct baseline_site *shown;  /* of a run after, or of one before if it is gone */
    const struct baseline_line *name;   /* the line that names it; NULL: its stack is not known */
    size_t stacks_before, stacks_after; /* that were added up, of the run with most */
    size_t runs_before, runs_after;     /* that have it */
    /* In the phase that was asked for: of the steady one for each unit, of other threads for each
     * nanosecond; of the startup in all. */
    struct compare_counts bytes_before, bytes_after;
    struct compare_counts allocations_before, allocations_after;
};

/* A time of all runs of a side. */
struct compare_times_side {
    double *values;
    size_t count;
    double median, low, high; /* the interval of the median */
    double coverage;          /* of the interval: 0.95 and more, or what so few runs give */
};
struct compare_time {
    const char *key;  /* "polls_per_second" */
    const char *name; /* "polls per second", "poll time p50" */
    bool more_is_better;
    bool is_ns;
    struct compare_times_side before, after;
    double change; /* of the medians, in per cent */
    bool counts;   /* in the status */
    bool tested;   /* four runs a side */
    double p;      /* two-sided, exact; if tested */
    enum compare_change verdict;
};

struct compare {
    char *unknown;    /* why nothing can be compared; NULL: it can. Then the rest is empty */
    const char *unit; /* of the steady phase: "frame", "drain", "poll" */
    bool as_long;     /* no run's number of units is 10 % more than another's */
    size_t runs_before, runs_after;
    struct compare_metric *metrics;
    size_t metric_count;
    enum model_phase phase;
    bool sampled;               /* sites are not compared, since not all of a run are known */
    struct compare_site *sites; /* new, worse, better, gone, same; in each most bytes first */
    size_t site_count;
    size_t changes[COMPARE_CHANGES]; /* sites by enum compare_change */
    struct compare_time *times;
    size_t time_count;
    char **notes; /* lines: environments that differ, losses */
    size_t note_count;
    bool worse, better; /* any figure or site that counts */
};

#define COMPARE_RUNS_MOST STATS_RANK_MOST /* on a side */

/* The baselines must live as long as what is returned; the caller gives that to compare_free. At
 * least one run on each side. Never NULL. */
struct compare *compare_runs(struct baseline *const *before, size_t before_count,
                             struct baseline *const *after, size_t after_count,
                             const struct compare_options *options);
void compare_free(struct compare *compare);

/* EXIT_FINE, EXIT_EXCEEDED (worse) or EXIT_INCONCLUSIVE. */
int compare_status(const struct compare *compare);

/* "same", "better", "worse", "new", "gone", "untold". */
const char *compare_change_name(enum compare_change change);

/* --- keeping a baseline up to date ---------------------------------------------------------- */

enum compare_mode {
    COMPARE_UPDATE, /* the baseline becomes `now` */
    COMPARE_TIGHTEN /* baseline_tighten: it is only ever lowered */
};

/*
 * Rewrites the baseline's file with `now` (which holds its values already), and prints on term->out
 * what changed; COMPARE_UPDATE makes a file that is not there. Refuses, with one line, where the
 * environment variable CI is set and not "false", unless `told` (--ci). Returns an exit code:
 * EXIT_FINE, EXIT_USAGE (refused), EXIT_UNREADABLE (the old one, or it cannot be written),
 * EXIT_INCONCLUSIVE (`now` has no steady phase).
 */
int compare_update(const char *path, const struct baseline *now, enum compare_mode mode, bool told,
                   const struct term *term);

#endif
