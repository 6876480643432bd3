/* SPDX-License-Identifier: MIT */
/*
 * info.h: the dump's INFO records: what ran. Takes the lock; it must not be held.
 */
#ifndef AR_INFO_H
#define AR_INFO_H

#include "preload/dump_format.h"

/* Adds a record; a later one of the same key replaces it for the reader. */
void ar_info_add(enum dump_info_key key, const char *value, uint32_t length);

/* Adds what is known of the process itself. */
void ar_info_describe_process(void);

/* Adds where the dump is to stand, when it stands elsewhere at first. */
void ar_info_describe_place(const char *path);

/* In a new child process: the records are the parent's. */
void ar_info_reset(void);

#endif
