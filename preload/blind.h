/* SPDX-License-Identifier: MIT */
/*
 * blind.h: why nothing was seen of a program's loop, or of what it allocates, and what keeps memory
 * of its own in it: the header's fields blind, facts, runtimes and subsystems (dump_format.h). They
 * are looked at in the constructor, when the dump is made and when the program ends. Never called
 * inside an allocation hook. Called by process.c.
 */
#ifndef AR_BLIND_H
#define AR_BLIND_H

#include <stdbool.h>

/* In the constructor. May wait for the loader. */
void ar_blind_start(void);

/* The dump has been made: what the reader should know however the program ends. It may wait for the
 * loader. */
void ar_blind_dump_made(void);

/* The program ends; `orderly`: by exit, so that the loader's lock may be waited for. Needs what all
 * threads have counted. */
void ar_blind_ended(bool orderly);

/* The word for what the header says, where the program is sure to be one that uses SDL; else NULL:
 * a shell or helper that has nothing to do with it. After ar_blind_ended. */
const char *ar_blind_word(void);

#endif
