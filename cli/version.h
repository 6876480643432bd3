/* SPDX-License-Identifier: MIT */
/*
 * version.h: which versions of what: this program, the dumps that it reads, the libraries that it
 * runs with. Called by main.
 */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#include <stdio.h>

void version_print(FILE *out);

#endif
