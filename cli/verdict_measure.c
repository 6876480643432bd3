/* SPDX-License-Identifier: MIT */
/* The value of a metric, in a budget's scope: exact, or bounds of it, or why it is not known. */
#include "cli/verdict_private.h"

#include <string.h>

#define NS_PER_SECOND UINT64_C(1000000000)

static const char no_units[] = "there was none in this scope";
static const char only_scopes[] =
    "it is known of the steady phase and of the whole process, not of this scope";
static const char only_loop[] = "it is known of the loop's threads alone";
static const char only_all_sites[] = "it is known of all sites together, not of some";

static struct verdict_value unknown(const char *why)
{
    return (struct verdict_value){.unknown = why, .per = ""};
}

static struct verdict_value exact(struct ratio value, enum verdict_unit unit, const char *per)
{
    return (struct verdict_value){NULL, value, value, unit, per};
}

static struct verdict_value between(uint64_t least, uint64_t most, enum verdict_unit unit)
{
    return (struct verdict_value){NULL, ratio_of(least, 1), ratio_of(most, 1), unit, ""};
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Frames, or what stands for them where nothing presents. */
static unsigned frame_series(const struct model *model, enum budget_per per)
{
    bool frames = per == BUDGET_PER_FRAME && strcmp(model->frame_info.kind, "present") == 0;

    return frames ? DUMP_SERIES_FRAME_BYTES : DUMP_SERIES_DRAIN_BYTES;
}

static uint64_t by_scope(enum budget_scope scope, uint64_t steady, uint64_t all)
{
    switch (scope) {
    case BUDGET_STEADY:
        return steady;
    case BUDGET_WARMUP:
        return less(all, steady);
    case BUDGET_PROCESS:
        return all;
    default:
        return 0;
    }
}

static uint64_t scope_ns(const struct model *model, enum budget_scope scope)
{
    switch (scope) {
    case BUDGET_STARTUP:
        return model->first_poll_ns != 0 ? model->first_poll_ns : model->last_ns;
    case BUDGET_WARMUP:
        return less(model->rate.ns, model->steady.ns);
    case BUDGET_STEADY:
        return model->steady.ns;
    case BUDGET_SHUTDOWN:
        return model->last_poll_ns != 0 ? less(model->last_ns, model->last_poll_ns) : 0;
    default:
        return model->last_ns;
    }
}

uint64_t verdict_units(const struct model *model, enum budget_scope scope, enum budget_per per,
                       uint64_t *scale, const char **name)
{
    unsigned series = frame_series(model, per);

    *scale = per == BUDGET_PER_SECOND ? NS_PER_SECOND : 1;
    *name = per == BUDGET_PER_FRAME && series == DUMP_SERIES_DRAIN_BYTES ? "drain"
                                                                         : budget_per_name(per);
    switch (per) {
    case BUDGET_PER_POLL:
        return by_scope(scope, model->polls.steady, model->polls.count);
    case BUDGET_PER_DRAIN:
    case BUDGET_PER_FRAME:
        return by_scope(scope, model->steady_polls[series]->count, model->all_polls[series]->count);
    case BUDGET_PER_SECOND:
        return scope_ns(model, scope);
    default:
        return 1;
    }
}

static struct verdict_value per_unit(const struct model *model, const struct budget *budget,
                                     enum budget_per per, __int128 amount, enum verdict_unit unit)
{
    uint64_t scale;
    const char *name;
    uint64_t units = verdict_units(model, budget->scope, per, &scale, &name);

    if (units == 0)
        return unknown(no_units);
    /* One frame more is cut by the scope's begin and end: so many it has a part of. */
    units += per == BUDGET_PER_FRAME || per == BUDGET_PER_DRAIN;
    struct ratio value = {(unsigned __int128)(amount < 0 ? -amount : amount) * scale, units,
                          amount < 0};
    return exact(value, unit, name);
}

/* From the threads' own totals: also of what was booked to no site. */
static struct model_amount amount_of_threads(const struct model *model, const struct budget *budget,
                                             enum budget_scope scope)
{
    struct model_amount sum = {0};

    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];

