/* SPDX-License-Identifier: MIT */
/* What record.h says of polls, presents and marks. */
#include "preload/config.h"
#include "preload/mapfile.h"
#include "preload/patch.h"
#include "preload/record_private.h"

void (*ar_record_on_first_poll)(void);

/* A poll that was left by a longjmp or an exception is no longer there: its frame lies below. */
static bool is_outermost(struct ar_thread *thread, struct ar_hook hook)
{
    if (thread->poll_depth > 0 && hook.frame >= thread->poll_frame)
        thread->poll_depth = 0;
    if (thread->poll_depth++ > 0)
        return false;
    thread->poll_frame = hook.frame;
    return true;
}

/* The outermost poll begins; lets go of the thread. */
static inline __attribute__((always_inline)) void
begin_poll(struct ar_thread *thread, struct ar_hook hook, const struct ar_poll_event *event)
{
    if (__atomic_load_n(&ar_state->clock, __ATOMIC_RELAXED) == &ar_startup_clock) {
        ar_record_on_first_poll();
        ar_thread_leave(thread);
        ar_mapfile_await();                   /* another thread may be at it */
        thread = ar_thread_enter(hook.frame); /* moves what the thread has counted to the file */
        if (thread == NULL)
            return;
    }
    if (thread->polls == NULL)
        thread = ar_thread_for_polling(thread);
    if (__builtin_expect(ar_config.patch & AR_PATCH_POLL, 0))
        ar_patch_prepare(thread);
    ar_polls_begin(thread, ar_record_site(thread, hook, DUMP_STACK_POLL).number, hook.caller,
                   event);
    ar_patch_begin(thread);
    ar_record_leave(thread);
}

/* The outermost poll ends; lets go of the thread. */
static inline __attribute__((always_inline)) void end_poll(struct ar_thread *thread,
                                                           const struct ar_poll_event *event)
{
    thread->poll_depth = 0;
    ar_patch_end();
    ar_polls_end(thread, event);
    ar_patch_settle(thread);
    ar_record_leave(thread);
}

bool ar_record_poll_begin(struct ar_hook hook, const struct ar_poll_event *event)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return false;
    if (!is_outermost(thread, hook)) {
        ar_record_leave(thread);
        return false;
    }
    begin_poll(thread, hook, event);
    return true;
}

void ar_record_poll_end(struct ar_hook hook, const struct ar_poll_event *event)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    end_poll(thread, event);
}

void ar_record_waited(struct ar_hook hook, const struct ar_wait_cost *cost)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    ar_polls_waited(thread, cost);
    ar_record_leave(thread);
}

/*
 * A mark's frame is gone when the program goes on: what it calls inside has no lower frame address.
 * So nothing but the mark's end, or the next mark's begin in the same frame or further out, tells
 * that it is over.
 */
void ar_record_mark_begin(struct ar_hook hook)
{
    struct ar_poll_event event = {.kind = DUMP_MARKED};
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    if (thread->mark_depth > 0 && hook.frame < thread->mark_frame) {
        thread->mark_depth++;
        ar_record_leave(thread);
        return;
    }
    if (thread->mark_depth == 0 && thread->poll_depth > 0 && hook.frame < thread->poll_frame) {
        ar_record_leave(thread);
        return;
    }
    thread->mark_depth = 1;
    thread->mark_frame = hook.frame;
    thread->poll_depth = 1;
    thread->poll_frame = UINTPTR_MAX;
    begin_poll(thread, hook, &event);
}

void ar_record_mark_end(struct ar_hook hook, bool answer)
{
    struct ar_poll_event event = {.kind = DUMP_MARKED, .answer = answer};
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    if (thread->mark_depth > 0 && --thread->mark_depth == 0)
        end_poll(thread, &event);
    else
        ar_record_leave(thread);
}

bool ar_record_call_begin(struct ar_hook hook)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);
    bool outermost;

    if (thread == NULL)
        return false;
    outermost = is_outermost(thread, hook) || (thread->mark_depth > 0 && thread->poll_depth == 2);
    ar_record_leave(thread);
    return outermost;
}

void ar_record_present_end(struct ar_hook hook, unsigned way)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    thread->poll_depth = thread->mark_depth > 0;
    ar_polls_presented(thread, way);
    ar_record_leave(thread);
}

void ar_record_frame(struct ar_hook hook)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    ar_polls_presented(thread, DUMP_PRESENT_MARKED);
    ar_record_leave(thread);
}

void ar_record_peep(struct ar_hook hook, const struct ar_peep *peep)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    if (thread->poll_depth == 0)
        ar_polls_peeped(thread, peep);
    ar_record_leave(thread);
}

void ar_record_event(struct ar_hook hook, uint32_t type, uint32_t sdl)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    ar_polls_event(thread, type, sdl);
    ar_record_leave(thread);
}

void ar_record_inner_end(void)
{
    if (ar_state != NULL && ar_self.thread != NULL && ar_self.thread->poll_depth > 0)
        ar_self.thread->poll_depth--;
}
