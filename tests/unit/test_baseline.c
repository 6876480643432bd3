/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/baseline_key.h"
#include "tests/unit/baseline_helper.h"
#include "tests/unit/model_helper.h"

/* --- of a model ----------------------------------------------------------------------------- */

static void test_model(void **state)
{
    struct helper_game game;
    struct model *model = helper_game_model(&game);
    struct baseline *baseline = baseline_of(model), *again = helper_through_text(baseline);
    const struct baseline_scope *steady = &again->scope[BUDGET_STEADY];

    (void)state;
    assert_string_equal(again->environment.program, "example");
    assert_string_equal(again->environment.sdl, "2.26.5");
    assert_string_equal(again->environment.arch, "x86_64");
    assert_true(again->ended);
    assert_int_equal(again->leaked, 32 * 7);
    helper_amount(&again->scope[BUDGET_PROCESS].all, &model->totals.all, "process");
    for (unsigned phase = 0; phase < MODEL_PHASES; phase++)
        helper_amount(&again->scope[phase].all, &model->totals.phase[phase], "phase");
    helper_amount(&steady->place[MODEL_IN_POLL], &model->totals.cell[MODEL_STEADY][MODEL_IN_POLL],
                  "in poll");
    assert_int_equal(steady->polls, model->steady.polls);
    assert_int_equal(steady->ns, model->steady.ns);
    assert_int_equal(steady->frames, model->frame_info.steady);
    assert_int_equal(again->scope[BUDGET_PROCESS].polls, 64);
    assert_int_equal(again->scope[BUDGET_PROCESS].allocating_polls,
                     63); /* what was before is startup */
    assert_int_equal(steady->series[DUMP_SERIES_WINDOW_BYTES].most, 57);
    assert_int_equal(again->site_count, 2);
    const struct baseline_site *site = &again->sites[MODEL_BETWEEN];
    assert_int_equal(site->place, MODEL_BETWEEN);
    assert_string_equal(site->lines[0].module, "example");
    assert_string_equal(site->lines[0].function, "+0x2000");
    helper_amount(&site->phase[MODEL_STEADY],
                  &helper_site(model, game.outside)->phase[MODEL_STEADY], "site");
    assert_int_equal(site->cadence, CADENCE_EVERY_POLL);
    baseline_free(again);
    baseline_free(baseline);
    model_close(model);
    builder_end(&game.builder);
}

static void test_has_site(void **state)
{
    struct helper_game game;
    struct model *model = helper_game_model(&game);
    struct baseline *now = baseline_of(model), *was = helper_through_text(now);
    const struct model_site *site = helper_site(model, game.outside);

    (void)state;
    /* Its functions have no names and its program no build-id, so all of its lines are alike. */
    assert_true(baseline_has_site(was, model, site, BUDGET_STEADY));
    assert_true(baseline_has_site(was, model, site, BUDGET_PROCESS));
    assert_false(baseline_has_site(was, model, site, BUDGET_SHUTDOWN));
    was->site_count = 0;
    baseline_forget_keys(was);
    assert_false(baseline_has_site(was, model, site, BUDGET_STEADY));
    baseline_free(was);
    baseline_free(now);
    model_close(model);
    builder_end(&game.builder);
}

/* --- its text ------------------------------------------------------------------------------- */

static void test_text(void **state)
{
    struct baseline *run = helper_small(), *again = helper_through_text(run);

    (void)state;
    assert_int_equal(again->site_count, 2);
    assert_string_equal(again->sites[0].lines[0].function, "operator!=");
    assert_string_equal(again->sites[0].lines[1].module, "game");
    assert_string_equal(again->sites[0].lines[2].module, "libgame.so");
    assert_true(again->sites[0].phase[MODEL_STEADY].bytes == UINT64_MAX);
    assert_true(again->sites[0].most_bytes == INT64_MAX);
    assert_int_equal(again->sites[1].named, 1);
    baseline_free(again);
    baseline_free(run);
}

static void test_merge(void **state)
{
    struct baseline *run = helper_run(1000);

    (void)state;
    helper_add(run, "game!waste main", CADENCE_ONCE, 100, 1, 1, 100);
    helper_add(run, "game!waste main", CADENCE_BURST, 20, 4, 4, 5);
    helper_sort(run);
    assert_int_equal(run->site_count, 1);
    assert_int_equal(run->sites[0].phase[MODEL_STEADY].bytes, 120);
    assert_int_equal(run->sites[0].polls_steady, 4);
    assert_int_equal(run->sites[0].most_bytes, 105);
    assert_int_equal(run->sites[0].cadence, CADENCE_BURST);
    baseline_free(run);
}

