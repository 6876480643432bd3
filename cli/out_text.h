/* SPDX-License-Identifier: MIT */
/*
 * out_text.h: what the files of the text output share: labelled lines, names of sites, rounding.
 * Called by out_text*.c and out_verdict_text.c.
 */
#ifndef CLI_OUT_TEXT_H
#define CLI_OUT_TEXT_H

#include "cli/format.h"
#include "cli/out.h"

#define OUT_TEXT_LABEL 14 /* columns of the labels on the left */

void out_text_report(const struct out_request *request);
void out_text_sites(const struct out_request *request);
struct summary; /* summary.h */

/* Allocations and bytes by place, each in one row, and their sum. */
void out_text_where(const struct out_request *request, const struct summary *summary);

/* What the patched poll did; nothing where nothing was patched. Of `report` and `info`. */
void out_text_patch(const struct out_request *request);

/* Waits for events that sleep in steps; nothing where none does. Of `report` and `info`. */
void out_text_waits(const struct out_request *request);

void out_text_events(const struct out_request *request); /* of `polls --by-event` */
void out_text_polls(const struct out_request *request);
void out_text_info(const struct out_request *request, char *const *wrong, size_t wrong_count);
void out_text_compare(const struct out_compare *request);
void out_text_patches(const struct out_patches *request);
void out_text_fallback(const struct out_request *request, const struct fallback_language *language);

/* "label         text", wrapped at the terminal's width between words. A label of "" continues the
 * line before. */
void out_text_line(const struct term *term, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line in a style of its own, without label, wrapped in the same way. */
void out_text_say(const struct term *term, enum term_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Text of the dump, safe to print; the caller frees. */
char *out_text_safe(const struct term *term, const char *text);

/*
 * What names a stack, safe to print: its function and, behind a tab, "file:line" or the module. If
 * that function has no name, it is the innermost one that has, with '>' behind it, and behind the
 * tab the address: "SDL_PollEvent >\tlibSDL.so+0x12". The caller frees.
 */
char *out_text_name(const struct out_request *request, const struct model_stack *stack);

/* The same on one line: the function alone, or "SDL_PollEvent > libSDL.so+0x12". */
char *out_text_function(const struct out_request *request, const struct model_stack *stack);

/* out_text_name of a site, with "in poll: " or "other: " in front where that is not the usual
 * place, between polls. The caller frees. */
char *out_text_site(const struct out_request *request, const struct model_site *site);

/* The whole stack, innermost first, a line each, and why it is not whole. */
void out_text_stack(const struct out_request *request, const struct model_stack *stack,
                    unsigned indent);

/* A quantile: exact as "1,234 B"; of a bucket its least value, as "~1.23 kB". */
struct shown out_text_bytes(struct stats_range range);
/* A share in whole per cent: 0 and 100 only if exact. */
struct shown out_text_percent(uint64_t part, uint64_t n);
struct shown out_text_time(struct stats_range range);

/* "allocreport COMMAND DUMP" for the last line; the caller frees. */
char *out_text_command(const struct out_request *request, const char *command);

/* The losses and the notes that make the numbers suffer, a line each, at most `most`. */
void out_text_warnings(const struct out_request *request, size_t most);

/* The lines of the loops, most polls first. */
void out_text_loops(const struct out_request *request, size_t most);

#endif
