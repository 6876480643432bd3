/* SPDX-License-Identifier: MIT */
/*
 * escape.h: names that nobody vouches for (functions, files, budgets) made fit for the formats of
 * the gate. Pure functions; they print nothing. Each takes NUL-terminated text; bytes that are no
 * UTF-8, and characters that hide themselves or others, become U+FFFD. The caller frees.
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

/* For XML 1.0, text and attributes in double quotes alike: & < > " ' and the line's ends and tabs
 * as references; characters that XML 1.0 cannot hold become U+FFFD. */
char *escape_xml(const char *text);

/* The message of a GitHub workflow command: % \r \n as %25 %0D %0A; other control characters become
 * U+FFFD. */
char *escape_github(const char *text);
/* The value of one of its properties: also : and , as %3A and %2C. */
char *escape_github_property(const char *text);

/* Text within a line of Markdown, also within a cell of a table: characters that mean something
 * there are references, line ends are spaces. */
char *escape_markdown(const char *text);

#endif
