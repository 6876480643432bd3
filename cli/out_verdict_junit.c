/* SPDX-License-Identifier: MIT */
/* The verdict as JUnit XML, as CI servers read it: a test case for each item. What is exceeded is a
 * failure, what cannot be told an error. */
#include "cli/errors.h"
#include "cli/escape.h"
#include "cli/out_verdict.h"

#include <stdlib.h>

/* Prints ` name="value"`. */
static void attribute(FILE *out, const char *name, const char *value)
{
    char *escaped = escape_xml(value);

    fprintf(out, " %s=\"%s\"", name, escaped);
    free(escaped);
}

static void text(FILE *out, const char *value)
{
    char *escaped = escape_xml(value);

    fputs(escaped, out);
    free(escaped);
}

static const char *element_of(const struct verdict_item *item)
{
    switch (item->code) {
    case EXIT_FINE:
        return item->status == VERDICT_SKIPPED ? "skipped" : NULL;
    case EXIT_EXCEEDED:
    case EXIT_BETTER:
        return "failure";
    default:
        return "error";
    }
}

/* What stands in the element: the item's line and its sites. */
static void body(const struct out_verdict_request *request, const struct verdict_item *item)
{
    FILE *out = request->base.term.out;
    char *mark = out_verdict_mark(request, item);
    size_t shown = out_verdict_shown(item);

    text(out, item->text);
    if (*mark != '\0') {
        fputc('\n', out);
        text(out, mark);
    }
    for (size_t i = 0; i < shown; i++) {
        char *site = out_verdict_site(request, &item->parts[i]);

        fputc('\n', out);
        text(out, site);
        free(site);
    }
    free(mark);
}

static void print_case(const struct out_verdict_request *request, const struct verdict_item *item,
                       const char *class)
{
    FILE *out = request->base.term.out;
    const char *element = element_of(item);

    fputs("    <testcase", out);
    attribute(out, "classname", class);
    attribute(out, "name", item->name);
    fputs(" time=\"0\"", out);
    if (element == NULL) {
        fputs(">\n      <system-out>", out);
        body(request, item);
        fputs("</system-out>\n    </testcase>\n", out);
        return;
    }
    fprintf(out, ">\n      <%s", element);
    attribute(out, "message", item->text);
    if (item->status == VERDICT_SKIPPED) {
        fputs("/>\n    </testcase>\n", out);
        return;
    }
    attribute(out, "type", verdict_status_name(item->status));
    fputc('>', out);
    body(request, item);
    fprintf(out, "</%s>\n    </testcase>\n", element);
}

void out_verdict_junit(const struct out_verdict_request *request)
{
    const struct verdict *verdict = request->verdict;
    FILE *out = request->base.term.out;
    char *class = xasprintf("allocreport.%s", verdict->model->program_name);
    size_t failures = 0;
    size_t errors = 0;
    size_t skipped = 0;

    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];
        bool exceeded = item->code == EXIT_EXCEEDED || item->code == EXIT_BETTER;

        failures += exceeded;
        errors += item->code != EXIT_FINE && !exceeded;
        skipped += item->status == VERDICT_SKIPPED;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out, "<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
            verdict->item_count, failures, errors);
    fputs("  <testsuite", out);
    attribute(out, "name", class);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
            verdict->item_count, failures, errors, skipped);
    fputs("    <properties>\n", out);
    fprintf(out, "      <property name=\"exit_code\" value=\"%d\"/>\n", verdict->code);
    fputs("      <property name=\"headline\"", out);
    attribute(out, "value", verdict->headline);
    fputs("/>\n    </properties>\n", out);
    for (size_t i = 0; i < verdict->item_count; i++)
        print_case(request, &verdict->items[i], class);
    fputs("  </testsuite>\n</testsuites>\n", out);
    free(class);
}
