/* SPDX-License-Identifier: MIT */
#include "cli/model_private.h"

#define STEPS_A_SECOND 40

struct model_waits model_waits_of(const struct dump_loop *loop)
{
    return (struct model_waits){
        .count = loop->waits,
        .replaced = loop->replaced_waits,
        .ns = loop->wait_ns,
        .switches = loop->wait_switches,
        .cpu_ns = loop->wait_cpu_ns,
    };
}

void model_waits_add(struct model_waits *sum, const struct model_waits *more)
{
    sum->count = model_add(sum->count, more->count);
    sum->replaced = model_add(sum->replaced, more->replaced);
    sum->ns = model_add(sum->ns, more->ns);
    sum->switches = model_add(sum->switches, more->switches);
    sum->cpu_ns = model_add(sum->cpu_ns, more->cpu_ns);
}

bool model_waits_in_steps(const struct model_waits *waits)
{
    uint64_t steps = waits->switches > waits->count ? waits->switches - waits->count : 0;

    return steps >= 2 && steps > waits->count &&
           (double)steps * 1e9 >= STEPS_A_SECOND * (double)waits->ns;
}

double model_waits_wakeups(const struct model_waits *waits)
{
    return waits->ns > 0 ? (double)waits->switches * 1e9 / (double)waits->ns : 0;
}

double model_waits_cpu(const struct model_waits *waits)
{
    return waits->ns > 0 ? (double)waits->cpu_ns / (double)waits->ns : 0;
}

uint64_t model_waits_step_ns(const struct model_waits *waits)
{
    return waits->switches > 0 ? waits->ns / waits->switches : 0;
}
