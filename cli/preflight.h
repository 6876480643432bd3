/* SPDX-License-Identifier: MIT */
/*
 * preflight.h: whether a program's file lets the loader preload the recorder into it, before it is
 * started. It trusts no byte of that file, and prints nothing. Called by unseen.c
 * and recorder.c.
 */
#ifndef CLI_PREFLIGHT_H
#define CLI_PREFLIGHT_H

#include <stdbool.h>

/* The file that execvp would run for `program`; the caller frees. NULL: there is none. */
char *preflight_find(const char *program);

/* A number of blind.h: why `recorder`, a library, cannot be loaded into it, or
 * DUMP_BLIND_OWN_MALLOC: it can, but sees no allocation. BLIND_NO: neither, or it is a script,
 * whose programs are what matters, or it cannot be told. */
unsigned preflight_look(const char *path, const char *recorder);

/* Is it a program of 32 bits that this processor runs beside those of 64? */
bool preflight_is_32_bit(const char *path);

#endif
