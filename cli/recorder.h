/* SPDX-License-Identifier: MIT */
/*
 * recorder.h: where the recorder's library is, and how the loader is told to load it. Called by
 * cmd_run and gate_selftest.
 */
#ifndef CLI_RECORDER_H
#define CLI_RECORDER_H

/*
 * The recorder's path, absolute; the caller frees. `given`: by option, or NULL. NULL: not found,
 * and the reason was printed. Looked for in: given, ALLOCREPORT_LIBRARY, beside this executable, in
 * ../lib from there, in the library directory of the installation. `program`, or NULL, is what it
 * is for: if that is one of 32 bits, the recorder for those is looked for first, in ../lib32 and
 * where it is installed.
 */
char *recorder_find(const char *given, const char *program);

/*
 * The value of LD_PRELOAD with the recorder in front of what is there already (`old`, may be NULL),
 * but behind the run time of a sanitizer, which must be first. The caller frees. NULL: the path
 * cannot stand in LD_PRELOAD, and the reason was printed.
 */
char *recorder_preload(const char *recorder, const char *old);

#endif
