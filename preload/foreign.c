/* SPDX-License-Identifier: MIT */
#include "preload/foreign.h"

#include "preload/thread.h"

#include <signal.h>

#define BIT(signal) (UINT64_C(1) << ((signal)-1))
#define FROM_FAULTS                                                                                \
    (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGSYS))

struct ar_foreign ar_foreign_begin(void)
{
    struct ar_foreign foreign = {ar_signals_block(~FROM_FAULTS), ar_self.foreign};

    ar_self.foreign = true;
    return foreign;
}

void ar_foreign_end(struct ar_foreign foreign)
{
    ar_self.foreign = foreign.before;
    ar_signals_restore(foreign.held);
}
