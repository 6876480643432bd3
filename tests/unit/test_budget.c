/* SPDX-License-Identifier: MIT */
/* What budget files say, as values. */
#include "cli/cadence.h"
#include "cli/glob.h"

#include "tests/unit/budget_helper.h"

static void assert_ratio(struct ratio value, int64_t part, uint64_t whole)
{
    struct ratio wanted = ratio_signed(part, whole);

    if (ratio_compare(value, wanted) != 0)
        fail_msg("%s, not %s", ratio_text(value, 9).text, ratio_text(wanted, 9).text);
}

/* The limit of the only budget of the file that has this line in it. */
static struct budget_limit limit_of(const char *line)
{
    char text[256];

    snprintf(text, sizeof text, "budgets:\n  a:\n    %s\n", line);
    struct budget_file *file = helper_parse(text);
    assert_int_equal(file->budgets[0].limit_count, 1);
    struct budget_limit limit = file->budgets[0].limits[0];
    budget_free(file);
    return limit;
}

static void test_three_lines(void **state)
{
    (void)state;
    struct budget_file *file = helper_parse("budgets:\n  loop:\n    bytes: 16 B\n");
    const struct budget *budget = &file->budgets[0];

    assert_string_equal(file->path, "b.yml");
    assert_int_equal(file->budget_count, 1);
    assert_int_equal(file->allowance_count, 0);
    assert_string_equal(budget->name, "loop");
    assert_int_equal(budget->scope, BUDGET_STEADY);
    assert_string_equal(budget->thread, "loop");
    assert_int_equal(budget->places, 0);
    assert_null(budget->site);
    assert_null(budget->site_text);
    assert_int_equal(budget->cadences, 0);
    assert_false(budget->sustained);
    assert_int_equal(budget->per, BUDGET_PER_POLL);
    assert_null(budget->when.sdl);
    assert_null(budget->when.video);
    assert_null(budget->when.arch);
    assert_int_equal(budget->limit_count, 1);
    assert_int_equal(budget->limits[0].metric, BUDGET_BYTES);
    assert_true(budget->limits[0].has_most);
    assert_false(budget->limits[0].has_least || budget->limits[0].has_change);
    assert_false(budget->limits[0].warns);
    assert_ratio(budget->limits[0].most, 16, 1);
    assert_int_equal(budget->mark.line, 2);
    assert_int_equal(budget->mark.column, 3);
    assert_int_equal(budget->limits[0].mark.line, 3);
    assert_int_equal(budget->limits[0].mark.column, 5);
    /* What a file does not say is required all the same. */
    struct budget_file *standard = budget_default();
    assert_true(standard->require.polls > 0 && standard->require.steady);
    assert_int_equal(file->require.polls, standard->require.polls);
    assert_true(file->require.has_dropped);
    assert_int_equal(file->require.dropped, 0);
    assert_true(file->require.steady);
    budget_free(standard);
    budget_free(file);
}

static void test_settings(void **state)
{
    (void)state;
    struct budget_file *file = helper_parse("budgets:\n"
                                            "  \"all: of it\":\n"
                                            "    bytes: 1 B\n" /* limits may stand in front */
                                            "    scope: process\n"
                                            "    thread: audio*\n"
                                            "    where: [between polls, in poll]\n"
                                            "    site: 'game!draw >> libSDL2*!*'\n"
                                            "    cadence: [every poll, periodic]\n"
                                            "    growing: true\n"
                                            "    per: frame\n"
                                            "    when: {sdl: '2.*', video: dummy, arch: x86_64}\n");
    const struct budget *budget = &file->budgets[0];

    assert_string_equal(budget->name, "all: of it");
    assert_int_equal(budget->scope, BUDGET_PROCESS);
    assert_string_equal(budget->thread, "audio*");
    assert_int_equal(budget->thread_mark.line, 5);
    assert_int_equal(budget->thread_mark.column, 13);
    assert_int_equal(budget->places, BUDGET_IN_POLL | BUDGET_BETWEEN);
    assert_string_equal(budget->site_text, "game!draw >> libSDL2*!*");
    assert_string_equal(glob_module(budget->site, 0), "game");
    assert_string_equal(glob_module(budget->site, 1), "libSDL2*");
    assert_int_equal(budget->site_mark.line, 7);
    assert_int_equal(budget->cadences, 1u << CADENCE_EVERY_POLL | 1u << CADENCE_PERIODIC);
    assert_true(budget->sustained);
    assert_int_equal(budget->per, BUDGET_PER_FRAME);
    assert_string_equal(budget->when.sdl, "2.*");
    assert_string_equal(budget->when.video, "dummy");
    assert_string_equal(budget->when.arch, "x86_64");
    budget_free(file);
}

