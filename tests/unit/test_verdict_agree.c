/* SPDX-License-Identifier: MIT */
/* Over many generated runs and budgets: text, JSON, JUnit, annotations, Markdown and the exit code
 * say the same, and what is exactly known is compared as whole numbers are. */
#include "cli/out_verdict.h"
#include "tests/unit/model_helper.h"

#include "tests/unit/verdict_helper.h"

#include <jansson.h>
#include <stdio.h>

#define BUDGETS 6u
#define LIMITS  3u
#define ROUNDS  4000u

static uint64_t seed = 20260528;

/* xorshift64: the same numbers in each run of the test. */
static uint64_t random_below(uint64_t bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % bound;
}

struct generated {
    struct budget_file file;
    struct budget budgets[BUDGETS];
    struct budget_limit limits[BUDGETS][LIMITS];
    struct budget_allowance allowances[2];
    char names[BUDGETS][24];
    bool strict;
};

/* Now and then just what the run has, so that limits are met exactly. */
static struct ratio random_ratio(void)
{
    static const uint64_t parts[] = {0, 7, 10, 17, 1000, 7000, 5007, 10000, UINT64_MAX};
    static const uint64_t wholes[] = {1, 1, 1, 3, 1000, 1000000};

    return ratio_of(parts[random_below(9)], wholes[random_below(6)]);
}

static void generate_limit(struct budget_limit *limit)
{
    *limit = (struct budget_limit){.metric = (enum budget_metric)random_below(BUDGET_METRICS),
                                   .mark = {(unsigned)random_below(3), 2},
                                   .has_most = random_below(4) != 0,
                                   .has_least = random_below(4) == 0,
                                   .most = random_ratio(),
                                   .least = random_ratio(),
                                   .has_change = random_below(30) == 0,
                                   .change = ratio_of(5, 1),
                                   .warns = random_below(4) == 0};
    limit->has_most = limit->has_most || !limit->has_least;
}

static void generate(struct generated *budget, struct glob *const globs[3])
{
    static const char *const threads[] = {"loop", "loop", "loop", "all", "main", "m*"};
    static const char *const dates[] = {"2020-01-01", "2026-06-01", "2999-01-01"};
    static const char *const expressions[] = {"example!*", "a&b<c>\"%\n|*", "x/y"};

    *budget = (struct generated){.strict = random_below(3) == 0};
    budget->file = (struct budget_file){.path = random_below(5) ? "a&b<\"%>.yml" : NULL,
                                        .budgets = budget->budgets,
                                        .budget_count = 1 + random_below(BUDGETS),
                                        .allowances = budget->allowances,
                                        .allowance_count = random_below(10) ? 0 : random_below(3)};
    budget->file.require = (struct budget_require){.polls = random_below(20) ? 300 : 1001,
                                                   .has_dropped = random_below(2),
                                                   .steady = random_below(2)};
    for (size_t i = 0; i < budget->file.budget_count; i++) {
        /* Names need not differ here: the verdict makes them. */
        snprintf(budget->names[i], sizeof budget->names[i], "%s %u", expressions[random_below(3)],
                 (unsigned)random_below(9));
        budget->budgets[i] = (struct budget){
            .name = budget->names[i],
            .scope = random_below(2) ? BUDGET_STEADY : (enum budget_scope)random_below(5),
            .thread = random_below(40) ? threads[random_below(6)] : "nobody",
            .places = random_below(3) ? 0 : (unsigned)random_below(8),
            .site = random_below(4) ? NULL : globs[random_below(3)],
            .cadences = random_below(4) ? 0 : (unsigned)random_below(256),
            .per = (enum budget_per)random_below(5),
            .when = {.video = random_below(10) ? NULL : "x11"},
            .limits = budget->limits[i],
            .limit_count = 1 + random_below(LIMITS)};
        for (size_t k = 0; k < budget->budgets[i].limit_count; k++)
            generate_limit(&budget->limits[i][k]);
    }
    for (size_t i = 0; i < budget->file.allowance_count; i++)
        budget->allowances[i] =
            (struct budget_allowance){.site_text = expressions[random_below(3)],
                                      .site = globs[random_below(3)],
                                      .metric = random_below(2) ? BUDGET_BYTES : BUDGET_ALLOCATIONS,
                                      .per = (enum budget_per)random_below(5),
                                      .most = random_ratio(),
                                      .reason = "a & b",
                                      .expires = dates[random_below(3)]};
}

