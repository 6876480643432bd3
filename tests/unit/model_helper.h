/* SPDX-License-Identifier: MIT */
/*
 * model_helper.h: from a builder to a model, and what tests of the model compare. Included by tests
 * only, behind cmocka's headers; its functions are here since they use cmocka's, which the fuzz
 * targets do not have.
 */
#ifndef TESTS_MODEL_HELPER_H
#define TESTS_MODEL_HELPER_H

#include "cli/dumpfile.h"
#include "cli/model.h"
#include "tests/unit/dump_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A program with one loop on its main thread, a site in poll and one outside. */
struct helper_game {
    struct builder builder;
    unsigned main;
    unsigned loop;
    uint32_t inside;
    uint32_t outside;
};

static inline void helper_game(struct helper_game *game)
{
    builder_start(&game->builder);
    uint32_t module = builder_module(&game->builder, "/usr/games/example", NULL, 0, 1);
    game->inside = builder_site(&game->builder, module, 0x1000, DUMP_STACK_IN_POLL);
    game->outside = builder_site(&game->builder, module, 0x2000, 0);
    uint32_t polls = builder_site(&game->builder, module, 0x3000, DUMP_STACK_POLL);
    game->main = builder_thread(&game->builder, "main", DUMP_THREAD_MAIN);
    game->loop = builder_loop(&game->builder, game->main, polls);
}

/* Builds the model of the builder's dump; both stay the caller's. */
static inline struct model *helper_model(struct builder *builder)
{
    struct dumpfile file;
    size_t size;
    uint8_t *data = builder_image(builder, &size);
    if (dumpfile_from_memory(&file, "x.alloc", data, size) < 0)
        fail_msg("%s", file.message);
    free(data);
    struct model *model = model_build(&file);
    dumpfile_close(&file);
    return model;
}

/* The same, and fails the test if model_check finds a discrepancy. */
static inline struct model *helper_checked(struct builder *builder)
{
    struct model *model = helper_model(builder);
    char **lines;
    size_t count = model_check(model, &lines);
    for (size_t i = 0; i < count; i++)
        print_error("%s\n", lines[i]);
    model_check_free(lines, count);
    assert_int_equal(count, 0);
    return model;
}

/* Fails the test unless they are equal in all fields. */
static inline void helper_amount(const struct model_amount *got, const struct model_amount *want,
                                 const char *what)
{
    if (memcmp(got, want, sizeof *got) != 0)
        fail_msg("%s: %lu allocations, %lu bytes, %lu reallocations, %lu frees, %lu freed; "
                 "expected %lu, %lu, %lu, %lu, %lu",
                 what, (unsigned long)got->allocations, (unsigned long)got->bytes,
                 (unsigned long)got->reallocations, (unsigned long)got->frees,
                 (unsigned long)got->freed_bytes, (unsigned long)want->allocations,
                 (unsigned long)want->bytes, (unsigned long)want->reallocations,
                 (unsigned long)want->frees, (unsigned long)want->freed_bytes);
}

/* The site of this stack; fails the test if there is none. */
static inline const struct model_site *helper_site(const struct model *model, uint32_t id)
{
    for (size_t i = 0; i < model->site_count; i++)
        if (model->sites[i].id == id)
            return &model->sites[i];
    fail_msg("no site %u", id);
    return NULL;
}

#endif
