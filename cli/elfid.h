/* SPDX-License-Identifier: MIT */
/*
 * elfid.h: which file is the one with a certain build-id. Uses libelf only. Called by symbols.
 */
#ifndef CLI_ELFID_H
#define CLI_ELFID_H

#include <stddef.h>
#include <stdint.h>

enum elfid {
    ELFID_SAME = 0,
    ELFID_OTHER = 1,   /* it has another build-id, or none */
    ELFID_NO_ELF = 2,  /* it is no ELF file */
    ELFID_NO_FILE = 3, /* it cannot be opened: errno says why */
};

/* `length` 0: any ELF file is the same. */
enum elfid elfid_compare(const char *path, const uint8_t *build_id, size_t length);

/* The separate debug file that is installed for a build-id (`length` > 0), or NULL; the caller
 * frees. */
char *elfid_debug_file(const uint8_t *build_id, size_t length);

#endif
