/* SPDX-License-Identifier: MIT */
/*
 * sweep: what polling costs. Runs poll_each, poll_once and poll_check for N = 10 .. 100000, one
 * process each, and prints two tables: what they allocated, counted by the recorder, and how long a
 * poll took, timed without it.
 *
 * usage: sweep [--runs R] liballocreport.so allocreport directory-of-the-programs
 *
 * It fails when poll_each does not allocate exactly N events more than poll_once, or poll_check
 * anything more at all.
 */
#include "cli/errors.h"
#include "cli/stats.h"

#include <SDL.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAMS 3
#define SIZES    5
#define MOST     (SIZES - 1) /* the largest N, at which times are told */
#define OUTPUT   65536

extern char **environ;

static const char *const programs[PROGRAMS] = {"poll_each", "poll_once", "poll_check"};
static const unsigned sizes[SIZES] = {10, 100, 1000, 10000, 100000};

struct count {
    uint64_t bytes;
    uint64_t allocations;
    double bytes_per_poll;
    double polls_per_second;
    double bytes_per_second;
};

struct sweep {
    const char *library;
    const char *reporter;
    const char *directory;
    unsigned runs;
    char scratch[PATH_MAX];
    struct count counts[PROGRAMS][SIZES];
    double *nanoseconds[PROGRAMS]; /* of a loop: for each run, for each N */
};

/* Runs a program to its end. What it prints, up to OUTPUT - 1 bytes, goes to `output`, with a NUL.
 * Returns -1 if it could not be started or failed. */
