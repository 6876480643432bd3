/* SPDX-License-Identifier: MIT */
/* Waits for events that sleep in steps, or did before they were replaced. */
#include "cli/out_text.h"

static void print_cost(const struct term *term, const char *how, const struct model_waits *waits)
{
    double cpu_ms = model_waits_cpu(waits) * 1e3;

    out_text_line(term, "waits", "%s: %s wake-ups/s, %s ms of processor time a second, %s in all",
                  how, format_short(model_waits_wakeups(waits)).text, format_short(cpu_ms).text,
                  format_duration(waits->ns).text);
}

void out_text_waits(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct term *term = &request->term;
    struct model_waits steps = {0};
    struct model_waits replaced = {0};

    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];

        if (request->loop != NULL && loop != request->loop)
            continue;
        if (loop->waits.replaced > 0)
            model_waits_add(&replaced, &loop->waits);
        else if (model_waits_in_steps(&loop->waits))
            model_waits_add(&steps, &loop->waits);
    }
    if (steps.count > 0) {
        print_cost(term, "SDL sleeps in steps", &steps);
        out_text_line(term, "", "an event waits for up to %s, half of that on average%s",
                      format_duration(model_waits_step_ns(&steps)).text,
                      model->patch.modes == 0 ? "; ALLOCREPORT_PATCH=wait blocks instead" : "");
    }
    if (replaced.count > 0)
        print_cost(term, "patched, they block", &replaced);
}
