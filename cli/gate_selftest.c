/* SPDX-License-Identifier: MIT */
/* Whether the gate sees anything on this machine: an instrument that is dead passes everything. */
#include "cli/errors.h"
#include "cli/gate.h"
#include "cli/launch.h"
#include "cli/out_text.h"
#include "cli/recorder.h"
#include "cli/rundumps.h"
#include "cli/settle.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define POLLS 2000u

/* --- the child ------------------------------------------------------------------------------- */

static void *volatile sink;

static __attribute__((noinline)) void allocate_one_byte(void)
{
    sink = malloc(1);
    free(sink);
}

int gate_self_test_child(void)
{
    /* The recorder's own: it counts a poll also where there is no SDL to ask. */
    int (*poll)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, "SDL_PollEvent");

    if (poll == NULL) {
        error("self-test: the recorder is not loaded");
        return EXIT_UNREADABLE;
    }
    for (unsigned i = 0; i < POLLS; i++) {
        poll(NULL);
        allocate_one_byte();
    }
    poll(NULL);
    return EXIT_FINE;
}

/* --- judging it ------------------------------------------------------------------------------ */

/* The directory of the dump; the caller frees. NULL: said why. */
static char *make_directory(void)
{
    const char *parent = getenv("TMPDIR");
    char *path = xasprintf("%s/allocreport-self-test-XXXXXX",
                           parent != NULL && *parent != '\0' ? parent : "/tmp");

    if (mkdtemp(path) == NULL) {
        error("cannot make a directory like '%s': %s", path, strerror(errno));
        free(path);
        return NULL;
    }
    return path;
}

/* Runs the child. -1: it did not run as it should, said why. */
static int run_child(const char *template, pid_t *pid)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *recorder = recorder_find(NULL, NULL);
    char *preload = recorder != NULL ? recorder_preload(recorder, getenv("LD_PRELOAD")) : NULL;
    int status = -1;

    if (length <= 0) {
        error("cannot read '/proc/self/exe': %s", strerror(errno));
    } else if (preload != NULL) {
        self[length] = '\0';
        char *arguments[] = {self, (char *)"self-test-child", NULL};
        const struct launch_variable variables[] = {
            {"LD_PRELOAD", preload}, {"ALLOCREPORT_OUT", template}, {"ALLOCREPORT_QUIET", "1"}};
        struct launch launch = {
            .arguments = arguments, .variables = variables, .variable_count = 3};
        status = launch_run(&launch, pid);
        if (*pid > 0 && status != 0)
            error("self-test: the child ended with %d", status);
    }
    free(preload);
    free(recorder);
    return status == 0 ? 0 : -1;
}

/* What the default budget says must be: one site, of one byte in each poll. */
static bool is_caught(struct model *model)
{
    struct budget_file *file = budget_default();
    struct verdict_options options = {.now = time(NULL)};
    struct verdict *verdict = verdict_of(model, file, &options);
    bool caught = verdict->code == EXIT_EXCEEDED && verdict->count[VERDICT_FAIL] == 1;

    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];

        if (item->status == VERDICT_FAIL)
            caught =
                caught && item->part_count == 1 && ratio_compare(item->most, ratio_of(1, 1)) == 0;
        else if (item->status != VERDICT_PASS)
            error("self-test: %s: %s", item->name, item->text);
    }
    verdict_free(verdict);
    budget_free(file);
    return caught;
}

static int judge(const struct term *term, const char *path)
{
    struct model *model;

    settle(path);
    model = model_open(path);
    if (model == NULL)
        return -1;
    const struct model_rate *steady = &model->steady;
    struct ratio polls = ratio_of(1, steady->polls > 0 ? steady->polls : 1);
    struct ratio allocations = {steady->allocations, polls.whole, false};
    struct ratio bytes = {steady->bytes, polls.whole, false};
    bool right = model->polls.count == POLLS + 1 && steady->polls > 0 &&
                 steady->allocations == steady->polls && steady->bytes == steady->polls;
    bool caught = is_caught(model);

    if (right && caught)
        out_text_say(term, TERM_GOOD,
                     "the instrument works: 1.00 allocations and 1.00 bytes in each of %" PRIu64
                     " steady polls, and the default budget fails for them",
                     steady->polls);
    else
        error("the instrument is dead: it must see 1 allocation and 1 byte in each of %u polls, "
              "and saw %s and %s in each of %" PRIu64 "%s",
              POLLS, ratio_text(allocations, 2).text, ratio_text(bytes, 2).text, model->polls.count,
              caught ? "" : "; the default budget did not fail for them");
    model_close(model);
    return right && caught ? 0 : -1;
}

int gate_self_test(const struct term *term)
{
    char *directory = make_directory();
    int result = -1;

    if (directory == NULL)
        return EXIT_UNREADABLE;
    char *template = xasprintf("%s/self-test.alloc", directory);
    struct rundumps dumps = rundumps_start(template);
    pid_t pid = 0;

    if (run_child(template, &pid) == 0) {
        size_t count;
        struct rundump *list = rundumps_find(&dumps, pid, &count);

        if (count == 0)
            error("the instrument is dead: the recorder made no dump");
        else
            result = judge(term, list[0].path);
        for (size_t i = 0; i < count; i++)
            unlink(list[i].path);
        rundumps_free(list, count);
    }
    rundumps_end(&dumps);
    unlink(template);
    rmdir(directory);
    free(template);
    free(directory);
    return result == 0 ? EXIT_FINE : EXIT_UNREADABLE;
}
