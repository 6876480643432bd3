/* SPDX-License-Identifier: MIT */
/*
 * livefind.h: the recorded programs that run now, found by what they map: a running program's dump
 * is a file mapping of it, wherever the file stands and whatever it is called. Looks at the memory
 * maps of this user's processes, once for each call. Prints nothing. Called by cmd_live and follow.
 */
#ifndef CLI_LIVEFIND_H
#define CLI_LIVEFIND_H

#include <stddef.h>
#include <stdint.h>

struct livefound {
    char *path;    /* of the dump: the link that stays, or where the file can be opened now */
    char *program; /* its file's name, or "" */
    uint32_t pid;
};

/* All that can be seen by this user, by pid; NULL with *count 0 if none. */
struct livefound *livefind_all(size_t *count);
void livefind_free(struct livefound *list, size_t count);

/* The dump of that process; NULL: it has none, or there is no such process. The caller frees. */
char *livefind_dump(uint32_t pid);

#endif
