/* SPDX-License-Identifier: MIT */
/*
 * attack_new: operator new in all its forms, called from frames that can only be left by the frame
 * pointer, since their size is not known: the hook must keep it. Never polls.
 */
#include "tests/progs/attack.h"

#include <alloca.h>

#include <new>

#define ROUNDS 20

static attack_random choices;

/* A room of any size, and then the call. */
#define ROOM_FRAME(name, call)                                                                     \
    ATTACK_FRAME static void name()                                                                \
    {                                                                                              \
        char *room = static_cast<char *>(alloca(16 + attack_next(&choices) % 16 * 16));            \
                                                                                                   \
        attack_escape(room);                                                                       \
        call;                                                                                      \
        attack_escape(room);                                                                       \
    }

#define NEW_FRAME(name, allocate, release)                                                         \
    ROOM_FRAME(name##_makes, release(attack_keep(allocate)))                                       \
    ROOM_FRAME(name##_calls, name##_makes())

/* What is aligned has a size of whole alignments, to which libstdc++ would round it. */
static constexpr std::align_val_t wide{64};

static void release_wide(void *block)
{
    ::operator delete(block, wide);
}

static void release_wide_array(void *block)
{
    ::operator delete[](block, wide);
}

NEW_FRAME(plain, ::operator new(31), ::operator delete)
NEW_FRAME(array, ::operator new[](32), ::operator delete[])
NEW_FRAME(nothrow, ::operator new(33, std::nothrow), ::operator delete)
NEW_FRAME(array_nothrow, ::operator new[](34, std::nothrow), ::operator delete[])
NEW_FRAME(aligned, ::operator new(64, wide), release_wide)
NEW_FRAME(array_aligned, ::operator new[](128, wide), release_wide_array)
NEW_FRAME(aligned_nothrow, ::operator new(192, wide, std::nothrow), release_wide)
NEW_FRAME(array_aligned_nothrow, ::operator new[](256, wide, std::nothrow), release_wide_array)

/* Both frames are known of each of its blocks. */
static void told(const char *form, unsigned size)
{
    static const char *const frames[] = {"makes", "calls"};

    for (const char *frame : frames) {
        char name[64];

        snprintf(name, sizeof name, "%s_%s", form, frame);
        expect(name, "allocations=%d bytes=%u frees=%d live_bytes=0", ROUNDS, ROUNDS * size,
               ROUNDS);
    }
}

int main()
{
    choices = attack_seed(1);
    for (unsigned i = 0; i < ROUNDS; i++) {
        plain_calls();
        array_calls();
        nothrow_calls();
        array_nothrow_calls();
        aligned_calls();
        array_aligned_calls();
        aligned_nothrow_calls();
        array_aligned_nothrow_calls();
    }
    told("plain", 31);
    told("array", 32);
    told("nothrow", 33);
    told("array_nothrow", 34);
    told("aligned", 64);
    told("array_aligned", 128);
    told("aligned_nothrow", 192);
    told("array_aligned_nothrow", 256);
    return 0;
}
