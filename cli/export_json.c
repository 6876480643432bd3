/* SPDX-License-Identifier: MIT */
#include "cli/export_json.h"

#include "cli/errors.h"
#include "cli/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void export_json_text(FILE *out, const char *text)
{
    char *valid = text_valid(text);
    json_t *string = json_string(valid);

    json_dumpf(string, out, JSON_ENCODE_ANY);
    json_decref(string);
    free(valid);
}

void export_json_us(FILE *out, uint64_t ns)
{
    fprintf(out, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
}

static size_t add(struct export_frames *frames, struct export_frame frame)
{
    if (frames->count == frames->room) {
        frames->room = 2 * frames->room + 64;
        frames->frames = xreallocarray(frames->frames, frames->room, sizeof *frames->frames);
    }
    frames->frames[frames->count] = frame;
    return frames->count++;
}

static size_t find_text(const struct export_frames *frames, const char *text)
{
    size_t number = 0;

    while (number < frames->count &&
           (frames->frames[number].text == NULL || strcmp(frames->frames[number].text, text) != 0))
        number++;
    return number;
}

static void add_frame(struct export_frames *frames, struct model *model, uint32_t place)
{
    const struct model_stack stack = {.count = 1, .frames = &place};
    struct model_line *lines;

    if (frames->first[place] != 0)
        return;
    lines = model_lines(model, &stack, &frames->lines[place]);
    frames->first[place] = frames->count + 1;
    for (size_t i = 0; i < frames->lines[place]; i++)
        add(frames, (struct export_frame){.line = lines[i]});
    free(lines);
}

struct export_frames export_frames_of(const struct export_request *request)
{
    struct model *model = request->base.model;
    struct export_frames frames = {
        .first = xcalloc(model->frame_count + 1, sizeof *frames.first),
        .lines = xcalloc(model->frame_count + 1, sizeof *frames.lines),
    };

    /* The few texts stand in front, where they are found soon. */
    for (size_t i = 0; i < request->count; i++) {
        const char *cut = export_cut(request->sites[i].row.site->stack);
        if (cut != NULL && find_text(&frames, cut) == frames.count)
            add(&frames, (struct export_frame){.text = cut});
    }
    for (size_t i = 0; i < request->count; i++) {
        const struct model_stack *stack = request->sites[i].row.site->stack;
        for (uint32_t k = 0; k < stack->count; k++)
            add_frame(&frames, model, stack->frames[k]);
    }
    return frames;
}

void export_frames_free(struct export_frames *frames)
{
    free(frames->frames);
    free(frames->first);
    free(frames->lines);
    *frames = (struct export_frames){0};
}

size_t *export_frames_stack(const struct export_frames *frames, const struct model_stack *stack,
                            size_t *count)
{
    const char *cut = export_cut(stack);
    size_t all = cut != NULL;

    for (uint32_t i = 0; i < stack->count; i++)
        all += frames->lines[stack->frames[i]];
    size_t *numbers = xcalloc(all + 1, sizeof *numbers);
    *count = 0;
    for (uint32_t i = 0; i < stack->count; i++)
        for (size_t k = 0; k < frames->lines[stack->frames[i]]; k++)
            numbers[(*count)++] = frames->first[stack->frames[i]] - 1 + k;
    if (cut != NULL)
        numbers[(*count)++] = find_text(frames, cut);
    return numbers;
}
