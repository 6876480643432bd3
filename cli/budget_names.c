/* SPDX-License-Identifier: MIT */
/* The words of budget files, and of the answers about them. */
#include "cli/budget.h"

const char *budget_scope_name(enum budget_scope scope)
{
    static const char *const names[] = {"startup", "warmup", "steady", "shutdown", "process"};

    return names[scope];
}

const char *budget_per_name(enum budget_per per)
{
    static const char *const names[] = {"", "poll", "drain", "frame", "second"};

    return names[per];
}

const char *budget_metric_name(enum budget_metric metric)
{
    static const char *const names[] = {"bytes",
                                        "allocations",
                                        "reallocations",
                                        "live growth",
                                        "largest",
                                        "p99",
                                        "allocating polls",
                                        "allocating share",
                                        "total bytes",
                                        "total allocations",
                                        "sites",
                                        "new sites",
                                        "startup bytes",
                                        "peak live",
                                        "leaked",
                                        "polls per second",
                                        "poll time p50",
                                        "poll time p90",
                                        "poll time p99",
                                        "poll time most"};

    return names[metric];
}
