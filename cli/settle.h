/* SPDX-License-Identifier: MIT */
/*
 * settle.h: brings the dump of a killed program to its own path. While a program runs, its dump may
 * stand on a tmpfs, with a symbolic link to it where it belongs; a program that ends by itself puts
 * it there, and for one that was killed the reporter does. Called where a command is given a dump.
 */
#ifndef CLI_SETTLE_H
#define CLI_SETTLE_H

/* Does nothing if `path` is no such link, or its program still runs. A failure is a warning: the
 * dump can be read where it is. */
void settle(const char *path);

#endif
