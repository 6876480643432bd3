/* SPDX-License-Identifier: MIT */
/*
 * phases.h: sets the boundaries of phases in a polling thread's clock while it runs, without
 * knowing how long it will. FORMAT.md, "Phases", says which and why. At most half of a run is
 * warm-up, and one of the later cuts leaves at least a quarter of the steady polls on either side.
 */
#ifndef AR_PHASES_H
#define AR_PHASES_H

#include "preload/dump_format.h"

#include <stdbool.h>

/* The warm-up is over after so many polls and so much time of the loop, whichever is later. */
#define AR_WARMUP_POLLS 60u
#define AR_WARMUP_NS    ((uint64_t)1000000000)

/* What is to be done with what was kept of the steady phase. */
enum ar_phases_move {
    AR_PHASES_STAY,
    AR_PHASES_ROTATE, /* its earlier part is warm-up now, its later part the earlier */
    AR_PHASES_JOIN    /* its later part belongs to the earlier one */
};

struct ar_phases {
    uint64_t warm_window;  /* the window that the warm-up's end opened; 0: it goes on */
    uint64_t later_window; /* with which the later part began; 0: the first one */
};

/*
 * The poll that ends the open window has returned; `since_ns` is the loop's time so far. Opens the
 * next window, and sets boundaries where they are due.
 */
enum ar_phases_move ar_phases_window_ended(struct ar_phases *phases, struct dump_clock *clock,
                                           uint64_t since_ns);

#endif
