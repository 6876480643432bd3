/* SPDX-License-Identifier: MIT */
/*
 * rules.h: how frames are left, kept for each code address: libunwind (unwind.h) is asked once for
 * each. Read without a lock.
 */
#ifndef AR_RULES_H
#define AR_RULES_H

#include "preload/unwind.h"

/* At start. False: no memory. */
bool ar_rules_start(void);

/* The rule for a frame that executes at `ip` in the modules' present generation. */
struct ar_rule ar_rules_for(uintptr_t ip, bool exact);

#endif
