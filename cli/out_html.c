/* SPDX-License-Identifier: MIT */
#include "cli/out_html.h"

#include "cli/errors.h"
#include "cli/html_files.h"
#include "cli/out_html_data.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

#define RUNS_MOST 2
#define ROOM      2000 /* for what stands between the sites' parts of the data */

static void put_escaped(FILE *out, const char *text)
{
    char *harmless = text_harmless(text);

    for (const char *at = harmless; *at != '\0'; at++) {
        if (*at == '<')
            fputs("&lt;", out);
        else if (*at == '>')
            fputs("&gt;", out);
        else if (*at == '&')
            fputs("&amp;", out);
        else if (((unsigned char)*at >= ' ' && *at != '\x7f') || *at == '\n')
            fputc(*at, out);
        else
            fputc(' ', out);
    }
    free(harmless);
}

static void put_title(FILE *out, const struct out_request *runs, size_t count)
{
    const char *name = runs[count - 1].model->program_name;

    put_escaped(out, *name != '\0' ? name : "unknown program");
    fputs(count > 1 ? ": two runs compared" : ": what its loop allocates", out);
}

/* For browsers that run no scripts. */
static void put_plain(FILE *out, const struct out_request *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct out_request request = runs[i];
        char *text = NULL;
        size_t size = 0;
        request.term =
            (struct term){.out = open_memstream(&text, &size), .columns = 100, .utf8 = true};
        if (request.term.out == NULL)
            return;
        request.limit = 20;
        out_text.report(&request);
        fclose(request.term.out);
        put_escaped(out, text);
        fputc('\n', out);
        free(text);
    }
}

/* The page's frame with each "@name@" of it replaced; `data` NULL: with nothing in its place. */
static char *filled(const struct out_request *runs, size_t count, const char *data, size_t *size)
{
    static const char *const names[] = {"title", "style", "plain", "data", "script"};
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    const char *rest = html_files_page;

    if (out == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *mark = xasprintf("@%s@", names[i]);
        const char *at = strstr(rest, mark);
        if (at != NULL) {
            fwrite(rest, 1, (size_t)(at - rest), out);
            rest = at + strlen(mark);
        }
        free(mark);
        switch (i) {
        case 0:
            put_title(out, runs, count);
            break;
        case 1:
            fputs(html_files_style, out);
            break;
        case 2:
            put_plain(out, runs, count);
            break;
        case 3:
            fputs(data != NULL ? data : "", out);
            break;
        default:
            fputs(html_files_script, out);
            break;
        }
    }
    fputs(rest, out);
    if (ferror(out) || fclose(out) != 0) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    return text;
}

char *out_html_page(const struct out_request *runs, size_t count, const struct out_compare *compare,
                    size_t *size)
{
    struct out_html_lines lines[RUNS_MOST];
    json_t *data = json_object();
    json_t *list = json_array();
    size_t used = ROOM;

    out_json_set(data, "compare", out_html_compare(compare));
    for (size_t i = 0; i < count && i < RUNS_MOST; i++) {
        lines[i] = out_html_lines_new();
        json_array_append_new(list, out_html_run(&runs[i], &lines[i]));
        used += lines[i].size;
    }
    out_json_set(data, "runs", list);

    char *text = out_html_text(data);
    size_t frame;
    free(filled(runs, count, text, &frame));
    free(text);
    used += frame;
    for (size_t i = 0; i < count && i < RUNS_MOST; i++)
        out_html_add_sites(json_array_get(list, i), &runs[i], &lines[i],
                           used < OUT_HTML_MOST ? (OUT_HTML_MOST - used) / count : 0);

    text = out_html_text(data);
    char *page = filled(runs, count, text, size);
    free(text);
    json_decref(data);
    for (size_t i = 0; i < count && i < RUNS_MOST; i++) {
        json_decref(lines[i].list);
        json_decref(lines[i].numbers);
    }
    return page;
}
