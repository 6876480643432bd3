/* SPDX-License-Identifier: MIT */
/*
 * mapped.h: which SDLs and which runtimes with memory of their own the process holds, by the names
 * of the files that are mapped, by what the program exports, and by texts in the program. Called by
 * blind.c, never inside an allocation hook.
 */
#ifndef AR_MAPPED_H
#define AR_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

struct ar_mapped {
    uint32_t facts;    /* DUMP_FACT_SDL* */
    uint32_t runtimes; /* DUMP_RUNTIME_* */
};

/* Adds what the kernel's list of mappings says, and the names that the program exports. Takes no
 * lock of the loader's or libc's. Without /proc it finds less. */
void ar_mapped_look(struct ar_mapped *mapped);

/* Adds what the program's text says: reads all of its constants once. */
void ar_mapped_search(struct ar_mapped *mapped);

/* The number of the SDL (2 or 3) whose library's file has this path; 0: it is none. */
unsigned ar_mapped_sdl(const char *path);

#endif
