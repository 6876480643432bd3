/* SPDX-License-Identifier: MIT */
/*
 * out_verdict.h: the gate's answer in several formats, one function each in one table. They show
 * what the verdict holds and decide nothing, so that all of them and the exit code always agree.
 * They write to request.term.out. Called by gate.c.
 */
#ifndef CLI_OUT_VERDICT_H
#define CLI_OUT_VERDICT_H

#include "cli/out.h"
#include "cli/verdict.h"

struct out_verdict_request {
    struct out_request base; /* model and term */
    const struct verdict *verdict;
    const char *baseline; /* path; NULL: none */
};

enum out_verdict_kind {
    OUT_VERDICT_TEXT = 0,
    OUT_VERDICT_JSON = 1,
    OUT_VERDICT_JUNIT = 2,
    OUT_VERDICT_GITHUB = 3, /* workflow commands: annotations */
    OUT_VERDICT_MARKDOWN = 4
};

struct out_verdict_format {
    const char *name;
    void (*print)(const struct out_verdict_request *request);
};

/* By enum out_verdict_kind, and their names, which NULL ends. */
extern const struct out_verdict_format out_verdict_formats[];
extern const char *const out_verdict_names[];

void out_verdict_text(const struct out_verdict_request *request);
void out_verdict_json(const struct out_verdict_request *request);
void out_verdict_junit(const struct out_verdict_request *request);
void out_verdict_github(const struct out_verdict_request *request);
void out_verdict_markdown(const struct out_verdict_request *request);

/* --- what they share ------------------------------------------------------------------------ */

#define OUT_VERDICT_SITES 5 /* of an item, where there is little room */

/* "pass", "warn", "FAIL" ...: for people. */
const char *out_verdict_word(const struct verdict_item *item);

/* Where a person looks first: the site that adds most, or the line of the budget file. */
struct out_verdict_place {
    char *file;    /* NULL: not known */
    unsigned line; /* 0: not known */
};
struct out_verdict_place out_verdict_place(const struct out_verdict_request *request,
                                           const struct verdict_item *item);

/* "function (file.c:12): 3 allocations, 96 bytes"; raw, the caller frees. */
char *out_verdict_site(const struct out_verdict_request *request, const struct verdict_part *part);

/* How many of an item's sites are to be shown. */
size_t out_verdict_shown(const struct verdict_item *item);

/* "budget.yml:3:5", or "" where nothing is written down; the caller frees. */
char *out_verdict_mark(const struct out_verdict_request *request, const struct verdict_item *item);

/* The command to look further, and the one to accept what was found; NULL: nothing is to be
 * accepted. The caller frees. */
char *out_verdict_look(const struct out_verdict_request *request);
char *out_verdict_accept(const struct out_verdict_request *request);

#endif
