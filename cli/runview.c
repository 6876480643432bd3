/* SPDX-License-Identifier: MIT */
#include "cli/runview.h"

void runview_start(struct runview *view, const struct runview_options *options)
{
    *view = (struct runview){
        .shown = runstatus_new(options->dumps, options->program, !options->quiet),
        .unseen = unseen_start(options->program, options->recorder),
    };
    runlive_start(&view->live, options->live, options->dumps, options->program, options->colour);
}

unsigned runview_tick_ms(const struct runview *view)
{
    return view->live.on ? LIVEVIEW_TICK_MS : RUNSTATUS_MS;
}

void runview_tick(enum launch_event event, pid_t pid, void *data)
{
    struct runview *view = data;

    if (event == LAUNCH_TICK)
        unseen_tick(&view->unseen);
    if (view->live.on) {
        runlive_tick(&view->live, event, pid);
        return;
    }
    /* The ticks stay as short as the view had them when it was left. */
    bool due = !view->live.draws || view->ticks++ % (RUNSTATUS_MS / LIVEVIEW_TICK_MS) == 0;
    if (view->shown.line.descriptor >= 0 && (due || event != LAUNCH_TICK))
        runstatus_tick(event, pid, &view->shown);
}

void runview_hide(struct runview *view)
{
    runstatus_end(&view->shown);
    runlive_end(&view->live);
}

void runview_end(struct runview *view)
{
    unseen_end(&view->unseen);
}
