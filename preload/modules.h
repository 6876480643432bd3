/* SPDX-License-Identifier: MIT */
/*
 * modules.h: which object a code address lies in, and the MODULE records of the dump. An object
 * that was unloaded, and another that came to its addresses, are two modules (hook_unload.c tells);
 * one that comes again is the same.
 */
#ifndef AR_MODULES_H
#define AR_MODULES_H

#include <stdbool.h>
#include <stdint.h>

struct ar_place {
    uint32_t module; /* dump_module.id; 0: none */
    uint64_t offset; /* in the module's own addresses, or absolute */
    bool exact;      /* of an instruction that was interrupted, not of one behind a call */
};

/* At start. Finds this library's own range too. */
void ar_modules_start(void);

/* The program's path, as it was at start; empty: not known. */
const char *ar_modules_program(void);

/* In a new child process: forgets the records, which stand in the parent's dump. */
void ar_modules_reset(void);

/* Does `address` lie in this library's code? In one of its allocation hooks? */
bool ar_modules_own(uintptr_t address);
bool ar_modules_own_hook(uintptr_t address);

/* One more whenever an object may have been unloaded: what was learnt about addresses before is
 * void. */
uint32_t ar_modules_generation(void);
void ar_modules_unloaded(void);

/* The object that `address` lies in is about to go: from now on it is asked each time whether it is
 * still the one that it was. No lock, calls nothing of the loader's. */
void ar_modules_finalized(uintptr_t address);

/* Memory from `start` to `end` is about to be taken away. If code lay there that belongs to no
 * object (a JIT's), what was learnt about it is void. */
void ar_modules_unmapped(uintptr_t start, uintptr_t end);

/* Resolves `count` addresses; bit i of `exact` is for addresses[i]. Takes the lock for modules not
 * seen before; must not be held. */
void ar_modules_resolve(const uintptr_t *addresses, unsigned count, uint32_t exact,
                        struct ar_place *places);

#endif
