/* SPDX-License-Identifier: MIT */
/*
 * fuzz_baseline.c: any bytes as a baseline: what can be read is written and read again to the same
 * text, is the same as itself, and is compared with a sound one in every format. Built as
 * fuzz_dumpfile.c says; its files are those of tests/fuzz/baselines.
 */
#include "cli/baseline.h"
#include "cli/compare.h"
#include "cli/out.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static struct baseline *parse(const char *text, size_t size)
{
    char *why;
    struct baseline *baseline = baseline_parse(text, size, &why);

    /* One line that says why, or none. */
    demand((baseline == NULL) == (why != NULL));
    demand(why == NULL || (*why != '\0' && strchr(why, '\n') == NULL));
    free(why);
    return baseline;
}

/* Written, read and written again it is the same text. */
static struct baseline *check_text(const struct baseline *baseline)
{
    char *once = baseline_text(baseline);
    struct baseline *again = parse(once, strlen(once));

    demand(again != NULL);
    char *twice = baseline_text(again);
    demand(strcmp(once, twice) == 0);
    free(once);
    free(twice);
    return again;
}

static void print(const struct compare *compare, struct baseline *const *before,
                  struct baseline *const *after)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct out_compare request = {.compare = compare,
                                        .before = before,
                                        .after = after,
                                        .term = {.out = out, .columns = 80, .utf8 = true},
                                        .limit = 50,
                                        .same = true,
                                        .stacks = true};

    demand(out != NULL);
    out_text.compare(&request);
    out_json.compare(&request);
    out_markdown_compare(&request);
    fclose(out);
    free(text);
}

static int compare_two(struct baseline *before, struct baseline *after, enum model_phase phase)
{
    struct baseline *const a[] = {before, before}, *const b[] = {after};
    struct compare_options options = compare_defaults();

    options.phase = phase;
    struct compare *compare = compare_runs(a, 2, b, 1, &options);
    int status = compare_status(compare);
    demand(status == 0 || status == 1 || status == 4);
    print(compare, a, b);
    compare_free(compare);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct baseline *last;
    struct baseline *baseline = parse((const char *)data, size);

    if (baseline == NULL)
        return 0;
    struct baseline *again = check_text(baseline);
    demand(compare_two(baseline, again, MODEL_STEADY) != 1);
    if (last != NULL) {
        compare_two(baseline, last, MODEL_STARTUP);
        compare_two(last, baseline, MODEL_STEADY);
        baseline_tighten(again, last, true);
        baseline_free(check_text(again));
    }
    baseline_free(again);
    baseline_free(last);
    last = baseline;
    return 0;
}

#ifdef REPLAY
#define REPLAY_CORPUS "tests/fuzz/baselines"
#include "tests/fuzz/replay.h"

int main(int count, char **arguments)
{
    return replay_main(count, arguments);
}
#endif
