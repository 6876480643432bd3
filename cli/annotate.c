/* SPDX-License-Identifier: MIT */
#include "cli/annotate.h"

#include "cli/errors.h"
#include "cli/rows.h"
#include "cli/strings.h"
#include "cli/wrappers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A line while sites are added up. */
struct entry {
    struct annotate_line line;
    const struct model_module *module;
    const struct model_site *last; /* that was added: recursion counts once */
};

struct book {
    struct annotate *annotate;
    struct strings *keys; /* "line file" */
    struct entry *entries;
    size_t room;
};

static void add(struct annotate_amount *sum, const struct annotate_amount *more)
{
    sum->sites += more->sites;
    sum->bytes += more->bytes;
    sum->steady += more->steady;
}

static bool is_known(const struct model_line *line)
{
    return line->file != NULL && line->line > 0;
}

static struct entry *entry_of(struct book *book, const struct model_line *line)
{
    char *key = xasprintf("%" PRIu32 " %s", line->line, line->file);
    size_t known = strings_count(book->keys);
    size_t number = strings_add(book->keys, key);

    free(key);
    if (number < known)
        return &book->entries[number];
    if (number == book->room) {
        book->room = 2 * book->room + 64;
        book->entries = xreallocarray(book->entries, book->room, sizeof *book->entries);
    }
    book->entries[number] =
        (struct entry){.line = {.file = line->file, .line = line->line, .function = line->function},
                       .module = line->module};
    return &book->entries[number];
}

/* What runs before any function of the program's: it says nothing of where. */
static bool is_start(const char *function)
{
    static const char *const names[] = {"_start",   "start_thread", "__clone",  "clone3",
                                        "__clone3", "call_init",    "_dl_init", NULL};

    if (function == NULL)
        return false;
    for (const char *const *name = names; *name != NULL; name++)
        if (strcmp(function, *name) == 0)
            return true;
    return strncmp(function, "__libc_start", strlen("__libc_start")) == 0;
}

/* The number of the line to book to; `count`: none is known. */
static size_t choose(struct book *book, const struct model_line *lines, size_t count)
{
    size_t chosen = count;

    for (size_t i = 0; i < count; i++) {
        if (!is_known(&lines[i]) || wrappers_has(lines[i].function) || is_start(lines[i].function))
            continue;
        if (sources_find(book->annotate->sources, lines[i].file) != NULL)
            return i;
        chosen = chosen < count ? chosen : i;
    }
    return chosen;
}

static void add_site(struct book *book, struct model *model, const struct model_site *site,
                     const struct annotate_amount *amount)
{
    size_t count;
    struct model_line *lines = model_lines(model, site->stack, &count);
    size_t own = choose(book, lines, count);

    add(&book->annotate->all, amount);
    if (own == count)
        add(&book->annotate->unplaced, amount);
    else
        add(&entry_of(book, &lines[own])->line.own, amount);
    for (size_t i = 0; i < count; i++) {
        if (!is_known(&lines[i]))
            continue;
        struct entry *entry = entry_of(book, &lines[i]);
        if (entry->last != site)
            add(&entry->line.through, amount);
        entry->last = site;
    }
    free(lines);
}

static int compare_amounts(const struct annotate_amount *x, const struct annotate_amount *y)
{
    if (x->steady != y->steady)
        return x->steady > y->steady ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static int by_weight(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    int order = compare_amounts(&x->line.own, &y->line.own);

    if (order == 0)
        order = compare_amounts(&x->line.through, &y->line.through);
    if (order == 0)
        order = strcmp(x->line.file, y->line.file);
    return order != 0 ? order : (x->line.line > y->line.line) - (x->line.line < y->line.line);
}

static int by_place(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    int order = strcmp(x->line.file, y->line.file);

    return order != 0 ? order : (x->line.line > y->line.line) - (x->line.line < y->line.line);
}

static int by_file_weight(const void *a, const void *b)
{
    const struct annotate_file *x = a;
    const struct annotate_file *y = b;
    int order = compare_amounts(&x->own, &y->own);

    return order != 0 ? order : strcmp(x->file, y->file);
}

static bool is_newer(const char *found, const struct model_module *module)
{
    struct stat source, built;

    return module != NULL && stat(found, &source) == 0 && stat(module->path, &built) == 0 &&
           source.st_mtime > built.st_mtime;
}

static void make_files(struct annotate *annotate, const struct entry *entries)
{
    annotate->lines = xcalloc(annotate->line_count + 1, sizeof *annotate->lines);
    annotate->files = xcalloc(annotate->line_count + 1, sizeof *annotate->files);
    for (size_t i = 0; i < annotate->line_count; i++) {
        const struct annotate_line *line = &entries[i].line;
        if (i == 0 || strcmp(line->file, entries[i - 1].line.file) != 0) {
            const char *found = sources_find(annotate->sources, line->file);
            annotate->files[annotate->file_count++] = (struct annotate_file){
                .file = line->file,
                .found = found,
                .newer = found != NULL && is_newer(found, entries[i].module),
                .first = i,
            };
        }
        struct annotate_file *file = &annotate->files[annotate->file_count - 1];
        annotate->lines[i] = *line;
        add(&file->own, &line->own);
        file->count++;
    }
    if (annotate->file_count > 0)
        qsort(annotate->files, annotate->file_count, sizeof *annotate->files, by_file_weight);
}

/* Lines without source that nothing is booked to say nothing. Returns how many are left. */
static size_t drop_bare(struct book *book)
{
    size_t count = strings_count(book->keys), kept = 0;

    for (size_t i = 0; i < count; i++)
        if (book->entries[i].line.own.sites > 0 ||
            sources_find(book->annotate->sources, book->entries[i].line.file) != NULL)
            book->entries[kept++] = book->entries[i];
    return kept;
}

struct annotate annotate_of(const struct out_request *request, const char *directories)
{
    struct annotate annotate = {.sources = sources_new(directories)};
    struct book book = {.annotate = &annotate, .keys = strings_new()};
    struct summary summary = summary_of(request->model, request->loop);
    struct model_amount *steady = rows_steady(request);
    struct model_amount sum;
    size_t count;
    struct model_row *rows = rows_select(request, &count, &sum);

    annotate.unit = summary.unit;
    annotate.units = summary.units;
    summary_free(&summary);
    for (size_t i = 0; i < count; i++) {
        const struct model_site *site = rows[i].site;
        struct annotate_amount amount = {1, rows[i].amount.bytes,
                                         steady[site - request->model->sites].bytes};
        if (amount.bytes > 0)
            add_site(&book, request->model, site, &amount);
    }
    annotate.known = drop_bare(&book);
    annotate.line_count = annotate.known < request->limit ? annotate.known : request->limit;
    if (annotate.known > 0) {
        qsort(book.entries, annotate.known, sizeof *book.entries, by_weight);
        qsort(book.entries, annotate.line_count, sizeof *book.entries, by_place);
    }
    make_files(&annotate, book.entries);
    free(rows);
    free(steady);
    free(book.entries);
    strings_free(book.keys);
    return annotate;
}

void annotate_free(struct annotate *annotate)
{
    sources_free(annotate->sources);
    free(annotate->lines);
    free(annotate->files);
    *annotate = (struct annotate){0};
}

double annotate_per_unit(const struct annotate *annotate, uint64_t steady)
{
    return annotate->units > 0 ? (double)steady / (double)annotate->units : 0;
}