/* The words of the file are those of the answers. */
static void test_words(void **state)
{
    (void)state;
    char text[256];

    for (int scope = 0; scope < BUDGET_SCOPES; scope++) {
        snprintf(text, sizeof text, "budgets: {a: {scope: %s, total bytes: 0 B}}",
                 budget_scope_name((enum budget_scope)scope));
        struct budget_file *file = helper_parse(text);
        assert_int_equal(file->budgets[0].scope, scope);
        budget_free(file);
    }
    for (int per = BUDGET_PER_POLL; per <= BUDGET_PER_SECOND; per++) {
        snprintf(text, sizeof text, "budgets: {a: {per: %s, bytes: 0 B}}",
                 budget_per_name((enum budget_per)per));
        struct budget_file *file = helper_parse(text);
        assert_int_equal(file->budgets[0].per, per);
        budget_free(file);
    }
    for (int kind = CADENCE_STARTUP; kind <= CADENCE_SHUTDOWN; kind++) {
        snprintf(text, sizeof text, "budgets: {a: {scope: process, cadence: %s, bytes: 0 B}}",
                 cadence_name((enum cadence_kind)kind));
        struct budget_file *file = helper_parse(text);
        assert_int_equal(file->budgets[0].cadences, 1u << kind);
        budget_free(file);
    }
}

/* Each metric by its word, with a number of its units; times alone warn by themselves. */
static void test_metrics(void **state)
{
    (void)state;
    for (int metric = 0; metric < BUDGET_METRICS; metric++) {
        static const char *const numbers[] = {"7 B", "7", "7 %", "7 ns"};
        unsigned taken = 0;

        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            char text[128];
            char *why;

            snprintf(text, sizeof text, "budgets: {a: {%s: %s}}",
                     budget_metric_name((enum budget_metric)metric), numbers[i]);
            struct budget_file *file = budget_parse("b.yml", text, strlen(text), &why);
            free(why);
            if (file == NULL)
                continue;
            const struct budget_limit *limit = &file->budgets[0].limits[0];
            bool share = metric == BUDGET_ALLOCATING_POLLS && i == 2;
            bool lower = metric == BUDGET_POLLS_PER_SECOND;
            assert_int_equal(limit->metric, share ? BUDGET_ALLOCATING_SHARE : metric);
            assert_true(lower ? limit->has_least : limit->has_most);
            assert_ratio(lower ? limit->least : limit->most, 7, 1);
            assert_int_equal(limit->warns, metric >= BUDGET_POLLS_PER_SECOND);
            taken++;
            budget_free(file);
        }
        assert_int_equal(taken, metric == BUDGET_ALLOCATING_POLLS ? 2 : 1);
    }
}

static void test_limits(void **state)
{
    (void)state;
    struct budget_limit limit = limit_of("bytes: {max: 4 KiB, min: 1 kB, change: +5 %}");

    assert_true(limit.has_most && limit.has_least && limit.has_change && !limit.warns);
    assert_ratio(limit.most, 4096, 1);
    assert_ratio(limit.least, 1000, 1);
    assert_ratio(limit.change, 5, 1);
    limit = limit_of("allocations: +0 %");
    assert_true(limit.has_change && !limit.has_most && !limit.has_least);
    assert_ratio(limit.change, 0, 1);
    limit = limit_of("bytes: -2.5 %");
    assert_ratio(limit.change, -5, 2);
    limit = limit_of("bytes: -100 %");
    assert_ratio(limit.change, -100, 1);
    limit = limit_of("bytes: {max: 0 B, fails: false}");
    assert_true(limit.has_most && limit.warns);
    limit = limit_of("poll time p99: {max: 2 ms, fails: true}");
    assert_true(!limit.warns);
    assert_ratio(limit.most, 2000000, 1);
    limit = limit_of("polls per second: {max: 1000}");
    assert_true(limit.has_most && !limit.has_least && limit.warns);
    limit = limit_of("allocating polls: {max: 10 %, change: +1 %}");
    assert_int_equal(limit.metric, BUDGET_ALLOCATING_SHARE);
    assert_true(limit.has_most && limit.has_change);
    limit = limit_of("allocating polls: {max: 3, change: +1 %}");
    assert_int_equal(limit.metric, BUDGET_ALLOCATING_POLLS);
}

