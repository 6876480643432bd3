/* SPDX-License-Identifier: MIT */
/*
 * settle.h: brings the dump of a killed program to its own path. While a program runs, its dump may
 * stand on a tmpfs, with a symbolic link to it where it belongs; a program that ends by itself puts
 * it there, and for one that was killed the reporter does. Called where a command is given a dump.
 *
 * Only files are touched that are this user's, have the recorder's name, and hold a dump that says
 * where it belongs, in the namespaces of this process, and whose program maps it no longer; or that
 * have no header yet, and that nobody can be about to write any more (headerless.h).
 */
#ifndef CLI_SETTLE_H
#define CLI_SETTLE_H

/* Does nothing if `path` is no such link, or its program still runs. A failure is a warning: the
 * dump can be read where it is. */
void settle(const char *path);

/* The same for dumps that nobody has asked for since their programs were killed, more than an hour
 * ago: so they do not fill the tmpfs. One whose link has been removed or has gone elsewhere stays
 * for a day, and is removed then; for seven days if its directory is gone, too. One without a
 * header is removed after the hour. In silence; does nothing the second time. */
void settle_leftovers(void);

#endif