        if (!verdict_thread_matches(thread, budget->thread))
            continue;
        for (unsigned phase = 0; phase < MODEL_PHASES; phase++)
            for (unsigned place = 0; place < MODEL_PLACES; place++)
                if ((scope == BUDGET_PROCESS || (unsigned)scope == phase) &&
                    (budget->places == 0 || budget->places >> place & 1))
                    model_amount_add(&sum, &thread->cell[phase][place]);
    }
    return sum;
}

static struct model_amount amount_of(const struct verdict *verdict, const struct budget *budget,
                                     enum budget_scope scope, const struct verdict_sum *sum)
{
    bool some_are_allowed = verdict->private->allowed != NULL && scope == BUDGET_STEADY;

    if (verdict_has_sites(verdict, budget) || some_are_allowed)
        return sum->amount;
    return amount_of_threads(verdict->model, budget, scope);
}

/* Whether the budget means the whole of what the loop's threads do in a window, or only in poll. */
static bool is_of_loop(const struct verdict *verdict, const struct budget *budget, bool in_poll)
{
    const struct model *model = verdict->model;
    unsigned places = budget->places & ~BUDGET_OTHER;
    bool right_place = in_poll ? places == BUDGET_IN_POLL
                               : budget->places == 0 || places == (BUDGET_IN_POLL | BUDGET_BETWEEN);

    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];
        bool meant = verdict_thread_matches(thread, budget->thread);

        if (thread->polls ? !meant : meant && budget->places == 0 && thread->all.allocations > 0)
            return false;
    }
    return right_place && (budget->places & BUDGET_OTHER) == 0;
}

/* Frames and drains are added up of the first thread that polled alone. */
static bool is_only_loop(const struct model *model)
{
    size_t count = 0;

    for (size_t i = 0; i < model->thread_count; i++)
        count += model->threads[i].polls;
    return count <= 1;
}

/*
 * Bytes or allocations of whole frames (drains), as the recorder added them up one by one; windows
 * hold a part of a frame at either end. False: it is not known so, but from windows alone, whose
 * `amount` may be a frame more at either end; if it is more than that, frames have come to an end
 * before the run has.
 */
static bool of_whole_frames(const struct verdict *verdict, const struct budget *budget,
                            bool allocations, uint64_t amount, struct verdict_value *value)
{
    const struct model *model = verdict->model;
    unsigned series = frame_series(model, budget->per);
    uint64_t scale;
    const char *name;

    if ((budget->per != BUDGET_PER_FRAME && budget->per != BUDGET_PER_DRAIN) ||
        budget->scope != BUDGET_STEADY || verdict->private->allowed != NULL ||
        verdict_has_sites(verdict, budget) || !is_of_loop(verdict, budget, false) ||
        !is_only_loop(model))
        return false;
    verdict_units(model, budget->scope, budget->per, &scale, &name);
    const struct stats_histogram *frames = model->steady_polls[series + allocations];
    if (frames->count == 0 || less(less(amount, frames->sum), frames->most) > frames->most)
        return false;
    *value = exact(ratio_of(frames->sum, frames->count),
                   allocations ? VERDICT_COUNT : VERDICT_BYTES, name);
    return true;
}

/* The histogram of a series in the scope, or NULL. */
static const struct stats_histogram *series_of(const struct model *model, enum budget_scope scope,
                                               unsigned series)
{
    return scope == BUDGET_STEADY    ? model->steady_polls[series]
           : scope == BUDGET_PROCESS ? model->all_polls[series]
                                     : NULL;
}

/* Bytes of the windows (frames, drains): the one with most, or a quantile. */
static struct verdict_value of_windows(const struct verdict *verdict, const struct budget *budget,
                                       bool largest)
{
    const struct model *model = verdict->model;
    unsigned series = DUMP_SERIES_WINDOW_BYTES;

    if (is_of_loop(verdict, budget, true))
        series = DUMP_SERIES_POLL_BYTES;
    else if (!is_of_loop(verdict, budget, false))
        return unknown(only_loop);
    if (budget->per == BUDGET_PER_DRAIN || budget->per == BUDGET_PER_FRAME) {
        if (series == DUMP_SERIES_POLL_BYTES)
            return unknown("in poll it is known of polls, not of frames and drains");
        if (!is_only_loop(model))
            return unknown("several threads poll, and frames are known of the first alone");
        series = frame_series(model, budget->per);
    }
    const struct stats_histogram *histogram = series_of(model, budget->scope, series);
    if (histogram == NULL)
        return unknown(only_scopes);
    if (histogram->count == 0)
        return unknown(no_units);
    if (largest)
        return exact(ratio_of(histogram->most, 1), VERDICT_BYTES, "");
    struct stats_range range = stats_quantile(histogram, 0.99);
    return between(range.least, range.most, VERDICT_BYTES);
}

