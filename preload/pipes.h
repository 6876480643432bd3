/* SPDX-License-Identifier: MIT */
/*
 * pipes.h: closes a pipe that a library has made for itself and that it does not need. At start,
 * where no other thread runs yet that could take the same descriptors.
 */
#ifndef AR_PIPES_H
#define AR_PIPES_H

struct ar_next_pipe {
    int ends[2]; /* -1: there was no descriptor left */
};

/* The descriptors that the next pipe will have. */
struct ar_next_pipe ar_pipes_next(void);

/* Closes them, if they are a pipe now. */
void ar_pipes_close(const struct ar_next_pipe *next);

#endif
