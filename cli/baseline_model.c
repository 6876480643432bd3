/* SPDX-License-Identifier: MIT */
/* A baseline made from a model. */
#include "cli/baseline_private.h"
#include "cli/errors.h"
#include "cli/summary.h"
#include "cli/wrappers.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *machine_of(uint32_t machine)
{
    switch (machine) {
    case EM_X86_64:
        return "x86_64";
    case EM_AARCH64:
        return "aarch64";
    case EM_386:
        return "i686";
    default:
        return "";
    }
}

static void take_environment(struct baseline *baseline, const struct model *model)
{
    struct baseline_environment *environment = &baseline->environment;

    baseline->patch = patchfigures_of(model);
    environment->program = baseline_intern_module(baseline, model->program_name);
    environment->arch = baseline_intern(baseline, machine_of(model->machine));
    environment->sdl = baseline_intern(baseline, model->sdl_version);
    environment->video = baseline_intern(baseline, model->video_driver);
    environment->libc = baseline_intern(baseline, model->libc);
    for (size_t i = 0; i < model->module_count; i++)
        if (model->modules[i].executable) {
            environment->program = baseline_intern_module(baseline, model->modules[i].name);
            environment->build_id = baseline_intern(baseline, model->modules[i].build_id);
            break;
        }
}

static struct baseline_series series_of(const struct stats_histogram *histogram)
{
    return (struct baseline_series){
        .count = histogram->count,
        .sum = histogram->sum,
        .zeros = stats_zeros(histogram),
        .least = histogram->count > 0 ? histogram->least : 0,
        .most = histogram->most,
        .p50 = stats_quantile(histogram, 0.5),
        .p90 = stats_quantile(histogram, 0.9),
        .p99 = stats_quantile(histogram, 0.99),
    };
}

static void take_units(struct baseline_scope *scope, const struct model_rate *rate,
                       const struct stats_histogram *const *series)
{
    for (unsigned s = 0; s < DUMP_SERIES_COUNT; s++)
        scope->series[s] = series_of(series[s]);
    scope->polls = rate->polls;
    scope->ns = rate->ns;
    scope->frames = scope->series[DUMP_SERIES_FRAME_BYTES].count;
    scope->drains = scope->series[DUMP_SERIES_DRAIN_BYTES].count;
    const struct baseline_series *windows = &scope->series[DUMP_SERIES_WINDOW_ALLOCATIONS];
    scope->allocating_polls = windows->count - windows->zeros;
}

static void take_scopes(struct baseline *baseline, const struct model *model)
{
    for (unsigned phase = 0; phase < MODEL_PHASES; phase++)
        for (unsigned place = 0; place < MODEL_PLACES; place++) {
            const struct model_amount *cell = &model->totals.cell[phase][place];
            model_amount_add(&baseline->scope[phase].place[place], cell);
            model_amount_add(&baseline->scope[phase].all, cell);
            model_amount_add(&baseline->scope[BUDGET_PROCESS].place[place], cell);
            model_amount_add(&baseline->scope[BUDGET_PROCESS].all, cell);
        }
    take_units(&baseline->scope[BUDGET_STEADY], &model->steady, model->steady_polls);
    take_units(&baseline->scope[BUDGET_PROCESS], &model->rate, model->all_polls);
}

static const char *function_of(struct baseline *baseline, const struct model_line *line)
{
    if (line->function != NULL && *line->function != '\0')
        return baseline_intern(baseline, line->function);
    char *text = xasprintf("+0x%" PRIx64, line->offset);
    const char *kept = baseline_intern(baseline, text);
    free(text);
    return kept;
}

void baseline_take_lines(struct baseline *baseline, struct model *model,
                         const struct model_stack *stack, struct baseline_site *site)
{
    size_t count;
    struct model_line *from = model_lines(model, stack, &count);
    struct baseline_line *lines = baseline_alloc(baseline, count, sizeof *lines);
    bool named = false;

    for (size_t i = 0; i < count; i++) {
        struct baseline_line line = {
            baseline_intern_module(baseline, from[i].module != NULL ? from[i].module->name : ""),
            function_of(baseline, &from[i])};
        const struct baseline_line *last =
            site->line_count > 0 ? &lines[site->line_count - 1] : NULL;
        if (last != NULL && last->module == line.module && last->function == line.function)
            continue;
        if (!named && !wrappers_has(from[i].function)) {
            site->named = site->line_count;
            named = true;
        }
        lines[site->line_count++] = line;
    }
    site->lines = lines;
    free(from);
}