static void test_key(void **state)
{
    struct baseline *run = helper_run(1000);
    const struct baseline_runs runs = {&run, 1};
    const struct {
        const char *stack, *key;
    } cases[] = {
        {"libc.so.6!x game!recur recur recur main", "libc.so!x\n!recur\n!main\n"},
        {"game!f.isra.0 f g.cold", "!f\n!g\n"},
        {"game!+0x10 +0x20 main", "!?\n!main\n"},
        {".so!f x!.cold", ".so!f\nx!.cold\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct baseline_site *site = helper_add(run, cases[i].stack, CADENCE_ONCE, 1, 1, 1, 1);
        char *key = baseline_site_key(run, site, &runs, false);
        assert_string_equal(key, cases[i].key);
        free(key);
    }
    baseline_free(run);
}

/* The first `from` of the text replaced by `to` must be refused with a line that names `what`. */
static void refuse(const char *from, const char *to, const char *what)
{
    struct baseline *run = helper_small();
    char *text = baseline_text(run), *why = NULL;
    char *at = strstr(text, from);

    if (at == NULL)
        fail_msg("not in the text: %s", from);
    char *changed = xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    struct baseline *got = helper_parse(changed, &why);
    if (got != NULL || strstr(why, what) == NULL || strchr(why, '\n') != NULL)
        fail_msg("%s for %s: %s", to, from, got != NULL ? "taken" : why);
    free(why);
    free(changed);
    free(text);
    baseline_free(run);
}

static void test_hostile(void **state)
{
    (void)state;
    refuse("\"allocreport_baseline\": 1", "\"allocreport_baseline\": 2", "definition 2");
    refuse("\"allocreport_baseline\": 1", "\"allocreport_baseline\": \"x\"", "no whole number");
    refuse("\"allocreport_baseline\": 1,", "", "no baseline");
    refuse("\"lost\": 0", "\"lost\": -1", "run.lost: is no whole number");
    refuse("\"lost\": 0", "\"lost\": 1.5", "run.lost: is no whole number");
    refuse("\"lost\": 0", "\"lost\": NaN", "line ");
    refuse("\"lost\": 0", "\"lost\": 1e400", "line ");
    refuse("\"lost\": 0", "\"lost\": 99999999999999999999", "too big");
    refuse("\"lost\": 0", "\"lost\": \"99999999999999999999\"", "run.lost: is no whole number");
    refuse("\"lost\": 0", "\"lost\": \"\"", "run.lost: is no whole number");
    refuse("\"lost\": 0", "\"lost\": 0, \"lost\": 1", "duplicate");
    refuse("\"lost\": 0", "\"lost\": 0, \"x\\ny\": 1", "run.x\\x0ay: is not known");
    refuse("\"lost\": 0", "\"lost\": null", "run.lost: is no whole number");
    refuse("\"lost\": 0,", "", "run.lost: is missing");
    refuse("\"ended\": true", "\"ended\": 1", "run.ended: is neither true nor false");
    refuse("\"sample\": 1", "\"sample\": 0", "run.sample: is out of range");
    refuse("\"sample\": 1", "\"sample\": 4294967296", "run.sample: is out of range");
    refuse("\"environment\": {", "\"environment\": [], \"e\": {", "e: is not known");
    refuse("\"arch\": \"\"", "\"arch\": 7", "environment.arch: is no text");
    refuse("\"in_poll\": {}", "\"in_poll\": []", "in_poll: is no object");
    refuse("\"in_poll\": {}", "\"in_poll\": {\"bytes\": {}}", "startup.in_poll.bytes");
    refuse("\"p50\":[0,0]", "\"p50\":[0]", "p50: is no pair");
    refuse("\"p50\":[0,0]", "\"p50\":[2,1]", "p50: is no range");
    refuse("\"values\": []", "\"values\": {}", "values: is no list");
    refuse("\"values\": []", "\"values\": [1]", "values: holds what is no object");
    refuse("\"values\": []",
           "\"values\": [{\"budget\":\"\",\"metric\":\"\",\"of\":\"\",\"part\":1,\"whole\":0}]",
           "values 1.whole: is zero");
    refuse("\"values\": []",
           "\"values\": [{\"budget\":\"\",\"metric\":\"\",\"of\":\"\",\"part\":1,\"whole\":1},"
           "{\"budget\":\"\",\"metric\":\"\",\"of\":\"\",\"part\":2,\"whole\":1}]",
           "values: has one twice");
    refuse("\"stack\":[\"game!waste", "\"stack\":[\"waste", "sites 2.stack: has no module");
    refuse("\"stack\":[\"game!", "\"stack\":[7,\"game!", "sites 1.stack: holds what is no text");
    refuse("\"named\":1", "\"named\":2", "sites 2.named: is behind");
    refuse("\"place\":\"between\"", "\"place\":\"here\"", "sites 1.place: is no place");
    refuse("\"cadence\":\"growth\"", "\"cadence\":\"\"", "sites 1.cadence: is no cadence");
    refuse("\"sites\": [", "\"sites\": [3,", "sites: holds what is no object");
    refuse("{", "[", "line ");
    refuse("{", "", "line ");
}

static void test_twice(void **state)
{
    struct baseline *run = helper_small();
    char *why = NULL;

    (void)state;
    run->sites[0] = run->sites[1];
    char *text = baseline_text(run);
    assert_null(helper_parse(text, &why));
    assert_string_equal(why, "sites: has one twice");
    free(why);
    free(text);
    baseline_free(run);
}

/* Deep nesting, nothing, and any beginning of a sound one. */
static void test_cut(void **state)
{
    struct baseline *run = helper_small();
    char *text = baseline_text(run), *why;
    size_t depth = 100000;
    char *deep = xmalloc(depth);

    (void)state;
    for (size_t length = 0; length + 2 < strlen(text); length += 1 + length / 100) {
        assert_null(baseline_parse(text, length, &why));
        free(why);
    }
    memset(deep, '[', depth);
    assert_null(baseline_parse(deep, depth, &why));
    free(why);
    free(deep);
    free(text);
    baseline_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model), cmocka_unit_test(test_has_site),
        cmocka_unit_test(test_merge), cmocka_unit_test(test_key),
        cmocka_unit_test(test_text),  cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_twice), cmocka_unit_test(test_cut),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
