/* SPDX-License-Identifier: MIT */
#include "cli/gate.h"

#include "cli/compare.h"
#include "cli/errors.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

int gate_open(struct gate *gate, const struct gate_options *options)
{
    bool makes = options->update && options->baseline != NULL &&
                 access(options->baseline, F_OK) != 0 && errno == ENOENT;

    *gate = (struct gate){.options = options};
    gate->file = options->budget != NULL ? budget_read(options->budget) : budget_default();
    if (gate->file == NULL)
        return EXIT_USAGE;
    if (options->baseline != NULL && !makes) {
        gate->baseline = baseline_read(options->baseline);
        if (gate->baseline == NULL) {
            gate_close(gate);
            return EXIT_UNREADABLE;
        }
    }
    return EXIT_FINE;
}

void gate_close(struct gate *gate)
{
    budget_free(gate->file);
    baseline_free(gate->baseline);
    gate->file = NULL;
    gate->baseline = NULL;
}

/* A dump of which a part is missing may hold less than was allocated. */
static bool is_whole(const struct model *model)
{
    if (model->damaged)
        error("'%s' is damaged at byte %" PRIu64 ": a part of a dump is not judged", model->path,
              model->damaged_at);
    return !model->damaged;
}

static struct verdict *judge(const struct gate *gate, const struct out_request *request,
                             const char *failure)
{
    struct verdict_options options = {
        .strict = gate->options->strict,
        .baseline = gate->baseline,
        .updates = gate->options->update || gate->options->tighten,
        .now = time(NULL),
        .failure = failure,
    };
    char **differences = NULL;
    struct baseline *now = NULL;

    if (gate->baseline != NULL) {
        now = baseline_of(request->model);
        options.difference_count = baseline_differences(now, gate->baseline, &differences);
        options.differences = (const char *const *)differences;
    }
    struct verdict *verdict = verdict_of(request->model, gate->file, &options);
    for (size_t i = 0; i < options.difference_count; i++)
        free(differences[i]);
    free(differences);
    baseline_free(now);
    return verdict;
}

/* Writes one format to a file, or at its end. */
static int write_file(const struct out_verdict_request *request, enum out_verdict_kind kind,
                      const char *path, const char *mode)
{
    struct out_verdict_request there = *request;
    FILE *out = fopen(path, mode);

    if (out == NULL)
        return error("cannot write '%s': %s", path, strerror(errno));
    there.base.term = (struct term){.out = out, .columns = 100, .utf8 = true};
    out_verdict_formats[kind].print(&there);
    if ((ferror(out) != 0) + (fclose(out) != 0) > 0)
        return error("cannot write '%s': %s", path, strerror(errno));
    return 0;
}

static bool is_in_github(void)
{
    const char *actions = getenv("GITHUB_ACTIONS");

    return actions != NULL && strcmp(actions, "true") == 0;
}

/* Names in the text are the program's: between two lines with a word that nobody can foretell, the
 * runner takes none of them for a command. */
static void print_in_github(const struct out_verdict_request *request)
{
    FILE *out = request->base.term.out;
    uint64_t word[2] = {0};

    out_verdict_github(request);
    if (getrandom(word, sizeof word, 0) != sizeof word)
        word[0] = (uint64_t)time(NULL) << 32 ^ (uint64_t)getpid();
    fprintf(out, "::stop-commands::%016" PRIx64 "%016" PRIx64 "\n", word[0], word[1]);
    out_verdict_text(request);
    fprintf(out, "::%016" PRIx64 "%016" PRIx64 "::\n", word[0], word[1]);
}

/* Prints the answer wherever it is to go; -1: some of it could not be written, said why. */
static int print_answer(const struct gate *gate, const struct out_verdict_request *request)
{
    const struct gate_options *options = gate->options;
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    int result = 0;

    if (is_in_github() && options->format == OUT_VERDICT_TEXT)
        print_in_github(request);
    else
        out_verdict_formats[options->format].print(request);
    if (is_in_github() && summary != NULL && *summary != '\0')
        result |= write_file(request, OUT_VERDICT_MARKDOWN, summary, "ae");
    if (options->junit != NULL)
        result |= write_file(request, OUT_VERDICT_JUNIT, options->junit, "we");
    if (options->markdown != NULL)
        result |= write_file(request, OUT_VERDICT_MARKDOWN, options->markdown, "we");
    return result;
}

int gate_judge(const struct gate *gate, const struct out_request *request, const char *failure)
{
    if (!is_whole(request->model))
        return EXIT_UNREADABLE;

    struct verdict *verdict = judge(gate, request, failure);
    struct out_verdict_request out = {
        .base = *request, .verdict = verdict, .baseline = gate->options->baseline};
    int status = verdict->code;

    if (print_answer(gate, &out) != 0 && status == EXIT_FINE)
        status = EXIT_INCONCLUSIVE;
    if (status == EXIT_USAGE)
        for (size_t i = 0; i < verdict->item_count; i++) {
            const struct verdict_item *item = &verdict->items[i];
            char *mark = out_verdict_mark(&out, item);

            if (item->status == VERDICT_WRONG)
                error("%s%s%s: %s", mark, *mark != '\0' ? ": " : "", item->name, item->text);
            free(mark);
        }
    verdict_free(verdict);
    return status;
}

/* What cannot be told of a run, or is wrong with a budget, must not become what others are compared
 * with. */
static int may_be_kept(const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];

        if (item->status == VERDICT_WRONG ||
            (item->kind == VERDICT_REQUIREMENT && item->status == VERDICT_UNKNOWN)) {
            error("the baseline stays as it is: %s: %s", item->name, item->text);
            return item->status == VERDICT_WRONG ? EXIT_USAGE : EXIT_INCONCLUSIVE;
        }
    }
    return EXIT_FINE;
}

int gate_update(const struct gate *gate, const struct out_request *request)
{
    const struct gate_options *options = gate->options;

    if (!is_whole(request->model))
        return EXIT_UNREADABLE;
    struct verdict *verdict = judge(gate, request, NULL);
    int status = may_be_kept(verdict);

    if (status == EXIT_FINE) {
        struct baseline *now = baseline_of(request->model);

        verdict_keep(verdict, now);
        status = compare_update(options->baseline, now,
                                options->tighten ? COMPARE_TIGHTEN : COMPARE_UPDATE, options->ci,
                                &request->term);
        baseline_free(now);
    }
    verdict_free(verdict);
    return status;
}