/* Only bounds are known where several threads or sites allocate: not which were in one poll. */
static struct verdict_value largest_of_sites(const struct budget *budget,
                                             const struct verdict_sum *sum)
{
    if (budget->scope != BUDGET_STEADY && budget->scope != BUDGET_PROCESS)
        return unknown(only_scopes);
    if (budget->per == BUDGET_PER_DRAIN || budget->per == BUDGET_PER_FRAME)
        return unknown("of some sites it is known of polls, not of frames and drains");
    return between(sum->largest_in_scope, sum->largest_sum, VERDICT_BYTES);
}

static struct verdict_value allocating_polls(const struct verdict *verdict,
                                             const struct budget *budget,
                                             const struct verdict_sum *sum)
{
    const struct model *model = verdict->model;
    const struct stats_histogram *windows =
        series_of(model, budget->scope, DUMP_SERIES_WINDOW_ALLOCATIONS);
    const struct stats_histogram *polls = series_of(model, budget->scope, DUMP_SERIES_POLL_BYTES);

    if (windows == NULL)
        return unknown(only_scopes);
    if (verdict_has_sites(verdict, budget))
        return between(sum->polls_most, lesser(sum->polls_sum, windows->count), VERDICT_COUNT);
    if (is_of_loop(verdict, budget, false))
        return exact(ratio_of(windows->count - stats_zeros(windows), 1), VERDICT_COUNT, "");
    if (!is_of_loop(verdict, budget, true))
        return unknown(only_loop);
    /* A poll that allocates blocks of no bytes alone has a zero there too. */
    const struct stats_histogram *all = model->all_polls[DUMP_SERIES_POLL_BYTES];
    uint64_t of_nothing = less(model->polls.allocating_in_poll, all->count - stats_zeros(all));
    uint64_t least = polls->count - stats_zeros(polls);
    return between(least, lesser(polls->count, least + of_nothing), VERDICT_COUNT);
}

static struct verdict_value share_of_polls(const struct verdict *verdict,
                                           const struct budget *budget,
                                           const struct verdict_sum *sum)
{
    struct verdict_value value = allocating_polls(verdict, budget, sum);
    uint64_t scale;
    const char *name;
    uint64_t polls = verdict_units(verdict->model, budget->scope, BUDGET_PER_POLL, &scale, &name);

    if (value.unknown != NULL)
        return value;
    if (polls == 0)
        return unknown(no_units);
    value.least = (struct ratio){value.least.part * 100, polls, false};
    value.most = (struct ratio){value.most.part * 100, polls, false};
    value.unit = VERDICT_PERCENT;
    return value;
}

static struct verdict_value peak_live(const struct verdict *verdict, const struct budget *budget)
{
    const struct model *model = verdict->model;
    uint64_t slack = model->thread_count > 1 ? DUMP_LIVE_SLACK * (model->thread_count - 1) : 0;
    uint64_t peak = model->live_peak_bytes;

    if (verdict_has_sites(verdict, budget))
        return unknown(only_all_sites);
    return between(less(peak, slack), peak + slack < peak ? UINT64_MAX : peak + slack,
                   VERDICT_BYTES);
}

static struct verdict_value poll_time(const struct verdict *verdict, const struct budget *budget,
                                      enum budget_metric metric)
{
    const struct stats_histogram *times =
        series_of(verdict->model, budget->scope, DUMP_SERIES_POLL_NS);
    double quantile = metric == BUDGET_POLL_TIME_P50   ? 0.5
                      : metric == BUDGET_POLL_TIME_P90 ? 0.9
                                                       : 0.99;

