/* SPDX-License-Identifier: MIT */
/*
 * livedir.h: a directory of a tmpfs in which the live file of a dump may stand: $XDG_RUNTIME_DIR,
 * which is the user's own, or /dev/shm. Called by outfile.c alone.
 */
#ifndef AR_LIVEDIR_H
#define AR_LIVEDIR_H

/* Its path, which stays valid; NULL: there is none, or `directory` (where the dump is to stand) is
 * of a tmpfs itself. */
const char *ar_livedir_find(const char *directory);

#endif
