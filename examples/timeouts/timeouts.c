/* SPDX-License-Identifier: MIT */
/*
 * timeouts: the program that the bench runs, times, records and traces.
 *
 * usage: timeouts list                         the cases, and the ways that are built
 *        timeouts time CASE WAY BATCH ...      how long batches of operations take
 *        timeouts count CASE WAY OPERATIONS    each a poll by the marks of allocreport.h
 *        timeouts near WAY MISSES              near misses, see near.h
 *
 * It prints lines of a word and numbers. It fails when an operation came to a wrong result, when a
 * body was told early, or when something is pending at the end.
 */
#include "examples/timeouts/cases.h"
#include "examples/timeouts/clock.h"
#include "examples/timeouts/near.h"
#include "preload/allocreport.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cases_seen seen;

static int fail(const char *what, const char *name, int failure)
{
    fprintf(stderr, "timeouts: %s '%s': %s\n", what, name, strerror(-failure));
    return 1;
}

static int usage(void)
{
    fputs("usage: timeouts list\n"
          "       timeouts time CASE WAY BATCH ...\n"
          "       timeouts count CASE WAY OPERATIONS\n"
          "       timeouts near WAY MISSES\n",
          stderr);
    return 2;
}

/* A positive number of the command line; 0 if it is none. */
static uint64_t number(const char *word)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(word, &end, 10);
    return errno != 0 || *end != '\0' || word[0] < '0' || word[0] > '9' ? 0 : value;
}

static int list(void)
{
    for (const struct cases_case *one = cases_all(); one->name != NULL; one++)
        printf("case %s %s\n", one->name, one->about);
    for (const struct way *const *way = way_all(); *way != NULL; way++)
        printf("way %s %s\n", (*way)->name, (*way)->about);
    return 0;
}

/* One operation between two marks. Not inlined, so that it stands in the stacks. */
static __attribute__((noinline)) void operation(const struct cases_case *one, const struct way *way)
{
    allocreport_poll_begin();
    one->operation(way, &seen);
    allocreport_poll_end(1);
}

static void count_operations(const struct cases_case *one, const struct way *way, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        operation(one, way);
}

/* Of all threads of the process, in nanoseconds. */
static int64_t processor_time(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * CLOCK_SECOND + used.tv_nsec;
}

/* Of each: operations, nanoseconds, and nanoseconds of processor time. */
static void time_batches(const struct cases_case *one, const struct way *way, char **words)
{
    for (; *words != NULL; words++) {
        uint64_t count = number(*words);
        int64_t used = processor_time(), begin = clock_now();

        for (uint64_t i = 0; i < count; i++)
            one->operation(way, &seen);
        int64_t end = clock_now();
        printf("batch %" PRIu64 " %" PRId64 " %" PRId64 "\n", count, end - begin,
               processor_time() - used);
    }
}

static int compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The smallest value that at least `percent` of the sorted samples do not exceed. */
static int64_t percentile(unsigned percent)
{
    uint32_t rank = (uint32_t)(((uint64_t)seen.late_count * percent + 99) / 100);

    return seen.late[rank > 0 ? rank - 1 : 0];
}

/* Returns whether all was right. */
static bool print_seen(const struct way *way)
{
    size_t pending = way->pending();

    printf("operations %" PRIu64 "\nwrong %" PRIu64 "\nearly %" PRIu64 "\n", seen.operations,
           seen.wrong, seen.early);
    if (seen.late_count > 0) {
        qsort(seen.late, seen.late_count, sizeof *seen.late, compare);
        printf("lateness %" PRIu32 " %" PRId64 " %" PRId64 "\n", seen.late_count, percentile(50),
               percentile(99));
    }
    printf("pending %zu\n", pending);
    return seen.wrong == 0 && seen.early == 0 && pending == 0;
}

static void print_faults(const struct way *way)
{
    if (way->faults != NULL)
        printf("faults %llu %llu\n", atomic_load(&way->faults->early),
               atomic_load(&way->faults->late));
}

static int run_case(const char *name, const struct way *way, char **words, bool timed)
{
    const struct cases_case *one = cases_find(name);
    bool right;
    int failure;

    if (one == NULL)
        return fail("no case", name, -ENOENT);
    if (one->pending > way->most) {
        fprintf(stderr, "timeouts: '%s' is not asked for %zu timeouts at once\n", way->name,
                one->pending);
        return 1;
    }
    failure = cases_begin(one, way);
    if (failure != 0)
        return fail("cannot begin", name, failure);
    if (timed)
        time_batches(one, way, words);
    else
        count_operations(one, way, number(words[0]));
    cases_end(one, way);
    right = print_seen(way);
    print_faults(way);
    return right ? 0 : 1;
}

static int run_near(const struct way *way, uint64_t misses)
{
    struct near_counts counts;
    int failure = near_run(way, misses, &counts);

    if (failure != 0)
        return fail("cannot arm with", way->name, failure);
    printf("near %" PRIu64 " %" PRIu64 " %" PRIu64 "\nstale %" PRIu64 "\nearly %" PRIu64 "\n",
           counts.misses, counts.fired, counts.cancelled, counts.stale, counts.early);
    printf("pending %zu\n", way->pending());
    print_faults(way);
    return counts.stale == 0 && counts.early == 0 && way->pending() == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    bool is_near = strcmp(command, "near") == 0, timed = strcmp(command, "time") == 0;
    int name = is_near ? 2 : 3, result;
    const struct way *way;

    if (argc == 2 && strcmp(command, "list") == 0)
        return list();
    if (argc < name + 2 || (!timed && argc > name + 2) ||
        (!is_near && !timed && strcmp(command, "count") != 0))
        return usage();
    for (int i = name + 1; i < argc; i++)
        if (number(argv[i]) == 0)
            return usage();
    way = way_find(argv[name]);
    if (way == NULL)
        return fail("no way", argv[name], -ENOENT);
    result = way->start();
    if (result != 0)
        return fail("cannot start", way->name, result);
    if (is_near)
        result = run_near(way, number(argv[name + 1]));
    else
        result = run_case(argv[2], way, argv + name + 1, timed);
    way->stop();
    return fflush(stdout) == 0 ? result : 1;
}
