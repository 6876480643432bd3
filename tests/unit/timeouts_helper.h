/* SPDX-License-Identifier: MIT */
/*
 * timeouts_helper.h: what the tests of examples/timeouts share: a start and a stop around each way,
 * and what of a process is counted before and after.
 */
#ifndef TESTS_UNIT_TIMEOUTS_HELPER_H
#define TESTS_UNIT_TIMEOUTS_HELPER_H

#include "examples/timeouts/clock.h"
#include "examples/timeouts/way.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
/* after what it needs */
#include <cmocka.h>

/* Runs test(way) with each way that is built, started. */
static inline void for_each_way(void (*test)(const struct way *way))
{
    for (const struct way *const *way = way_all(); *way != NULL; way++) {
        print_message("# %s\n", (*way)->name);
        assert_int_equal((*way)->start(), 0);
        test(*way);
        assert_int_equal((*way)->pending(), 0);
        (*way)->stop();
    }
}

/* How many entries a directory of /proc/self has, without . and .. and the look itself. */
static inline int entries(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count - 2;
}

static inline int threads(void)
{
    return entries("/proc/self/task");
}

static inline int descriptors(void)
{
    return entries("/proc/self/fd") - 1;
}

#endif
