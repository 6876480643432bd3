/* SPDX-License-Identifier: MIT */
/*
 * Chrome's trace events, which Perfetto reads too ("Trace Event Format"): counters of what a frame
 * costs over time, and the worst polls as slices. Times are microseconds since the recording began.
 */
#include "cli/errors.h"
#include "cli/export_json.h"
#include "cli/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    struct export_request *request;
    FILE *out;
    uint32_t pid;
    bool any; /* an event was printed */
};

/* Opens an event; its "args" are open too. */
static void begin(struct trace *trace, char kind, const char *name, uint32_t thread, uint64_t ns)
{
    fprintf(trace->out, "%s{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":",
            trace->any ? ",\n" : "\n", kind, trace->pid, thread);
    export_json_us(trace->out, ns);
    fputs(",\"name\":", trace->out);
    export_json_text(trace->out, name);
    trace->any = true;
}

static void name_of(struct trace *trace, const char *what, uint32_t thread, const char *name)
{
    begin(trace, 'M', what, thread, 0);
    fputs(",\"args\":{\"name\":", trace->out);
    export_json_text(trace->out, name);
    fputs("}}", trace->out);
}

static void count(struct trace *trace, const char *name, uint64_t ns, double value)
{
    begin(trace, 'C', name, 0, ns);
    fprintf(trace->out, ",\"args\":{\"value\":%.17g}}", value);
}

static void mark(struct trace *trace, const char *name, uint64_t ns)
{
    begin(trace, 'i', name, 0, ns);
    fputs(",\"s\":\"p\"}", trace->out);
}

/* What buckets that have no end of a frame leave to the next one. */
struct span {
    bool open;
    uint64_t from, bytes, poll_ns;
};

static void print_counters(struct trace *trace)
{
    const struct model *model = trace->request->base.model;
    bool presents = model->frame_info.function != NULL;
    char *bytes = xasprintf("bytes per %s", presents ? "frame" : "drain");
    char *time = xasprintf("%s time, ms", presents ? "frame" : "drain");
    char *polling = xasprintf("time in polls per %s, ms", presents ? "frame" : "drain");
    struct span span = {0};

    for (size_t i = 0; i < model->bucket_count; i++) {
        const struct model_bucket *bucket = &model->buckets[i];
        uint64_t end = bucket->end_ns < model->last_ns ? bucket->end_ns : model->last_ns;
        double frames = (double)(presents ? bucket->frames : bucket->drains);
        if (!span.open)
            span = (struct span){true, bucket->begin_ns, 0, 0};
        span.bytes += bucket->in_poll_bytes + bucket->between_bytes;
        span.poll_ns += bucket->poll_ns;
        count(trace, "bytes in use", bucket->begin_ns, (double)bucket->live_bytes);
        count(trace, "bytes of the largest poll", bucket->begin_ns, (double)bucket->most_bytes);
        if (frames <= 0)
            continue;
        count(trace, bytes, span.from, (double)span.bytes / frames);
        count(trace, time, span.from,
              end > span.from ? (double)(end - span.from) / 1e6 / frames : 0);
        count(trace, polling, span.from, (double)span.poll_ns / 1e6 / frames);
        span.open = false;
    }
    free(polling);
    free(time);
    free(bytes);
}

static uint32_t thread_of(const struct trace *trace, const struct model_worst *worst)
{
    const struct model *model = trace->request->base.model;
    uint32_t thread = worst->loop != NULL ? worst->loop->thread : model->primary;

    return thread != MODEL_NONE ? model->threads[thread].tid : model->pid;
}

