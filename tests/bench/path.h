/* SPDX-License-Identifier: MIT */
/*
 * path.h: call stacks made to order. Each step of the way calls the next from one of four places,
 * so that a stack of `depth` frames can be one of 4 ^ (depth - PATH_FIXED).
 */
#ifndef PATH_H
#define PATH_H

#include <stdint.h>

/* Frames that are there without any step: leaf, last step, path_call, main and the two or three of
 * libc's and the program's start. */
#define PATH_FIXED 7u

/* Calls leaf(argument), called from main so that `depth` frames stand from leaf to _start, both
 * counted, for a depth above PATH_FIXED. Two bits of `path` choose each step. */
void path_call(unsigned depth, uint64_t path, void (*leaf)(void *), void *argument);

#endif
