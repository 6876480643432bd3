/* SPDX-License-Identifier: MIT */
#include "preload/sdl_stubs.h"

#if defined(__x86_64__)

#include <link.h>
#include <string.h>

#define SAMPLE_BYTES 4096u /* a run of 500 stubs, 16 bytes each at least, covers one sample */
#define STUB_BYTES   64u   /* from one jump to the next, at most */
#define SKIP_MOST    4u    /* slots from one to the next: variadic functions have no such stub */
#define LEAST_SLOTS  500u  /* SDL 2.0.2 has 530 */

/* The table opens with the variadic functions: SDL_dynapi_procs.h. SDL 2 has 838 slots at most so
 * far, SDL 3 has 1,174 at least. */
#define LEADING_2    11u
#define LEADING_3    15u
#define MOST_SLOTS_2 1000u

/* Stubs from the jump at `first` to the one at `last`. */
struct run {
    const uint8_t *first;
    const uint8_t *last;
    uintptr_t first_slot;
    uintptr_t last_slot;
};

struct code {
    const uint8_t *start;
    const uint8_t *end;
};

/* The slot of the `jmp *slot(%rip)` that may stand at `at`; 0: another instruction does. */
static uintptr_t jump_slot(const uint8_t *at)
{
    int32_t offset;

    if (at[0] != 0xff || at[1] != 0x25)
        return 0;
    memcpy(&offset, at + 2, sizeof offset);
    return (uintptr_t)at + 6 + (uintptr_t)(intptr_t)offset;
}

static bool follows(uintptr_t slot, uintptr_t before)
{
    uintptr_t distance = slot - before;

    return slot != 0 && distance != 0 && distance % sizeof(void *) == 0 &&
           distance / sizeof(void *) <= SKIP_MOST;
}

static void extend_up(struct run *run, const struct code *code)
{
    const uint8_t *at = run->last + 6;

    while (at < run->last + STUB_BYTES && at + 6 <= code->end) {
        uintptr_t slot = jump_slot(at);

        if (follows(slot, run->last_slot)) {
            run->last = at;
            run->last_slot = slot;
            at += 6;
        } else {
            at++;
        }
    }
}

static void extend_down(struct run *run, const struct code *code)
{
    const uint8_t *at = run->first - 6;

    while (at > run->first - STUB_BYTES && at >= code->start) {
        uintptr_t slot = jump_slot(at);

        if (follows(run->first_slot, slot) && slot != 0) {
            run->first = at;
            run->first_slot = slot;
            at -= 6;
        } else {
            at--;
        }
    }
}

static uint32_t slots_of(const struct run *run)
{
    return (uint32_t)((run->last_slot - run->first_slot) / sizeof(void *)) + 1;
}

static bool in_segment(const struct ar_object *object, uintptr_t start, uintptr_t end,
                       uint32_t flags)
{
    const ElfW(Phdr) *segments = object->segments;

    for (unsigned i = 0; i < object->segment_count; i++) {
        uintptr_t from = object->bias + segments[i].p_vaddr;

        if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & flags) == flags &&
            start >= from && end <= from + segments[i].p_memsz && start <= end)
            return true;
    }
    return false;
}

/* Each slot holds a function of the object that is none of the stubs: what SDL has put there until
 * it fills the table. (The jumps of a procedure linkage table go through slots that hold other
 * objects' functions, or lead back into it.) */
static bool is_table(const struct ar_object *object, const struct run *run, uintptr_t start)
{
    if (!in_segment(object, start, run->last_slot + sizeof(void *), PF_R | PF_W))
        return false;
    for (uintptr_t at = start; at <= run->last_slot; at += sizeof(void *)) {
        uintptr_t function = *(const uintptr_t *)at;

        if (!in_segment(object, function, function + 1, PF_X) ||
            (function >= (uintptr_t)run->first && function <= (uintptr_t)run->last + STUB_BYTES))
            return false;
    }
    return true;
}

static bool check_run(const struct ar_object *object, const struct run *run,
                      struct ar_sdl_stubs *found)
{
    uint32_t stubs = slots_of(run);
    uint32_t leading = stubs > MOST_SLOTS_2 ? LEADING_3 : LEADING_2;
    uintptr_t start = run->first_slot - leading * sizeof(void *);

    if (stubs < LEAST_SLOTS || start % sizeof(void *) != 0 || !is_table(object, run, start))
        return false;
    found->table = (void **)start;
    found->slots = stubs + leading;
    found->major = leading == LEADING_3 ? 3 : 2;
    return true;
}

/* Is there a run of stubs at the sample? */
static bool look_at(const struct ar_object *object, const struct code *code, const uint8_t *sample,
                    struct ar_sdl_stubs *found)
{
    for (const uint8_t *at = sample; at < sample + STUB_BYTES && at + 6 <= code->end; at++) {
        uintptr_t slot = jump_slot(at);
        struct run run = {at, at, slot, slot};

        if (slot == 0)
            continue;
        extend_up(&run, code);
        if (run.last == run.first)
            continue;
        extend_down(&run, code);
        if (check_run(object, &run, found))
            return true;
    }
    return false;
}

bool ar_sdl_stubs_find(const struct ar_object *object, struct ar_sdl_stubs *found)
{
    const ElfW(Phdr) *segments = object->segments;

    for (unsigned i = 0; segments != NULL && i < object->segment_count; i++) {
        const uint8_t *start = (const uint8_t *)(object->bias + segments[i].p_vaddr);
        struct code code = {start, start + segments[i].p_filesz};

        if (segments[i].p_type != PT_LOAD || (segments[i].p_flags & (PF_R | PF_X)) != (PF_R | PF_X))
            continue;
        for (const uint8_t *at = code.start; at < code.end; at += SAMPLE_BYTES)
            if (look_at(object, &code, at, found))
                return true;
    }
    return false;
}

#else

bool ar_sdl_stubs_find(const struct ar_object *object, struct ar_sdl_stubs *found)
{
    (void)object;
    (void)found;
    return false;
}

#endif
