/* SPDX-License-Identifier: MIT */
#include "cli/fallback_texts.h"

/* The assembler takes them from the repository's root; the Makefile names what this depends on. */
#define TEXT(name, path)                                                                           \
    __asm__(".pushsection .rodata\n"                                                               \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", %object\n" #name ":\n"                                               \
            ".incbin \"" path "\"\n"                                                               \
            ".byte 0\n"                                                                            \
            ".size " #name ", . - " #name "\n"                                                     \
            ".popsection\n")

TEXT(fallback_texts_c, "preload/allocreport_poll.h");
TEXT(fallback_texts_rust, "cli/fallback/poll.rs");
TEXT(fallback_texts_haskell, "cli/fallback/poll.hs");
TEXT(fallback_texts_python, "cli/fallback/poll.py");
