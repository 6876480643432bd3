/* SPDX-License-Identifier: MIT */
/*
 * window.h: one window that a poll has ended, in plain values: what polls.c hands to those who keep
 * something of it.
 */
#ifndef AR_WINDOW_H
#define AR_WINDOW_H

#include "preload/dump_format.h"

struct ar_window {
    uint64_t number;
    uint32_t loop;        /* dump_loop.id; 0: none had room */
    uint64_t begin_ns;    /* of the poll */
    uint64_t end_ns;      /* of the poll */
    uint64_t interval_ns; /* from the begin of the poll before; 0: there was none */
    struct dump_amount in_poll;
    struct dump_amount between;
};

#endif
