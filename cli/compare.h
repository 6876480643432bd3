/* SPDX-License-Identifier: MIT */
/*
 * compare.h: two sides, each of one or several runs, and what became worse, better, new or gone.
 * Prints nothing but what compare_update says; outputs show what is found. Called by cmd_compare
 * and cmd_check.
 *
 * Exact counts are compared as they are: no p-value. Of a phase that lasted longer in one run they
 * are compared for each frame (drain, poll), and a run may end anywhere, so one occurrence more or
 * less is no difference: a figure is worse if, without its largest poll, it is still more than that
 * of the other side with its largest poll once more, by more than the threshold. With several
 * runs on a side, the median after must lie beyond all runs before.
 *
 * Times are compared between runs, never between polls of one run: median, an order-statistic
 * interval, and from four runs a side the exact Mann-Whitney test.
 */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "cli/baseline.h"
#include "cli/ratio.h"
#include "cli/term.h"

enum compare_change {
    COMPARE_SAME = 0,
    COMPARE_BETTER = 1,
    COMPARE_WORSE = 2,
    COMPARE_NEW = 3,
    COMPARE_GONE = 4,
    COMPARE_UNTOLD = 5 /* cannot be told apart, or is not to be compared */
};

enum compare_times { COMPARE_TIMES_WARN = 0, COMPARE_TIMES_FAIL = 1, COMPARE_TIMES_OFF = 2 };

struct compare_options {
    struct ratio percent;      /* counts that rise by no more are the same */
    struct ratio bytes;        /* bytes, and bytes per frame, the same */
    struct ratio time_percent; /* the same for times */
    enum compare_times times;  /* whether worse times count in the status */
};
/* 1 %, no bytes, 5 %, warn. */
struct compare_options compare_defaults(void);

/* A count of all runs of a side, least first. */
struct compare_counts {
    struct ratio *runs;
    size_t count;        /* 0: not known */
    struct ratio median; /* of an even number of runs the lower one of the two in the middle */
};

/* One line of the summary. */
struct compare_metric {
    const char *key;  /* "bytes_per_unit", for JSON */
    const char *name; /* "bytes per frame" */
    bool is_bytes;
    bool of_length; /* grows with a run's length: judged only if the runs are as long */
    enum compare_change change;
    struct compare_counts before, after;
};

/* Of one site, or of several that only differ in their callers, after those that match as a whole.
 */
struct compare_site {
    enum compare_change change;
    bool counts; /* in the status: a site that is new but allocated in one poll only does not */
    enum model_place place;
    const struct baseline_site *shown; /* of a run after, or before if it is gone */
    const char *name;                  /* function that names it, safe for no terminal */
    const char *module;
    size_t stacks_before, stacks_after;              /* most of a run that were added up */
    size_t runs_before, runs_after;                  /* that have it */
    struct compare_counts bytes_before, bytes_after; /* steady, for each unit */
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
    bool tested;   /* four runs a side */
    double p;      /* two-sided, exact; if tested */
    enum compare_change verdict;
};

struct compare {
    const char *unknown; /* why nothing can be compared; NULL: it can. Then the rest is empty */
    const char *unit;    /* "frame", "drain", "poll" */
    bool as_long;        /* no run's number of units is 10 % more than another's */
    size_t runs_before, runs_after;
    struct compare_metric *metrics;
    size_t metric_count;
    struct compare_site *sites; /* new, worse, better, gone, same; in each most bytes first */
    size_t site_count;
    size_t changes[6]; /* sites by enum compare_change */
    struct compare_time *times;
    size_t time_count;
    char **notes; /* lines: environments that differ, losses */
    size_t note_count;
    bool worse, better; /* any figure or site that counts */
    struct compare_private *private;
};

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
