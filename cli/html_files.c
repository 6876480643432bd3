/* SPDX-License-Identifier: MIT */
#include "cli/html_files.h"

/* The assembler takes them from the repository's root; the Makefile names what this depends on, and
 * makes HTML_SCRIPT, which is all scripts in a row. */
#define TEXT(name, path)                                                                           \
    __asm__(".pushsection .rodata\n"                                                               \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", %object\n" #name ":\n"                                               \
            ".incbin \"" path "\"\n"                                                               \
            ".byte 0\n"                                                                            \
            ".size " #name ", . - " #name "\n"                                                     \
            ".popsection\n")

TEXT(html_files_page, "cli/html/page.html");
TEXT(html_files_style, "cli/html/style.css");
TEXT(html_files_script, HTML_SCRIPT);