static void print_worst(struct trace *trace, const struct model_worst *worst, uint64_t from)
{
    struct model *model = trace->request->base.model;
    uint64_t poll = worst->poll_ns < worst->end_ns - from ? worst->poll_ns : worst->end_ns - from;
    uint32_t thread = thread_of(trace, worst);
    char *name =
        xasprintf("poll %s: %s", format_count(worst->poll).text, format_bytes(worst->bytes).text);

    begin(trace, 'X', name, thread, from);
    free(name);
    fputs(",\"cat\":\"worst polls\",\"dur\":", trace->out);
    export_json_us(trace->out, worst->end_ns - from);
    fprintf(trace->out,
            ",\"args\":{\"poll\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"allocations\":%" PRIu64
            ",\"bytes in the poll\":%" PRIu64 ",\"steady\":%s,\"sites\":[",
            worst->poll, worst->bytes, worst->allocations, worst->in_poll_bytes,
            worst->steady ? "true" : "false");
    for (uint32_t i = 0; i < worst->site_count; i++) {
        const struct model_worst_site *site = &worst->sites[i];
        struct model_line line;
        char *function = site->site != NULL && model_name(model, site->site->stack, &line)
                             ? model_line_text(&line)
                             : xstrdup("(no stack)");
        char *text = xasprintf("%s B in %s: %s", format_count(site->bytes).text,
                               format_count(site->allocations).text, function);
        fputs(i > 0 ? "," : "", trace->out);
        export_json_text(trace->out, text);
        free(text);
        free(function);
    }
    fputs("]}}", trace->out);
    begin(trace, 'X', "in the poll", thread, worst->end_ns - poll);
    fputs(",\"cat\":\"worst polls\",\"dur\":", trace->out);
    export_json_us(trace->out, poll);
    fputs("}", trace->out);
}

static int by_end(const void *a, const void *b)
{
    const struct model_worst *x = a;
    const struct model_worst *y = b;

    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    if (x->window != y->window)
        return x->window < y->window ? -1 : 1;
    return (y->steady > x->steady) - (y->steady < x->steady);
}

/* Both lists, each poll once. A slice lasts from the begin of the poll before to the end of its
 * own: what lies between is the window that allocated. Slices of one thread do not overlap, as
 * viewers want it. */
static void print_slices(struct trace *trace)
{
    const struct out_request *base = &trace->request->base;
    const struct model *model = base->model;
    size_t count = 0;
    struct model_worst *all =
        xcalloc(model->worst_count + model->worst_steady_count + 1, sizeof *all);
    uint64_t *ends = xcalloc(model->thread_count + 1, sizeof *ends); /* by thread, then unknown */

    for (size_t i = 0; i < model->worst_count + model->worst_steady_count; i++) {
        const struct model_worst *worst = i < model->worst_count
                                              ? &model->worst[i]
                                              : &model->worst_steady[i - model->worst_count];
        if (base->loop == NULL || worst->loop == base->loop)
            all[count++] = *worst;
    }
    if (count > 0)
        qsort(all, count, sizeof *all, by_end);
    for (size_t i = 0; i < count; i++) {
        const struct model_worst *worst = &all[i];
        uint32_t thread = worst->loop != NULL ? worst->loop->thread : model->primary;
        uint64_t *end = &ends[thread != MODEL_NONE ? thread : model->thread_count];
        uint64_t length = worst->interval_ns + worst->poll_ns;
        uint64_t from = length < worst->end_ns ? worst->end_ns - length : 0;
        if (i > 0 && all[i - 1].window == worst->window && all[i - 1].loop == worst->loop &&
            all[i - 1].end_ns == worst->end_ns)
            continue;
        if (from < *end)
            from = *end < worst->end_ns ? *end : worst->end_ns;
        print_worst(trace, worst, from);
        *end = worst->end_ns;
    }
    free(ends);
    free(all);
}

static void write_trace(struct export_request *request)
{
    const struct model *model = request->base.model;
    struct trace trace = {.request = request, .out = request->base.term.out, .pid = model->pid};
    char *program = export_program(model);
    char **remarks = export_remarks(request);

    fputs("{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"program\":", trace.out);
    export_json_text(trace.out, program);
    for (size_t i = 0; remarks[i] != NULL; i++) {
        fprintf(trace.out, ",\n\"remark %zu\":", i + 1);
        export_json_text(trace.out, remarks[i]);
    }
    fputs("},\n\"traceEvents\":[", trace.out);
    name_of(&trace, "process_name", 0, program);
    for (size_t i = 0; i < model->thread_count; i++)
        if (model->threads[i].polls)
            name_of(&trace, "thread_name", model->threads[i].tid, model->threads[i].name);
    if (model->first_poll_ns > 0) {
        mark(&trace, "first poll", model->first_poll_ns);
        mark(&trace, "last poll", model->last_poll_ns);
    }
    print_counters(&trace);
    print_slices(&trace);
    fputs("\n]}\n", trace.out);
    export_remarks_free(remarks);
    free(program);
}

const struct export_format export_trace = {
    .name = "trace",
    .summary = "trace events of Chrome and Perfetto",
    .write = write_trace,
};
