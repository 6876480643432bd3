/* SPDX-License-Identifier: MIT */
/*
 * speedscope's own format (its file-format-schema.json): one list of frames, and a profile of
 * weighted stacks for each kind of number.
 */
#include "cli/errors.h"
#include "cli/export_json.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_frames(FILE *out, const struct export_frames *frames)
{
    for (size_t i = 0; i < frames->count; i++) {
        const struct export_frame *frame = &frames->frames[i];
        char *name = frame->text != NULL ? xstrdup(frame->text) : model_line_text(&frame->line);
        fputs(i > 0 ? ",\n{\"name\":" : "\n{\"name\":", out);
        export_json_text(out, name);
        if (frame->text == NULL && frame->line.file != NULL) {
            fputs(",\"file\":", out);
            export_json_text(out, frame->line.file);
            if (frame->line.line > 0)
                fprintf(out, ",\"line\":%" PRIu32, frame->line.line);
        }
        fputc('}', out);
        free(name);
    }
}

/* `value`: EXPORT_VALUES stands for bytes of the steady phase. */
static int64_t weight_of(const struct export_site *site, int value)
{
    if (value == EXPORT_VALUES)
        return site->steady.bytes > INT64_MAX ? INT64_MAX : (int64_t)site->steady.bytes;
    return export_value_of(site, (enum export_value)value);
}

static char *profile_name(const struct export_request *request, int value)
{
    int phase = request->base.filter.phase;
    bool of_phase = phase != MODEL_ANY && (value == EXPORT_BYTES || value == EXPORT_ALLOCATIONS);

    if (value == EXPORT_VALUES)
        return xasprintf("steady bytes (%ss: %" PRIu64 ")", request->summary.unit,
                         request->summary.units);
    return xasprintf("%s%s%s", export_value_name((enum export_value)value),
                     of_phase ? " of the phase " : "",
                     of_phase ? model_phase_name((enum model_phase)phase) : "");
}

/* Outermost first. */
static void print_stack(FILE *out, const struct export_frames *frames,
                        const struct model_stack *stack)
{
    size_t count;
    size_t *numbers = export_frames_stack(frames, stack, &count);

    fputc('[', out);
    for (size_t i = count; i > 0; i--)
        fprintf(out, "%zu%s", numbers[i - 1], i > 1 ? "," : "");
    fputc(']', out);
    free(numbers);
}

static void print_profile(struct export_request *request, const struct export_frames *frames,
                          int value)
{
    FILE *out = request->base.term.out;
    char *name = profile_name(request, value);
    uint64_t sum = 0;
    size_t printed = 0;

    fputs("{\"type\":\"sampled\",\"name\":", out);
    export_json_text(out, name);
    free(name);
    fprintf(out, ",\"unit\":\"%s\",\"startValue\":0,\"samples\":[",
            value == EXPORT_ALLOCATIONS ? "none" : "bytes");
    for (size_t i = 0; i < request->count; i++) {
        int64_t weight = weight_of(&request->sites[i], value);
        request->left_out += weight < 0;
        if (weight <= 0)
            continue;
        fputs(printed++ > 0 ? ",\n" : "\n", out);
        print_stack(out, frames, request->sites[i].row.site->stack);
        sum += (uint64_t)weight;
    }
    fputs("],\n\"weights\":[", out);
    printed = 0;
    for (size_t i = 0; i < request->count; i++) {
        int64_t weight = weight_of(&request->sites[i], value);
        if (weight > 0)
            fprintf(out, "%s%" PRId64, printed++ > 0 ? "," : "", weight);
    }
    fprintf(out, "],\"endValue\":%" PRIu64 "}", sum);
}

static void write_speedscope(struct export_request *request)
{
    FILE *out = request->base.term.out;
    struct export_frames frames = export_frames_of(request);
    char *program = export_program(request->base.model);
    bool steady = request->summary.units > 0 && request->summary.steady.bytes > 0;

    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
          "\"exporter\":\"allocreport " ALLOCREPORT_VERSION "\",\n\"name\":",
          out);
    export_json_text(out, program);
    fprintf(out, ",\n\"activeProfileIndex\":%d,\n\"shared\":{\"frames\":[",
            steady ? EXPORT_VALUES : 0);
    print_frames(out, &frames);
    fputs("]},\n\"profiles\":[\n", out);
    for (int value = 0; value <= EXPORT_VALUES; value++) {
        print_profile(request, &frames, value);
        fputs(value < EXPORT_VALUES ? ",\n" : "\n]}\n", out);
    }
    free(program);
    export_frames_free(&frames);
}

const struct export_format export_speedscope = {
    .name = "speedscope",
    .summary = "JSON of speedscope",
    .write = write_speedscope,
};
