/* SPDX-License-Identifier: MIT */
/*
 * model_near.h: which sites belong to one loop. The dump counts sites by thread and not by loop, so
 * that it is told by the stacks: a site belongs to the loop of its thread with which it shares most
 * outer frames, if there were times at which both were at work. A site that is as near to two loops
 * belongs to both. Called by model_select.
 */
#ifndef CLI_MODEL_NEAR_H
#define CLI_MODEL_NEAR_H

#include "cli/model.h"

struct model_near;

/* For the loop with this id; NULL if there is no such loop. */
struct model_near *model_near_new(struct model *model, uint32_t loop);
void model_near_free(struct model_near *near); /* NULL is fine */

bool model_near_has(const struct model_near *near, struct model *model,
                    const struct model_site *site);

#endif
