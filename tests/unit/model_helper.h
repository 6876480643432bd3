/* SPDX-License-Identifier: MIT */
/*
 * model_helper.h: from a builder to a model, and what tests of the model compare. Used by tests
 * only.
 */
#ifndef TESTS_MODEL_HELPER_H
#define TESTS_MODEL_HELPER_H

#include "cli/model.h"
#include "tests/unit/dump_builder.h"

/* A program with one loop on its main thread, a site in poll and one outside. */
struct helper_game {
    struct builder builder;
    unsigned main;
    unsigned loop;
    uint32_t inside;
    uint32_t outside;
};
void helper_game(struct helper_game *game);

/* Builds the model of the builder's dump; both stay the caller's. */
struct model *helper_model(struct builder *builder);

/* The same, and fails the test if model_check finds a discrepancy. */
struct model *helper_checked(struct builder *builder);

/* Fails the test unless they are equal in all fields. */
void helper_amount(const struct model_amount *got, const struct model_amount *want,
                   const char *what);

/* The site of this stack; fails the test if there is none. */
const struct model_site *helper_site(const struct model *model, uint32_t id);

#endif
