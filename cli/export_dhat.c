/* SPDX-License-Identifier: MIT */
/*
 * The JSON of DHAT's viewer, dh_view.html of valgrind (format 2, as dhat/dh_main.c states it).
 * Lifetimes and accesses of blocks are not known: "bklt" and "bkacc" say so, and the viewer leaves
 * out what they would show.
 */
#include "cli/errors.h"
#include "cli/export_json.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const verbs[] = {[EXPORT_BYTES] = "Allocated",
                                    [EXPORT_ALLOCATIONS] = "Allocated",
                                    [EXPORT_LIVE] = "In use at the end",
                                    [EXPORT_TEMPORARY] = "Freed in the poll that made them"};

/* Numbers of the frame table: 0 is the viewer's root, then where an allocation was made. */
static const char *const heads[] = {"[root]", "[in poll]", "[outside polls]"};
#define HEADS (sizeof heads / sizeof heads[0])

static void print_table(FILE *out, const struct export_frames *frames)
{
    for (size_t i = 0; i < HEADS; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        export_json_text(out, heads[i]);
    }
    for (size_t i = 0; i < frames->count; i++) {
        const struct export_frame *frame = &frames->frames[i];
        const struct model_line *line = &frame->line;
        char *text;
        if (frame->text != NULL) {
            text = xstrdup(frame->text);
        } else {
            char *name = model_line_text(line);
            uint64_t bias =
                line->module != NULL && !line->module->anonymous ? line->module->bias : 0;
            char *place = line->file != NULL
                              ? xasprintf("%s:%" PRIu32, line->file, line->line)
                              : xstrdup(line->module != NULL ? line->module->path : "unknown");
            text = xasprintf("0x%" PRIX64 ": %s (%s)", bias + line->offset, name, place);
            free(place);
            free(name);
        }
        fputs(",\n", out);
        export_json_text(out, text);
        free(text);
    }
}

/* Bytes and blocks of what the request shows. */
static void amounts(const struct export_request *request, const struct export_site *site,
                    int64_t *bytes, int64_t *blocks)
{
    switch (request->value) {
    case EXPORT_LIVE:
        *bytes = site->row.live_bytes;
        *blocks = site->row.live_blocks;
        break;
    case EXPORT_TEMPORARY:
        *bytes = (int64_t)site->row.temporary_bytes;
        *blocks = (int64_t)site->row.temporary;
        break;
    default:
        *bytes = (int64_t)site->row.amount.bytes;
        *blocks = (int64_t)site->row.amount.allocations;
    }
}

static void print_points(struct export_request *request, const struct export_frames *frames)
{
    FILE *out = request->base.term.out;
    size_t printed = 0;

    for (size_t i = 0; i < request->count; i++) {
        const struct model_site *site = request->sites[i].row.site;
        int64_t bytes, blocks;
        amounts(request, &request->sites[i], &bytes, &blocks);
        request->left_out += bytes < 0 || blocks < 0;
        if (bytes < 0 || blocks < 0 || (bytes == 0 && blocks == 0))
            continue;
        /* The viewer wants at most one point of a stack; where it was made tells two apart. */
        fprintf(out, "%s{\"tb\":%" PRId64 ",\"tbk\":%" PRId64 ",\"fs\":[%d",
                printed++ > 0 ? ",\n" : "\n", bytes, blocks, site->in_poll ? 1 : 2);
        size_t count;
        size_t *numbers = export_frames_stack(frames, site->stack, &count);
        for (size_t k = 0; k < count; k++)
            fprintf(out, ",%zu", HEADS + numbers[k]);
        fputs("]}", out);
        free(numbers);
    }
}

static void write_dhat(struct export_request *request)
{
    const struct model *model = request->base.model;
    FILE *out = request->base.term.out;
    struct export_frames frames = export_frames_of(request);
    char *program = export_program(model);

    fprintf(out, "{\"dhatFileVersion\":2,\"mode\":\"allocreport\",\"verb\":\"%s\",\n",
            verbs[request->value]);
    fputs("\"bklt\":false,\"bkacc\":false,\"tu\":\"us\",\"Mtu\":\"s\",\"tuth\":0,\n\"cmd\":", out);
    export_json_text(out, program);
    fprintf(out, ",\n\"pid\":%" PRIu32 ",\"te\":%" PRIu64 ",\n\"pps\":[", model->pid,
            model->last_ns / 1000 + (model->last_ns < 1000));
    print_points(request, &frames);
    fputs("],\n\"ftbl\":[", out);
    print_table(out, &frames);
    fputs("]}\n", out);
    free(program);
    export_frames_free(&frames);
}

const struct export_format export_dhat = {
    .name = "dhat",
    .summary = "JSON of valgrind's dh_view",
    .one_value = true,
    .write = write_dhat,
};
