/* SPDX-License-Identifier: MIT */
#include "cli/patchfigures.h"

struct patchfigures patchfigures_of(const struct model *model)
{
    const struct model_amount *in_poll = &model->totals.cell[MODEL_STEADY][MODEL_IN_POLL];
    const struct stats_histogram *times = model->steady_polls[DUMP_SERIES_POLL_NS];
    bool patched = (model->patch.modes & DUMP_PATCH_POLL) != 0;

    return (struct patchfigures){
        .known = true,
        .modes = model->patch.modes | (model->waits.replaced > 0 ? DUMP_PATCH_WAIT : 0),
        .polls = model->polls.steady,
        .allocations = in_poll->allocations,
        .heap_calls =
            patched ? model->patch.steady_heap_calls : in_poll->allocations + in_poll->frees,
        .p50_ns = stats_quantile(times, 0.5),
        .p99_ns = stats_quantile(times, 0.99),
    };
}

bool patchfigures_differ(const struct patchfigures *before, const struct patchfigures *after)
{
    return before->known && after->known && before->modes != after->modes;
}
