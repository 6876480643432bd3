/* SPDX-License-Identifier: MIT */
/*
 * fuzz_budget.c: any bytes as a budget file: it is refused in one line, or judges a run, and every
 * format of the answer can be printed. Built as fuzz_dumpfile.c says; its files are those of
 * tests/fuzz/budgets.
 */
#include "cli/budget.h"
#include "cli/dumpfile.h"
#include "cli/out_verdict.h"
#include "cli/text.h"
#include "tests/unit/dump_builder.h"

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

/* The run that is judged: of dump_builder's example, without symbols. */
static struct model *example(void)
{
    static const struct symbol_line nothing;
    static const struct symbol unknown = {1, &nothing};
    struct builder builder;
    struct dumpfile file;
    size_t size;

    builder_example(&builder);
    uint8_t *data = builder_image(&builder, &size);
    builder_end(&builder);
    demand(dumpfile_from_memory(&file, "fuzz", data, size) == 0);
    struct model *model = model_build(&file);
    for (size_t i = 0; i < model->frame_count; i++)
        model->frames[i].symbol = &unknown;
    dumpfile_close(&file);
    free(data);
    return model;
}

static void print(struct model *model, const struct verdict *verdict)
{
    for (int kind = OUT_VERDICT_TEXT; kind <= OUT_VERDICT_MARKDOWN; kind++) {
        char *text = NULL;
        size_t size;
        struct out_verdict_request request = {.base = {.model = model}, .verdict = verdict};

        request.base.term = (struct term){.columns = 80};
        request.base.term.out = open_memstream(&text, &size);
        demand(request.base.term.out != NULL);
        out_verdict_formats[kind].print(&request);
        fclose(request.base.term.out);
        demand(size > 0 && (kind != OUT_VERDICT_TEXT || strchr(text, '\x1b') == NULL));
        free(text);
    }
}

/* "fuzz.yml:LINE:COLUMN: ...": one line of text without hidden characters. */
static bool is_message(const char *why)
{
    unsigned line = 0;
    unsigned column = 0;
    int end = 0;
    char *shown = text_escape(why, strlen(why), true);
    bool plain = strcmp(shown, why) == 0;

    free(shown);
    return plain && sscanf(why, "fuzz.yml:%u:%u: %n", &line, &column, &end) == 2 && end > 0 &&
           line > 0 && column > 0 && why[end] != '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct verdict_options options = {.strict = true, .now = 1780000000};
    char *why = NULL;
    struct budget_file *file = budget_parse("fuzz.yml", (const char *)data, size, &why);

    demand((file == NULL) == (why != NULL));
    demand(why == NULL || is_message(why));
    free(why);
    if (file == NULL)
        return 0;
    demand(file->budget_count > 0);
    struct model *model = example();
    struct verdict *verdict = verdict_of(model, file, &options);
    demand(verdict->code >= 0 && verdict->code <= 6);
    demand((verdict->failing == 0) == (verdict->code == 0));
    print(model, verdict);
    verdict_free(verdict);
    budget_free(file);
    model_close(model);
    return 0;
}

#ifdef REPLAY
#define REPLAY_CORPUS "tests/fuzz/budgets"
#include "tests/fuzz/replay.h"

int main(int count, char **arguments)
{
    return replay_main(count, arguments);
}
#endif
