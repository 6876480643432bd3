/* SPDX-License-Identifier: MIT */
/* marks_loop.h: what marks.c and marks_cxx.cpp share: two translation units, each with the header.
 */
#ifndef TESTS_MARKS_LOOP_H
#define TESTS_MARKS_LOOP_H

#include "preload/allocreport.h"
#include "tests/progs/target.h"

/* One operation: 3 blocks of 10 bytes, freed again. */
TARGET __attribute__((unused)) static void operation(void)
{
    for (int i = 0; i < 3; i++)
        free(target_keep(malloc(10)));
}

/* `count` operations, each a poll by the program's word. */
TARGET __attribute__((unused)) static void marked_operations(int count)
{
    for (int i = 0; i < count; i++) {
        allocreport_poll_begin();
        operation();
        allocreport_poll_end(1);
    }
}

#endif
