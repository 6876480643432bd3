/* SPDX-License-Identifier: MIT */
/*
 * atomic32.c: what compilers call for atomic operations on 8 bytes where a processor of 32 bits has
 * no other registers to use than its general ones: cmpxchg8b. libatomic's would be one more library
 * in the program, and use its floating-point registers. Compiled without link-time optimisation:
 * the calls come to be when that is over. Loads need memory that may be written.
 */
#include <stdbool.h>
#include <stdint.h>

#if defined(__i386__)

#define NAMED(name) __asm__(name) __attribute__((used, visibility("hidden")))

uint64_t ar_atomic32_load(volatile uint64_t *at, int order) NAMED("__atomic_load_8");
void ar_atomic32_store(volatile uint64_t *at, uint64_t value, int order) NAMED("__atomic_store_8");
uint64_t ar_atomic32_exchange(volatile uint64_t *at, uint64_t value, int order)
    NAMED("__atomic_exchange_8");
uint64_t ar_atomic32_add(volatile uint64_t *at, uint64_t value, int order)
    NAMED("__atomic_fetch_add_8");
uint64_t ar_atomic32_or(volatile uint64_t *at, uint64_t value, int order)
    NAMED("__atomic_fetch_or_8");
bool ar_atomic32_compare(volatile uint64_t *at, uint64_t *expected, uint64_t value, int good,
                         int bad) NAMED("__atomic_compare_exchange_8");

/* `value` if it was `expected`. Returns what was there. */
static inline uint64_t change(volatile uint64_t *at, uint64_t expected, uint64_t value)
{
    __asm__ volatile("lock cmpxchg8b %1"
                     : "+A"(expected), "+m"(*at)
                     : "b"((uint32_t)value), "c"((uint32_t)(value >> 32))
                     : "memory", "cc");
    return expected;
}

uint64_t ar_atomic32_load(volatile uint64_t *at, int order)
{
    (void)order;
    return change(at, 0, 0);
}

bool ar_atomic32_compare(volatile uint64_t *at, uint64_t *expected, uint64_t value, int good,
                         int bad)
{
    uint64_t wanted = *expected;
    uint64_t found = change(at, wanted, value);

    (void)good, (void)bad;
    *expected = found;
    return found == wanted;
}

uint64_t ar_atomic32_exchange(volatile uint64_t *at, uint64_t value, int order)
{
    uint64_t before = *at; /* a guess */

    while (!ar_atomic32_compare(at, &before, value, order, order))
        continue;
    return before;
}

void ar_atomic32_store(volatile uint64_t *at, uint64_t value, int order)
{
    ar_atomic32_exchange(at, value, order);
}

uint64_t ar_atomic32_add(volatile uint64_t *at, uint64_t value, int order)
{
    uint64_t before = *at;

    while (!ar_atomic32_compare(at, &before, before + value, order, order))
        continue;
    return before;
}

uint64_t ar_atomic32_or(volatile uint64_t *at, uint64_t value, int order)
{
    uint64_t before = *at;

    while (!ar_atomic32_compare(at, &before, before | value, order, order))
        continue;
    return before;
}

#endif
