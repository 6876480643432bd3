/* SPDX-License-Identifier: MIT */
/* The values of a baseline, and its file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/baseline_helper.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_value(const struct baseline *baseline, const struct budget *budget,
                        enum budget_metric metric, uint64_t part, uint64_t whole)
{
    struct ratio value;

    assert_true(baseline_value(baseline, budget, metric, &value));
    assert_int_equal(ratio_compare(value, ratio_of(part, whole)), 0);
}

static void test_values(void **state)
{
    struct budget budget = {
        .name = "loop", .scope = BUDGET_STEADY, .thread = "loop", .per = BUDGET_PER_FRAME};
    struct budget other = budget;
    struct baseline *run = helper_small();
    struct ratio value;

    (void)state;
    assert_false(baseline_value(run, &budget, BUDGET_BYTES, &value));
    baseline_set_value(run, &budget, BUDGET_BYTES, ratio_of(7, 3));
    baseline_set_value(run, &budget, BUDGET_ALLOCATIONS, ratio_of(1, 3));
    baseline_set_value(run, &budget, BUDGET_LIVE_GROWTH, ratio_signed(-5, 3));
    baseline_set_value(run, &budget, BUDGET_BYTES, ratio_of(8, 3));
    struct baseline *again = helper_through_text(run);
    check_value(again, &budget, BUDGET_BYTES, 8, 3);
    check_value(again, &budget, BUDGET_ALLOCATIONS, 1, 3);
    assert_true(baseline_value(again, &budget, BUDGET_LIVE_GROWTH, &value));
    assert_int_equal(ratio_compare(value, ratio_signed(-5, 3)), 0);

    /* A budget that counts something else has no value yet. */
    const struct budget changes[] = {
        {.name = "loop", .scope = BUDGET_PROCESS, .thread = "loop", .per = BUDGET_PER_FRAME},
        {.name = "loop", .scope = BUDGET_STEADY, .thread = "all", .per = BUDGET_PER_FRAME},
        {.name = "loop", .scope = BUDGET_STEADY, .thread = "loop", .per = BUDGET_PER_POLL},
        {.name = "pool", .scope = BUDGET_STEADY, .thread = "loop", .per = BUDGET_PER_FRAME}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        assert_false(baseline_value(again, &changes[i], BUDGET_BYTES, &value));
    other.places = BUDGET_IN_POLL;
    assert_false(baseline_value(again, &other, BUDGET_BYTES, &value));
    other.places = 0;
    other.site_text = "game!*";
    assert_false(baseline_value(again, &other, BUDGET_BYTES, &value));
    other.site_text = NULL;
    other.cadences = 1u << CADENCE_GROWTH;
    assert_false(baseline_value(again, &other, BUDGET_BYTES, &value));
    other.cadences = 0;
    other.sustained = true;
    assert_false(baseline_value(again, &other, BUDGET_BYTES, &value));
    baseline_free(again);
    baseline_free(run);
}

static void test_tighten(void **state)
{
    struct budget budget = {.name = "loop", .scope = BUDGET_STEADY, .thread = "loop"};
    const enum budget_metric lower = BUDGET_BYTES, higher = BUDGET_ALLOCATIONS,
                             only_new = BUDGET_SITES, only_old = BUDGET_LARGEST,
                             rate = BUDGET_POLLS_PER_SECOND;

    (void)state;
    for (unsigned better = 0; better < 2; better++) {
        struct baseline *old = helper_small(), *now = helper_run(2000);
        baseline_set_value(old, &budget, lower, ratio_of(10, 1));
        baseline_set_value(now, &budget, lower, ratio_of(19, 2));
        baseline_set_value(old, &budget, higher, ratio_of(10, 1));
        baseline_set_value(now, &budget, higher, ratio_of(21, 2));
        baseline_set_value(now, &budget, only_new, ratio_of(3, 1));
        baseline_set_value(old, &budget, only_old, ratio_of(4, 1));
        baseline_set_value(old, &budget, rate, ratio_of(60, 1));
        baseline_set_value(now, &budget, rate, ratio_of(61, 1));
        baseline_tighten(old, now, better);
        baseline_free(now);
        struct baseline *again = helper_through_text(old);
        check_value(again, &budget, lower, 19, 2);
        check_value(again, &budget, higher, 10, 1);
        check_value(again, &budget, only_new, 3, 1);
        check_value(again, &budget, only_old, 4, 1);
        check_value(again, &budget, rate, 61, 1);
        assert_int_equal(again->site_count, better ? 0 : 2);
        assert_int_equal(again->scope[BUDGET_STEADY].polls, better ? 2000 : 1000);
        baseline_free(again);
        baseline_free(old);
    }
}

/* --- files ---------------------------------------------------------------------------------- */

struct folder {
    char path[64];
    char file[96];
};

static void make_folder(struct folder *folder)
{
    snprintf(folder->path, sizeof folder->path, "/tmp/test_baseline.XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    snprintf(folder->file, sizeof folder->file, "%s/base.json", folder->path);
}

static size_t count_files(const char *path)
{
    DIR *directory = opendir(path);
    size_t count = 0;

    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void test_file(void **state)
{
    struct folder folder;
    char link[96], target[128];
    struct stat status;
    struct baseline *run = helper_small();
    mode_t mask = umask(027);

    (void)state;
    make_folder(&folder);
    assert_int_equal(baseline_write(run, folder.file), 0);
    umask(mask);
    assert_int_equal(stat(folder.file, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    struct baseline *again = baseline_read(folder.file);
    assert_non_null(again);
    assert_string_equal(again->path, folder.file);
    baseline_free(again);

    /* Its mode stays, and a link to it a link. */
    snprintf(link, sizeof link, "%s/link.json", folder.path);
    assert_int_equal(chmod(folder.file, 0604), 0);
    assert_int_equal(symlink("base.json", link), 0);
    run->leaked = 77;
    assert_int_equal(baseline_write(run, link), 0);
    assert_true(readlink(link, target, sizeof target) > 0);
    assert_int_equal(stat(folder.file, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0604);
    again = baseline_open(folder.file);
    assert_int_equal(again->leaked, 77);
    baseline_free(again);
    assert_int_equal(count_files(folder.path), 2);

    assert_int_equal(unlink(link) | unlink(folder.file) | rmdir(folder.path), 0);
    assert_int_equal(baseline_write(run, folder.file), -1);
    assert_null(baseline_read(folder.file));
    assert_null(baseline_open(folder.file));
    assert_null(baseline_read("/"));
    assert_null(baseline_open("/"));
    baseline_free(run);
}

static void test_dump(void **state)
{
    struct helper_game game;
    struct folder folder;
    struct model *model = helper_game_model(&game);

    (void)state;
    make_folder(&folder);
    assert_true(builder_save(&game.builder, folder.file));
    assert_null(baseline_read(folder.file));
    struct baseline *read = baseline_open(folder.file), *made = baseline_of(model);
    assert_non_null(read);
    char *read_text = baseline_text(read), *made_text = baseline_text(made);
    assert_string_equal(read_text, made_text);
    free(read_text);
    free(made_text);
    baseline_free(read);
    baseline_free(made);
    model_close(model);
    builder_end(&game.builder);
    assert_int_equal(unlink(folder.file) | rmdir(folder.path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_tighten),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_dump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