static char *print(struct model *model, const struct verdict *verdict, enum out_verdict_kind kind)
{
    char *text;
    size_t size;
    struct out_verdict_request request = {.base = {.model = model, .filter = MODEL_FILTER_ALL},
                                          .verdict = verdict};

    request.base.term = (struct term){.columns = 200};
    request.base.term.out = open_memstream(&text, &size);
    assert_non_null(request.base.term.out);
    out_verdict_formats[kind].print(&request);
    fclose(request.base.term.out);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

/* The exit code by the order that the man page has, from what each check alone would lead to. */
static int code_of(json_t *checks)
{
    static const struct {
        int code;
        const char *kind; /* NULL: any */
    } order[] = {
        {EXIT_PROGRAM, NULL},  {EXIT_USAGE, NULL},        {EXIT_INCONCLUSIVE, "requirement"},
        {EXIT_EXCEEDED, NULL}, {EXIT_INCONCLUSIVE, NULL}, {EXIT_BETTER, NULL}};
    size_t index;
    json_t *check;

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        json_array_foreach(
            checks, index,
            check) if (json_integer_value(json_object_get(check, "exit_code")) == order[i].code &&
                       (order[i].kind == NULL ||
                        strcmp(json_string_value(json_object_get(check, "kind")), order[i].kind) ==
                            0)) return order[i]
            .code;
    return EXIT_FINE;
}

/* numerator / denominator of JSON, where it has them. */
static bool fraction(json_t *object, __int128 *part, __int128 *whole)
{
    json_t *numerator = json_object_get(object, "numerator");
    json_t *denominator = json_object_get(object, "denominator");

    if (!json_is_integer(numerator) || !json_is_integer(denominator))
        return false;
    *part = json_integer_value(numerator);
    *whole = json_integer_value(denominator);
    return true;
}

/* What the status must be, by cross-multiplication. */
static void check_comparison(json_t *check)
{
    json_t *actual = json_object_get(check, "actual");
    json_t *limit = json_object_get(check, "limit");
    const char *status = json_string_value(json_object_get(check, "status"));
    const char *kind = json_string_value(json_object_get(check, "kind"));
    __int128 part, whole, limit_part, limit_whole;

    if (strcmp(kind, "limit") != 0 || !json_is_object(actual) || !json_is_object(limit) ||
        !json_is_true(json_object_get(actual, "exact")) ||
        !fraction(json_object_get(actual, "most"), &part, &whole) ||
        !fraction(limit, &limit_part, &limit_whole))
        return;
    bool at_most = strcmp(json_string_value(json_object_get(limit, "kind")), "at_most") == 0;
    bool holds = at_most ? part * limit_whole <= limit_part * whole
                         : part * limit_whole >= limit_part * whole;
    if (holds != (strcmp(status, "pass") == 0))
        fail_msg("%s: '%s' but is %s", json_string_value(json_object_get(check, "name")),
                 json_string_value(json_object_get(check, "text")), status);
}

static void check_json(struct model *model, const struct verdict *verdict)
{
    char *text = print(model, verdict, OUT_VERDICT_JSON);
    json_error_t problem;
    json_t *whole = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    json_t *check;
    size_t index, failing = 0;

    if (whole == NULL)
        fail_msg("JSON: %s", problem.text);
    json_t *checks = json_object_get(whole, "checks");
    assert_int_equal(json_integer_value(json_object_get(whole, "exit_code")), verdict->code);
    assert_string_equal(json_string_value(json_object_get(whole, "verdict")),
                        verdict_code_name(verdict->code));
    assert_int_equal(json_array_size(checks), verdict->item_count);
    assert_int_equal(code_of(checks), verdict->code);
    json_array_foreach(checks, index, check)
    {
        const struct verdict_item *item = &verdict->items[index];
        failing += json_integer_value(json_object_get(check, "exit_code")) != 0;
        assert_string_equal(json_string_value(json_object_get(check, "status")),
                            verdict_status_name(item->status));
        check_comparison(check);
    }
    assert_int_equal(failing, verdict->failing);
    assert_true((failing == 0) == (verdict->code == EXIT_FINE));
    json_decref(whole);
    free(text);
}

/* The first word of a line, then the rest: how many lines begin so. */
static size_t lines_with(const char *text, const char *word)
{
    size_t count = 0;
    size_t length = strlen(word);

    for (const char *line = text; line != NULL && *line != '\0';) {
        count += strncmp(line, word, length) == 0 && line[length] == ' ';
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return count;
}

static void check_others(struct model *model, const struct verdict *verdict)
{
    char *text = print(model, verdict, OUT_VERDICT_TEXT);
    char *junit = print(model, verdict, OUT_VERDICT_JUNIT);
    char *github = print(model, verdict, OUT_VERDICT_GITHUB);
    char *markdown = print(model, verdict, OUT_VERDICT_MARKDOWN);
    size_t warnings = 0, words = 0, bold = 0;
    static const char *const loud[] = {"FAIL", "WARN", "BETTER", "UNKNOWN", "WRONG"};

    for (size_t i = 0; i < verdict->item_count; i++)
        warnings += verdict->items[i].status == VERDICT_WARN && verdict->items[i].code == 0;
    /* Once in the table, and once where it is explained. */
    for (size_t i = 0; i < sizeof loud / sizeof loud[0]; i++)
        words += lines_with(text, loud[i]);
    assert_int_equal(words, 2 * verdict->failing);
    assert_int_equal(count_of(junit, "<failure ") + count_of(junit, "<error "), verdict->failing);
    assert_int_equal(count_of(junit, "<testcase "), verdict->item_count);
    assert_int_equal(count_of(github, "::error "), verdict->failing);
    assert_int_equal(count_of(github, "::warning "), warnings);
    assert_int_equal(count_of(github, "\n"), verdict->failing + warnings + 1);
    for (size_t i = 0; i < sizeof loud / sizeof loud[0]; i++) {
        char cell[32];
        snprintf(cell, sizeof cell, "| **%s** |", loud[i]);
        bold += count_of(markdown, cell);
    }
    assert_int_equal(bold, verdict->failing);

    size_t exceeded = 0;
    for (size_t i = 0; i < verdict->item_count; i++)
        exceeded +=
            verdict->items[i].code == EXIT_EXCEEDED || verdict->items[i].code == EXIT_BETTER;
    char totals[96];
    snprintf(totals, sizeof totals, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
             verdict->item_count, exceeded, verdict->failing - exceeded);
    assert_int_equal(count_of(junit, totals), 2);
    assert_int_equal(count_of(junit, "<failure "), exceeded);

    char code[64];
    snprintf(code, sizeof code, "name=\"exit_code\" value=\"%d\"", verdict->code);
    assert_int_equal(count_of(junit, code), 1);
    free(text);
    free(junit);
    free(github);
    free(markdown);
}

static void test_agree(void **state)
{
    static const struct helper_run runs[] = {
        {.in_poll = 10, .in_poll_every = 3, .between = 7, .between_every = 1},
        {.between = 16, .between_every = 50, .leaks = true},
        {.in_poll_every = 0},
        {.in_poll = UINT64_C(1) << 40, .in_poll_every = 1},
    };
    static const char *const patterns[] = {"example!*", "nothing", "absent!*"};
    struct glob *globs[3];
    size_t codes[7] = {0};
    char *why;
    (void)state;

    for (size_t i = 0; i < 3; i++)
        globs[i] = glob_parse(patterns[i], &why);
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        struct helper_game game;
        struct model *model = helper_run(&game, &runs[r]);

        for (unsigned round = 0; round < ROUNDS / 4; round++) {
            struct generated budget;
            generate(&budget, globs);
            struct verdict *verdict = helper_verdict(model, &budget.file, budget.strict);
            assert_in_range(verdict->code, EXIT_FINE, EXIT_PROGRAM);
            codes[verdict->code]++;
            check_json(model, verdict);
            check_others(model, verdict);
            verdict_free(verdict);
        }
        model_close(model);
        builder_end(&game.builder);
    }
    for (size_t i = 0; i < 3; i++)
        glob_free(globs[i]);
    /* Every answer of a budget was among them. */
    static const int wanted[] = {EXIT_FINE, EXIT_EXCEEDED, EXIT_USAGE, EXIT_INCONCLUSIVE,
                                 EXIT_BETTER};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (codes[wanted[i]] < 10)
            fail_msg("code %d came up %zu times", wanted[i], codes[wanted[i]]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
