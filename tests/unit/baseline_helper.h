/* SPDX-License-Identifier: MIT */
/*
 * baseline_helper.h: baselines made by hand, site by site. Included by tests only, behind cmocka's
 * headers.
 */
#ifndef TESTS_BASELINE_HELPER_H
#define TESTS_BASELINE_HELPER_H

#include "cli/baseline_private.h"
#include "cli/errors.h"
#include "tests/unit/model_helper.h"

#include <stdlib.h>
#include <string.h>

/* A program "game" that polls, drains and presents once in each frame of 10 ms. */
static inline struct baseline *helper_run(uint64_t frames)
{
    struct baseline *run = baseline_new("run");
    const struct baseline_series ten_ms = {frames,
                                           frames * 10000000,
                                           0,
                                           10000000,
                                           10000000,
                                           {10000000, 10000000},
                                           {10000000, 10000000},
                                           {10000000, 10000000}};

    run->environment.program = baseline_intern(run, "game");
    run->ended = true;
    for (unsigned scope = BUDGET_STEADY; scope <= BUDGET_PROCESS; scope += 2) {
        run->scope[scope].polls = run->scope[scope].drains = run->scope[scope].frames = frames;
        run->scope[scope].ns = frames * 10000000;
        run->scope[scope].series[DUMP_SERIES_FRAME_NS] = ten_ms;
    }
    run->sites = baseline_alloc(run, 100, sizeof *run->sites);
    return run;
}

/* `stack`: lines "module!function", or "function" of the module before, innermost first, with
 * spaces between them. Call helper_sort when all are there. */
static inline struct baseline_site *helper_add(struct baseline *run, const char *stack,
                                               enum cadence_kind cadence, uint64_t bytes,
                                               uint64_t allocations, uint64_t polls, uint64_t most)
{
    struct baseline_site *site = &run->sites[run->site_count++];
    struct baseline_line *lines = baseline_alloc(run, strlen(stack) + 1, sizeof *lines);
    char *copy = xstrdup(stack), *rest = copy;
    struct baseline_scope *steady = &run->scope[BUDGET_STEADY];
    const struct model_amount amount = {.bytes = bytes, .allocations = allocations};

    for (char *word; (word = strsep(&rest, " ")) != NULL; site->line_count++) {
        char *mark = strchr(word, '!');
        if (mark != NULL)
            *mark = '\0';
        lines[site->line_count] = (struct baseline_line){
            mark != NULL ? baseline_intern(run, word) : lines[site->line_count - 1].module,
            baseline_intern(run, mark != NULL ? mark + 1 : word)};
    }
    free(copy);
    site->lines = lines;
    site->place = MODEL_BETWEEN;
    site->cadence = cadence;
    site->phase[MODEL_STEADY] = amount;
    site->polls_steady = polls;
    site->most_bytes = most;
    model_amount_add(&steady->place[MODEL_BETWEEN], &amount);
    model_amount_add(&steady->all, &amount);
    if (most > steady->series[DUMP_SERIES_WINDOW_BYTES].most)
        steady->series[DUMP_SERIES_WINDOW_BYTES].most = most;
    if (polls > 0)
        steady->series[DUMP_SERIES_WINDOW_ALLOCATIONS].most += (allocations + polls - 1) / polls;
    return site;
}

static inline struct baseline *helper_sort(struct baseline *run)
{
    baseline_merge_sites(run);
    return run;
}

#define HELPER_LOOP "game!waste draw main"

/* One site that allocates so many bytes in each poll. */
static inline struct baseline *helper_every(uint64_t frames, const char *stack, uint64_t bytes)
{
    struct baseline *run = helper_run(frames);

    helper_add(run, stack, CADENCE_EVERY_POLL, frames * bytes, frames, frames, bytes);
    return run;
}

/* Two sites, large numbers, and names that mean something in its text. */
static inline struct baseline *helper_small(void)
{
    struct baseline *run = helper_run(1000);

    helper_add(run, "game!operator!= draw libgame.so!main", CADENCE_GROWTH, UINT64_MAX, 5, 3,
               INT64_MAX);
    helper_add(run, "game!waste main", CADENCE_EVERY_POLL, 16000, 1000, 1000, 16)->named = 1;
    return helper_sort(run);
}

static inline struct baseline *helper_parse(const char *text, char **why)
{
    return baseline_parse(text, strlen(text), why);
}

/* Written and read again it is the same. */
static inline struct baseline *helper_through_text(const struct baseline *baseline)
{
    char *why = NULL;
    char *text = baseline_text(baseline);
    struct baseline *again = helper_parse(text, &why);

    if (again == NULL)
        fail_msg("%s", why);
    char *twice = baseline_text(again);
    assert_string_equal(text, twice);
    free(text);
    free(twice);
    return again;
}

/* 64 polls and frames, a site in every poll and one in every second one. */
static inline struct model *helper_game_model(struct helper_game *game)
{
    helper_game(game);
    builder_info(&game->builder, DUMP_INFO_SDL_VERSION, "2.26.5", 6);
    game->builder.warming = true;
    for (unsigned i = 0; i < 64; i++) {
        builder_alloc(&game->builder, game->main, game->outside, 50);
        builder_free(&game->builder, game->main, game->outside, 50, true);
        if (i % 2 == 0)
            builder_alloc(&game->builder, game->main, game->inside, 7);
        builder_poll(&game->builder, game->loop, false);
        builder_present(&game->builder, game->main);
    }
    return helper_checked(&game->builder);
}

#endif