static int run(const char *const *arguments, char **environment, char *output)
{
    posix_spawn_file_actions_t actions;
    size_t length = 0;
    ssize_t got = 0;
    pid_t pid = -1;
    int ends[2], status = -1, failure;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return error("cannot make a pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    failure =
        posix_spawn(&pid, arguments[0], &actions, NULL, (char **)(uintptr_t)arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (failure == 0 && length < OUTPUT - 1 &&
           (got = read(ends[0], output + length, OUTPUT - 1 - length)) > 0)
        length += (size_t)got;
    output[length] = '\0';
    close(ends[0]);
    if (failure != 0)
        return error("cannot start '%s': %s", arguments[0], strerror(failure));
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error("'%s' failed", arguments[0]);
    return 0;
}

/* The environment and `extra`, which ends with NULL, before it. The caller frees the array. */
static char **environment_with(char **extra)
{
    size_t count = 0, more = 0;
    char **all;

    while (environ[count] != NULL)
        count++;
    while (extra[more] != NULL)
        more++;
    all = xcalloc(count + more + 1, sizeof *all);
    memcpy(all, extra, more * sizeof *all);
    memcpy(all + more, environ, count * sizeof *all);
    return all;
}

static int read_report(const char *text, struct count *count)
{
    json_error_t problem;
    json_int_t bytes = -1, allocations = -1;
    json_t *report = json_loads(text, 0, &problem);

    if (report == NULL)
        return error("the report is no JSON: %s", problem.text);
    int wrong = json_unpack_ex(report, &problem, 0, "{s:{s:I,s:I},s:{s:F},s:F,s:F}", "total",
                               "bytes", &bytes, "allocations", &allocations, "per_poll", "bytes",
                               &count->bytes_per_poll, "polls_per_second", &count->polls_per_second,
                               "bytes_per_second", &count->bytes_per_second);
    json_decref(report);
    count->bytes = (uint64_t)bytes;
    count->allocations = (uint64_t)allocations;
    return wrong != 0 ? error("the report lacks a number: %s", problem.text) : 0;
}

/* One run under the recorder, and its report. */
static int count_one(struct sweep *sweep, const char *program, unsigned polls, struct count *count)
{
    static char output[OUTPUT];
    char *path = xasprintf("%s/%s", sweep->directory, program);
    char *dump = xasprintf("%s/dump.alloc", sweep->scratch);
    char *number = xasprintf("%u", polls);
    char *preload = xasprintf("LD_PRELOAD=%s", sweep->library);
    char *out = xasprintf("ALLOCREPORT_OUT=%s", dump);
    char quiet[] = "ALLOCREPORT_QUIET=1";
    char **environment = environment_with((char *[]){preload, out, quiet, NULL});
    int result = run((const char *[]){path, number, NULL}, environment, output);

    if (result == 0)
        result =
            run((const char *[]){sweep->reporter, "report", "--json", dump, NULL}, environ, output);
    if (result == 0)
        result = read_report(output, count);
    unlink(dump);
    free(environment);
    free(out);
    free(preload);
    free(number);
    free(dump);
    free(path);
    return result;
}

/* One run without the recorder: how long the loop took. */
static int time_one(struct sweep *sweep, const char *program, unsigned polls, double *nanoseconds)
{
    static char output[OUTPUT];
    char *path = xasprintf("%s/%s", sweep->directory, program);
    char *number = xasprintf("%u", polls);
    int result = run((const char *[]){path, number, NULL}, environ, output);

    if (result == 0 && sscanf(output, "%*u polls in %lf ns", nanoseconds) != 1)
        result = error("'%s' does not say how long it took", path);
    free(number);
    free(path);
    return result;
}

static int measure(struct sweep *sweep)
{
    for (unsigned p = 0; p < PROGRAMS; p++) {
        sweep->nanoseconds[p] = xcalloc(sweep->runs * SIZES, sizeof(double));
        for (unsigned n = 0; n < SIZES; n++)
            if (count_one(sweep, programs[p], sizes[n], &sweep->counts[p][n]) != 0)
                return -1;
    }
    /* The programs take turns, so that whatever slows the machine slows all three. */
    for (unsigned r = 0; r < sweep->runs; r++)
        for (unsigned n = 0; n < SIZES; n++)
            for (unsigned p = 0; p < PROGRAMS; p++)
                if (time_one(sweep, programs[p], sizes[n], &sweep->nanoseconds[p][r * SIZES + n]) !=
                    0)
                    return -1;
    return 0;
}

static void print_counts(const struct sweep *sweep, unsigned p)
{
    double polls[SIZES], bytes[SIZES];
    const struct count *most = &sweep->counts[p][MOST];

    printf("%-10s %9s %16s %12s %15s\n", programs[p], "polls", "allocated bytes", "allocations",
           "bytes per poll");
    for (unsigned n = 0; n < SIZES; n++) {
        const struct count *count = &sweep->counts[p][n];

        polls[n] = sizes[n];
        bytes[n] = (double)count->bytes;
        printf("%-10s %9u %16" PRIu64 " %12" PRIu64 " %15.3f\n", "", sizes[n], count->bytes,
               count->allocations, count->bytes_per_poll);
    }
    struct stats_fit fit = stats_fit(polls, bytes, SIZES);
    printf("  fit: slope %.3f bytes a poll, intercept %.0f bytes, R2 ", fit.slope, fit.intercept);
    if (fit.r2_valid)
        printf("%.9f\n", fit.r2);
    else
        printf("n/a (a constant)\n");
    printf("  %.3f polls/s x %.6f bytes/poll = %.0f bytes/s\n\n", most->polls_per_second,
           most->bytes_per_poll, most->bytes_per_second);
}

/* Whether the counts are what the programs' text says; prints one line for each claim. */
static int check_counts(const struct sweep *sweep)
{
    int result = 0;

    for (unsigned n = 0; n < SIZES; n++) {
        const struct count *each = &sweep->counts[0][n], *once = &sweep->counts[1][n],
                           *check = &sweep->counts[2][n];
        uint64_t events = (uint64_t)sizes[n] * sizeof(SDL_Event);

        if (each->bytes - once->bytes != events ||
            each->allocations - once->allocations != sizes[n])
            result = error("N = %u: poll_each allocates %" PRIu64 " bytes in %" PRIu64
                           " blocks, poll_once %" PRIu64 " in %" PRIu64 ": not %u events more",
                           sizes[n], each->bytes, each->allocations, once->bytes, once->allocations,
                           sizes[n]);
        if (check->bytes != once->bytes || check->allocations != once->allocations)
            result =
                error("N = %u: poll_check allocates %" PRIu64 " bytes in %" PRIu64
                      " blocks, poll_once %" PRIu64 " in %" PRIu64 ": not the same",
                      sizes[n], check->bytes, check->allocations, once->bytes, once->allocations);
    }
    if (result == 0)
        printf("poll_each allocates exactly N x %zu bytes in N blocks more than poll_once,\n"
               "and poll_check exactly what poll_once does.\n\n",
               sizeof(SDL_Event));
    return result;
}

static void print_times(const struct sweep *sweep, unsigned p)
{
    size_t points = (size_t)sweep->runs * SIZES;
    double *polls = xcalloc(points, sizeof *polls);
    double *each = xcalloc(sweep->runs, sizeof *each);

    for (size_t i = 0; i < points; i++)
        polls[i] = sizes[i % SIZES];
    for (unsigned r = 0; r < sweep->runs; r++)
        each[r] = sweep->nanoseconds[p][r * SIZES + MOST] / sizes[MOST];
    struct stats_fit fit = stats_fit(polls, sweep->nanoseconds[p], points);
    struct stats_summary summary = stats_summarise(each, sweep->runs);

    printf("%-10s %8.1f ns  [%6.1f, %6.1f] %8.1f ns %9.6f %8.1f ns %6.1f ns\n", programs[p],
           summary.median, summary.median_low, summary.median_high, fit.slope, fit.r2, summary.mean,
           summary.deviation);
    for (unsigned r = 0; r < sweep->runs; r++) {
        double time = sweep->nanoseconds[p][r * SIZES + MOST] / sizes[MOST];

        if (time < summary.fence_low || time > summary.fence_high)
            printf("  outlier: run %u of %u, %.1f ns, outside [%.1f, %.1f]\n", r + 1, sweep->runs,
                   time, summary.fence_low, summary.fence_high);
    }
    free(each);
    free(polls);
}

static int print_tables(const struct sweep *sweep)
{
    printf("Allocated, start-up included, counted by the recorder (one process for each line)\n\n");
    for (unsigned p = 0; p < PROGRAMS; p++)
        print_counts(sweep, p);
    int result = check_counts(sweep);

    printf("Time of a poll, without the recorder: %u runs of %u polls; the fit of time on N is\n"
           "over all N; outliers are beyond 1.5 interquartile ranges outside the quartiles\n\n",
           sweep->runs, sizes[MOST]);
    printf("%-10s %11s %17s %11s %9s %11s %9s\n", "", "median", "95 % interval", "fit", "R2",
           "mean", "deviation");
    for (unsigned p = 0; p < PROGRAMS; p++)
        print_times(sweep, p);
    return result;
}

int main(int argc, char **argv)
{
    struct sweep sweep = {.runs = 20};
    const char *temporary = getenv("TMPDIR");
    int first = 1, result = -1;

    if (argc > 2 && strcmp(argv[1], "--runs") == 0) {
        sweep.runs = (unsigned)strtoul(argv[2], NULL, 10);
        first = 3;
    }
    if (argc != first + 3 || sweep.runs < 1 || sweep.runs > 10000) {
        fprintf(stderr, "usage: %s [--runs R] liballocreport.so allocreport directory\n", argv[0]);
        return EXIT_USAGE;
    }
    char *library = realpath(argv[first], NULL);
    if (library == NULL)
        return error("cannot find '%s': %s", argv[first], strerror(errno)), 1;
    sweep.library = library;
    sweep.reporter = argv[first + 1];
    sweep.directory = argv[first + 2];
    snprintf(sweep.scratch, sizeof sweep.scratch, "%s/sweep.XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(sweep.scratch) == NULL) {
        error("cannot make '%s': %s", sweep.scratch, strerror(errno));
    } else {
        result = measure(&sweep);
        if (result == 0)
            result = print_tables(&sweep);
        rmdir(sweep.scratch);
    }
    for (unsigned p = 0; p < PROGRAMS; p++)
        free(sweep.nanoseconds[p]);
    free(library);
    return result == 0 && fflush(stdout) == 0 ? 0 : 1;
}
