/* SPDX-License-Identifier: MIT */
/*
 * html_files.h: the files of cli/html/ that make up the page, held in the program as they are. They
 * are text and end with a NUL byte. Knows nothing of what they mean. Called by out_html.
 */
#ifndef CLI_HTML_FILES_H
#define CLI_HTML_FILES_H

extern const char html_files_page[];   /* page.html: the frame, with "@style@" and so on in it */
extern const char html_files_style[];  /* style.css */
extern const char html_files_script[]; /* all scripts, in the order in which they are needed */

#endif
