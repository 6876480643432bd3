/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/verdict_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep(struct verdict *verdict, void *block)
{
    struct verdict_private *inner = verdict->private;

    inner->blocks = xreallocarray(inner->blocks, inner->block_count + 1, sizeof *inner->blocks);
    inner->blocks[inner->block_count++] = block;
}

void *verdict_memory(struct verdict *verdict, size_t count, size_t size)
{
    void *block = xcalloc(count > 0 ? count : 1, size);

    keep(verdict, block);
    return block;
}

const char *verdict_text(struct verdict *verdict, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = xstrdup("");
    va_end(arguments);
    keep(verdict, text);
    return text;
}

/* Names tell items apart in every output. */
static const char *unlike_others(struct verdict *verdict, const char *name)
{
    const char *unlike = name;

    for (unsigned number = 2;; number++) {
        size_t i = 0;

        while (i < verdict->item_count && strcmp(verdict->items[i].name, unlike) != 0)
            i++;
        if (i == verdict->item_count)
            return unlike;
        unlike = verdict_text(verdict, "%s (%u)", name, number);
    }
}

struct verdict_item *verdict_add(struct verdict *verdict, enum verdict_kind kind, const char *name)
{
    if (verdict->item_count == verdict->private->room) {
        verdict->private->room = 2 * verdict->private->room + 16;
        verdict->items =
            xreallocarray(verdict->items, verdict->private->room, sizeof *verdict->items);
    }
    name = unlike_others(verdict, name);
    struct verdict_item *item = &verdict->items[verdict->item_count++];
    *item = (struct verdict_item){.kind = kind,
                                  .name = name,
                                  .text = "",
                                  .per = "",
                                  .least = ratio_of(0, 1),
                                  .most = ratio_of(0, 1),
                                  .bound = ratio_of(0, 1),
                                  .actual_text = "",
                                  .bound_text = "",
                                  .over_text = ""};
    return item;
}

struct verdict *verdict_of(struct model *model, const struct budget_file *file,
                           const struct verdict_options *options)
{
    struct verdict *verdict = xcalloc(1, sizeof *verdict);

    verdict->private = xcalloc(1, sizeof *verdict->private);
    verdict->private->model = model;
    verdict->private->options = *options;
    verdict->model = model;
    verdict->file = file;
    verdict->strict = options->strict;
    verdict->headline = "";
    verdict->steady_polls = model->polls.steady;
    verdict->warmup_polls = model->polls.count - model->polls.steady;
    verdict_match(verdict);
    verdict_require(verdict);
    verdict_limits(verdict);
    verdict_allow(verdict);
    verdict_conclude(verdict);
    return verdict;
}

void verdict_free(struct verdict *verdict)
{
    if (verdict == NULL)
        return;
    for (size_t i = 0; i < verdict->private->block_count; i++)
        free(verdict->private->blocks[i]);
    free(verdict->private->blocks);
    free(verdict->private);
    free(verdict->items);
    free(verdict);
}
