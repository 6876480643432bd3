/* SPDX-License-Identifier: MIT */
#include "preload/lock.h"

#include "preload/sys.h"

#include <linux/futex.h>
#include <signal.h>

static struct ar_lock_word shared;

struct ar_held ar_signals_block(uint64_t signals)
{
    struct ar_held held = {0};

    held.blocked = ar_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&signals, (long)&held.signals,
                              sizeof signals, 0, 0) == 0;
    return held;
}

void ar_signals_restore(struct ar_held held)
{
    /* Whoever has left its mask did so while it was allowed. */
    if (held.blocked)
        ar_sys_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&held.signals, 0, sizeof held.signals, 0,
                    0);
}

struct ar_held ar_lock_word(struct ar_lock_word *lock)
{
    struct ar_held held = ar_signals_block(~UINT64_C(0));
    uint32_t expected = 0;

    if (__atomic_compare_exchange_n(&lock->word, &expected, 1, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
        return held;
    /* Where no call is to be made, nobody sleeps. */
    while (__atomic_exchange_n(&lock->word, ar_sys_is_frozen() ? 1 : 2, __ATOMIC_ACQUIRE) != 0)
        ar_syscall(SYS_futex, (long)&lock->word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
    return held;
}

void ar_unlock_word(struct ar_lock_word *lock, struct ar_held held)
{
    /* Whoever has begun to wait did so while it was allowed. */
    if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) == 2)
        ar_sys_call(SYS_futex, (long)&lock->word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    ar_signals_restore(held);
}

bool ar_lock_word_held(const struct ar_lock_word *lock)
{
    return __atomic_load_n(&lock->word, __ATOMIC_ACQUIRE) != 0;
}

void ar_lock_word_reset(struct ar_lock_word *lock)
{
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}

struct ar_held ar_lock(void)
{
    return ar_lock_word(&shared);
}

void ar_unlock(struct ar_held held)
{
    ar_unlock_word(&shared, held);
}

void ar_lock_reset(void)
{
    ar_lock_word_reset(&shared);
}