/* What holds without 'per' and 'thread' depends on the scope and the place. */
static void test_implied(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        enum budget_per per;
        const char *thread;
    } cases[] = {
        {"scope: steady", BUDGET_PER_POLL, "loop"},
        {"scope: warmup", BUDGET_PER_POLL, "loop"},
        {"scope: warm-up", BUDGET_PER_POLL, "loop"},
        {"scope: startup", BUDGET_PER_NONE, "loop"},
        {"scope: shutdown", BUDGET_PER_NONE, "loop"},
        {"scope: process", BUDGET_PER_NONE, "loop"},
        {"scope: process, per: poll", BUDGET_PER_POLL, "loop"},
        {"per: run", BUDGET_PER_NONE, "loop"},
        {"scope: startup, per: second", BUDGET_PER_SECOND, "loop"},
        {"where: in poll", BUDGET_PER_POLL, "loop"},
        {"where: other threads", BUDGET_PER_POLL, "all"},
        {"where: [in poll, other threads]", BUDGET_PER_POLL, "all"},
        {"where: other threads, thread: 'a*'", BUDGET_PER_POLL, "a*"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];

        snprintf(text, sizeof text, "budgets: {a: {%s, bytes: 0 B}}", cases[i].settings);
        struct budget_file *file = helper_parse(text);
        assert_int_equal(file->budgets[0].per, cases[i].per);
        assert_string_equal(file->budgets[0].thread, cases[i].thread);
        budget_free(file);
    }
}

static void test_allowances(void **state)
{
    (void)state;
    struct budget_file *file = helper_parse(
        "allowances:\n"
        "  - {site: 'libGL*!*', bytes: 64 KiB, reason: the driver, expires: 2028-02-29}\n"
        "  - site: f\n"
        "    allocations: 0.5\n"
        "    per: frame\n"
        "    reason: >\n"
        "      two\n"
        "      lines\n"
        "    expires: \"2999-12-31\"\n"
        "budgets: {a: {bytes: 0 B}}\n");
    const struct budget_allowance *allowances = file->allowances;

    assert_int_equal(file->allowance_count, 2);
    assert_string_equal(allowances[0].site_text, "libGL*!*");
    assert_non_null(allowances[0].site);
    assert_int_equal(allowances[0].metric, BUDGET_BYTES);
    assert_int_equal(allowances[0].per, BUDGET_PER_POLL);
    assert_ratio(allowances[0].most, 65536, 1);
    assert_string_equal(allowances[0].reason, "the driver");
    assert_string_equal(allowances[0].expires, "2028-02-29");
    assert_int_equal(allowances[0].mark.line, 2);
    assert_int_equal(allowances[0].mark.column, 5);
    assert_int_equal(allowances[1].metric, BUDGET_ALLOCATIONS);
    assert_int_equal(allowances[1].per, BUDGET_PER_FRAME);
    assert_ratio(allowances[1].most, 1, 2);
    assert_string_equal(allowances[1].expires, "2999-12-31");
    budget_free(file);
}

static void test_require(void **state)
{
    (void)state;
    struct budget_file *file =
        helper_parse("require: {polls: 1, dropped: 18446744073709551615, steady: false}\n"
                     "budgets: {a: {bytes: 0 B}}\n");

    assert_int_equal(file->require.polls, 1);
    assert_true(file->require.has_dropped);
    assert_true(file->require.dropped == UINT64_MAX);
    assert_false(file->require.steady);
    assert_int_equal(file->require.mark.line, 1);
    budget_free(file);
    file = helper_parse("require: {polls: 12}\nbudgets: {a: {bytes: 0 B}}\n");
    assert_int_equal(file->require.polls, 12);
    assert_true(file->require.has_dropped && file->require.dropped == 0);
    assert_true(file->require.steady);
    budget_free(file);
}

/* As editors leave it: a mark of the order of bytes, lines of another system, comments, '---'. */
static void test_editors(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("\xef\xbb\xbf"
         "budgets:\r\n  a:\r\n    bytes: 4 KiB\r\n"),
        "# so\n---\nbudgets: # all\n  a: # one\n    bytes: \"4 KiB\" # page\n...\n",
        "budgets: {a: {bytes: 4KiB}}",
        "budgets: {\xc3\xa4: {bytes: 4096 B}}",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct budget_file *file = helper_parse(texts[i]);
        assert_int_equal(file->budget_count, 1);
        assert_ratio(file->budgets[0].limits[0].most, 4096, 1);
        budget_free(file);
    }
}

/* Far more budgets than anybody writes by hand are read all the same. */
static void test_many(void **state)
{
    (void)state;
    enum { BUDGETS = 20000 };
    char *text = malloc(BUDGETS * 32 + 16);
    size_t length = (size_t)sprintf(text, "budgets:\n");

    for (unsigned i = 0; i < BUDGETS; i++)
        length += (size_t)sprintf(text + length, "  n%u: {bytes: %u B}\n", i, i);
    struct budget_file *file = helper_parse(text);
    assert_int_equal(file->budget_count, BUDGETS);
    for (unsigned i = 0; i < BUDGETS; i++)
        assert_ratio(file->budgets[i].limits[0].most, i, 1);
    budget_free(file);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_lines), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_words),       cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_implied),
        cmocka_unit_test(test_allowances),  cmocka_unit_test(test_require),
        cmocka_unit_test(test_editors),     cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