    if (times == NULL)
        return unknown(only_scopes);
    if (times->count == 0)
        return unknown(no_units);
    if (metric == BUDGET_POLL_TIME_MOST)
        return between(times->most, times->most, VERDICT_NANOSECONDS);
    struct stats_range range = stats_quantile(times, quantile);
    return between(range.least, range.most, VERDICT_NANOSECONDS);
}

static struct verdict_value polls_per_second(const struct model *model, const struct budget *budget)
{
    struct budget all = {.scope = budget->scope};
    uint64_t scale;
    const char *name;
    uint64_t polls = verdict_units(model, budget->scope, BUDGET_PER_POLL, &scale, &name);

    if (polls == 0 || (budget->scope != BUDGET_STEADY && budget->scope != BUDGET_PROCESS))
        return unknown(polls == 0 ? no_units : only_scopes);
    return per_unit(model, &all, BUDGET_PER_SECOND, polls, VERDICT_COUNT);
}

struct verdict_value verdict_measure(struct verdict *verdict, const struct budget *budget,
                                     enum budget_metric metric, const struct verdict_sum *sum)
{
    const struct model *model = verdict->model;
    bool some = verdict_has_sites(verdict, budget);
    struct verdict_value whole;

    if (model->sample > 1 && (some || metric == BUDGET_SITES || metric == BUDGET_NEW_SITES))
        return unknown("only some stacks were taken (ALLOCREPORT_SAMPLE)");

    struct model_amount amount = amount_of(verdict, budget, budget->scope, sum);
    switch (metric) {
    case BUDGET_BYTES:
        return of_whole_frames(verdict, budget, false, amount.bytes, &whole)
                   ? whole
                   : per_unit(model, budget, budget->per, amount.bytes, VERDICT_BYTES);
    case BUDGET_ALLOCATIONS:
        return of_whole_frames(verdict, budget, true, amount.allocations, &whole)
                   ? whole
                   : per_unit(model, budget, budget->per, amount.allocations, VERDICT_COUNT);
    case BUDGET_REALLOCATIONS:
        return per_unit(model, budget, budget->per, amount.reallocations, VERDICT_COUNT);
    case BUDGET_LIVE_GROWTH:
        return per_unit(model, budget, budget->per, sum->growth, VERDICT_BYTES);
    case BUDGET_LARGEST:
        return some ? largest_of_sites(budget, sum) : of_windows(verdict, budget, true);
    case BUDGET_P99:
        return some ? unknown(only_all_sites) : of_windows(verdict, budget, false);
    case BUDGET_ALLOCATING_POLLS:
        return allocating_polls(verdict, budget, sum);
    case BUDGET_ALLOCATING_SHARE:
        return share_of_polls(verdict, budget, sum);
    case BUDGET_TOTAL_BYTES:
        return exact(ratio_of(amount.bytes, 1), VERDICT_BYTES, "");
    case BUDGET_TOTAL_ALLOCATIONS:
        return exact(ratio_of(amount.allocations, 1), VERDICT_COUNT, "");
    case BUDGET_SITES:
        return exact(ratio_of(sum->sites, 1), VERDICT_COUNT, "");
    case BUDGET_NEW_SITES:
        return exact(ratio_of(sum->new_sites, 1), VERDICT_COUNT, "");
    case BUDGET_STARTUP_BYTES:
        amount = amount_of(verdict, budget, BUDGET_STARTUP, sum);
        return exact(ratio_of(amount.bytes, 1), VERDICT_BYTES, "");
    case BUDGET_PEAK_LIVE:
        return peak_live(verdict, budget);
    case BUDGET_LEAKED:
        if (model->state != DUMP_ENDED && model->state != DUMP_EXITED)
            return unknown("the program did not end by itself");
        return exact(ratio_of(sum->leaked > 0 ? (uint64_t)sum->leaked : 0, 1), VERDICT_BYTES, "");
    case BUDGET_POLLS_PER_SECOND:
        return polls_per_second(model, budget);
    case BUDGET_POLL_TIME_P50:
    case BUDGET_POLL_TIME_P90:
    case BUDGET_POLL_TIME_P99:
    case BUDGET_POLL_TIME_MOST:
        return poll_time(verdict, budget, metric);
    default:
        return unknown("it is no metric that is known");
    }
}
