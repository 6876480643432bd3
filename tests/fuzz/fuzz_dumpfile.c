/* SPDX-License-Identifier: MIT */
/*
 * fuzz_dumpfile.c: any bytes as a dump: they are read, the model is built, checked, asked and
 * exported. Symbols are left out, so that no path of a hostile dump is opened.
 *
 * With libFuzzer:
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined ... tests/fuzz/fuzz_dumpfile.c
 * Built with -DREPLAY it needs no libFuzzer: `fuzz_dumpfile [-n MUTATIONS] [-s SEED] [FILE...]`
 * runs the files (without any: those of tests/fuzz/corpus and tests/dumps, from the repository's
 * root), and MUTATIONS damaged ones made from them and from dumps of the builder; it speaks TAP.
 */
#include "cli/dumpfile.h"
#include "cli/export.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(struct model *model)
{
    static const enum model_order orders[] = {MODEL_BY_BYTES, MODEL_BY_LIVE, MODEL_BY_MOST};
    struct model_filter filters[] = {MODEL_FILTER_ALL, MODEL_FILTER_ALL, MODEL_FILTER_ALL};
    filters[1].loop = model->loop_count ? model->loops[0].id : 1;
    filters[1].in_poll = 0;
    filters[2].thread = "a*";
    filters[2].phase = MODEL_STEADY;
    filters[2].glob = "lib*!*";
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        size_t count;
        free(model_select(model, &filters[i], orders[i], &count, NULL));
    }
    for (size_t i = 0; i < model->site_count; i++) {
        struct model_line line;
        model_name(model, model->sites[i].stack, &line);
        free(model_line_text(&line));
    }
    for (unsigned i = 0; i < DUMP_SERIES_COUNT; i++) {
        struct stats_range range = stats_quantile(model->steady_polls[i], 0.9);
        if (range.least > range.most)
            abort();
    }
}

static void export(struct model *model)
{
    static FILE *out;
    if (!out && !(out = fopen("/dev/null", "we")))
        abort();
    for (const struct export_format *const *format = export_formats; *format; format++) {
        struct export_request request = {.base = {.model = model,
                                                  .term = {.out = out, .columns = 80},
                                                  .filter = MODEL_FILTER_ALL,
                                                  .limit = SIZE_MAX},
                                         .value = model->pid % EXPORT_VALUES};
        export_begin(&request);
        (*format)->write(&request);
        export_end(&request);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct symbol_line nothing;
    static const struct symbol unknown = {1, &nothing};
    struct dumpfile file;
    if (dumpfile_from_memory(&file, "fuzz", data, size) == 0) {
        for (size_t i = 0; i < file.chunk_count; i++) {
            struct dumpfile_record record = {0};
            while (dumpfile_next(&file.chunks[i], &record)) {
                struct dump_counter copy;
                dumpfile_copy(&record, &copy, sizeof copy);
            }
        }
        struct model *model = model_build(&file);
        for (size_t i = 0; i < model->frame_count; i++)
            model->frames[i].symbol = &unknown;
        ask(model);
        export(model);
        model_check(model, NULL);
        model_close(model);
    }
    dumpfile_close(&file);
    return 0;
}

#ifdef REPLAY
#include "tests/fuzz/replay.h"

int main(int count, char **arguments)
{
    return replay_main(count, arguments);
}
#endif