/* One for each place that the site's threads make it. */
static void take_site(struct baseline *baseline, struct model *model, const struct model_site *from)
{
    struct baseline_site parts[MODEL_PLACES] = {{0}};
    struct baseline_site names = {0};

    baseline_take_lines(baseline, model, from->stack, &names);
    for (uint32_t i = from->counter; i < from->counter + from->counters; i++) {
        const struct model_counter *counter = &model->counters[i];
        enum model_place place =
            from->in_poll                                                            ? MODEL_IN_POLL
            : counter->thread == MODEL_NONE || model->threads[counter->thread].polls ? MODEL_BETWEEN
                                                                                     : MODEL_OTHER;
        struct baseline_site *part = &parts[place];
        part->line_count = SIZE_MAX; /* is used */
        for (unsigned p = 0; p < MODEL_PHASES; p++)
            model_amount_add(&part->phase[p], &counter->phase[p]);
        if (counter->polls_steady > part->polls_steady)
            part->polls_steady = counter->polls_steady;
        if (__builtin_add_overflow(part->most_bytes, counter->most_bytes, &part->most_bytes))
            part->most_bytes = UINT64_MAX;
    }
    for (unsigned place = 0; place < MODEL_PLACES; place++) {
        if (parts[place].line_count == 0)
            continue;
        parts[place].place = (enum model_place)place;
        parts[place].lines = names.lines;
        parts[place].line_count = names.line_count;
        parts[place].named = names.named;
        parts[place].cadence = from->cadence.kind;
        baseline->sites[baseline->site_count++] = parts[place];
    }
}

static int by_name(const void *a, const void *b)
{
    const struct baseline_module *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : strcmp(x->build_id, y->build_id);
}

/* The modules of lines without names, each once; returns how many. */
static size_t list_nameless(const struct baseline *baseline, const char **names, size_t most)
{
    size_t count = 0;

    for (size_t i = 0; i < baseline->site_count; i++)
        for (size_t k = 0; k < baseline->sites[i].line_count; k++) {
            const struct baseline_line *line = &baseline->sites[i].lines[k];
            size_t at = 0;
            while (at < count && names[at] != line->module)
                at++;
            if (*line->function == '+' && at == count && count < most)
                names[count++] = line->module;
        }
    return count;
}

static bool is_listed(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (names[i] == name)
            return true;
    return false;
}

/* Two builds under one name are as good as none. */
static void take_modules(struct baseline *baseline, const struct model *model)
{
    const char **nameless = xcalloc(model->module_count + 1, sizeof *nameless);
    size_t nameless_count = list_nameless(baseline, nameless, model->module_count + 1);
    size_t count = 0;

    baseline->modules = baseline_alloc(baseline, model->module_count, sizeof *baseline->modules);
    for (size_t i = 0; i < model->module_count; i++) {
        const char *name = baseline_intern_module(baseline, model->modules[i].name);
        if (is_listed(name, nameless, nameless_count))
            baseline->modules[count++] = (struct baseline_module){
                name, baseline_intern(baseline, model->modules[i].build_id)};
    }
    free(nameless);
    if (count == 0)
        return;
    qsort(baseline->modules, count, sizeof *baseline->modules, by_name);
    size_t kept = 0;
    for (size_t i = 1; i < count; i++) {
        struct baseline_module *last = &baseline->modules[kept];
        if (last->name != baseline->modules[i].name)
            baseline->modules[++kept] = baseline->modules[i];
        else if (last->build_id != baseline->modules[i].build_id)
            last->build_id = baseline_intern(baseline, "");
    }
    baseline->module_count = kept + 1;
}

static uint64_t lost_of(const struct model *model)
{
    static const unsigned losses[] = {DUMP_LOSS_STACKS, DUMP_LOSS_COUNTERS, DUMP_LOSS_NESTED,
                                      DUMP_LOSS_LOOPS,  DUMP_LOSS_THREADS,  DUMP_LOSS_NO_SPACE};
    uint64_t lost = 0;

    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        if (__builtin_add_overflow(lost, model->loss[losses[i]], &lost))
            lost = UINT64_MAX;
    return lost;
}

struct baseline *baseline_of(struct model *model)
{
    struct baseline *baseline = baseline_new(model->path);

    take_environment(baseline, model);
    baseline->of_dump = true;
    baseline->blind = summary_is_blind(model);
    baseline->damaged = model->damaged;
    baseline->no_polls = model->rate.polls == 0;
    baseline->no_steady = model->steady.polls == 0;
    baseline->ended = !model->running && !model->killed;
    baseline->sample = model->sample > 0 ? model->sample : 1;
    baseline->lost = lost_of(model);
    take_scopes(baseline, model);
    baseline->peak_live = model->live_peak_bytes;
    baseline->leaked = model->live_bytes;
    baseline->sites =
        baseline_alloc(baseline, model->site_count * MODEL_PLACES, sizeof *baseline->sites);
    for (size_t i = 0; i < model->site_count; i++)
        take_site(baseline, model, &model->sites[i]);
    baseline_merge_sites(baseline);
    take_modules(baseline, model);
    return baseline;
}
