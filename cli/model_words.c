/* SPDX-License-Identifier: MIT */
#include "cli/model.h"

const char *model_phase_name(enum model_phase phase)
{
    static const char *const names[MODEL_PHASES] = {"startup", "warm-up", "steady", "shutdown"};
    return names[phase];
}

const char *model_place_name(enum model_place place)
{
    static const char *const names[MODEL_PLACES] = {"in poll", "between polls", "other threads"};
    return names[place];
}

const char *model_poll_function(enum dump_poll_kind kind)
{
    switch (kind) {
    case DUMP_POLL_EVENT:
        return "SDL_PollEvent";
    case DUMP_WAIT_EVENT:
        return "SDL_WaitEvent";
    case DUMP_WAIT_TIMEOUT:
        return "SDL_WaitEventTimeout";
    case DUMP_PUMP:
        return "SDL_PumpEvents";
    case DUMP_MARKED:
        return "allocreport_poll_begin";
    case DUMP_ITERATE:
        return "SDL_AppIterate";
    case DUMP_GLFW:
        return "glfwPollEvents";
    case DUMP_SYSTEM:
        return "poll";
    default:
        return "other";
    }
}

const char *model_present_function(unsigned index)
{
    static const char *const names[DUMP_PRESENT_KINDS] = {
        "SDL_RenderPresent",
        "SDL_GL_SwapWindow",
        "SDL_UpdateWindowSurface",
        "SDL_UpdateWindowSurfaceRects",
        "SDL_SubmitGPUCommandBuffer",
        "eglSwapBuffers",
        "glXSwapBuffers",
        "allocreport_frame",
        "glfwSwapBuffers",
    };
    return index < DUMP_PRESENT_KINDS ? names[index] : "other";
}

const char *model_state_name(const struct model *model)
{
    switch (model->state) {
    case DUMP_RUNNING:
        return model->running ? "running" : "killed";
    case DUMP_ENDED:
        return "ended";
    case DUMP_EXITED:
        return "exited at once";
    case DUMP_EXECED:
        return "replaced by another program";
    default:
        return "unknown";
    }
}

static const struct {
    const char *key;
    const char *text;
} losses[DUMP_LOSS_COUNT] = {
    [DUMP_LOSS_STACKS] = {"stacks", "allocations booked to their call site only: the table of "
                                    "stacks was full"},
    [DUMP_LOSS_COUNTERS] = {"counters", "allocations in the totals but at no site: no room for "
                                        "more counters"},
    [DUMP_LOSS_LIVE] = {"live", "blocks whose release cannot be matched"},
    [DUMP_LOSS_NESTED] = {"nested",
                          "allocations not counted: too many by signal handlers while the "
                          "recorder was at work"},
    [DUMP_LOSS_LOOPS] = {"loops", "polls that belong to no loop: too many loops"},
    [DUMP_LOSS_THREADS] = {"threads", "allocations not counted: no room for more threads"},
    [DUMP_LOSS_NO_SPACE] = {"no_space", "times that the dump could not grow"},
    [DUMP_LOSS_UNWIND] = {"unwind", "stacks that end early: the unwinder could not go on"},
    [DUMP_LOSS_UNKNOWN] = {"unknown", "releases of blocks that were never seen allocated"},
    [DUMP_LOSS_VERIFY] = {"verify", "stacks that the self-check found wrong"},
};

const char *model_loss_key(unsigned loss)
{
    return loss < DUMP_LOSS_COUNT ? losses[loss].key : NULL;
}

const char *model_loss_text(unsigned loss)
{
    return loss < DUMP_LOSS_COUNT ? losses[loss].text : NULL;
}
