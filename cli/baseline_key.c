/* SPDX-License-Identifier: MIT */
#include "cli/baseline_key.h"

#include "cli/baseline_private.h"
#include "cli/errors.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *build_of(const struct baseline *baseline, const char *module)
{
    for (size_t i = 0; i < baseline->module_count; i++)
        if (strcmp(baseline->modules[i].name, module) == 0)
            return baseline->modules[i].build_id;
    return NULL;
}

/* The module of that name in another run: the programs may have different names. */
static const char *build_in(const struct baseline *other, const struct baseline *of,
                            const char *module)
{
    bool program = strcmp(module, of->environment.program) == 0;

    return build_of(other, program ? other->environment.program : module);
}

/* Runs that do not list the module have no lines of it without names. */
static bool has_offsets(const struct baseline *of, const char *module,
                        const struct baseline_runs *runs)
{
    const char *build = build_of(of, module);

    if (build == NULL || *build == '\0')
        return false;
    for (size_t i = 0; i < runs->count; i++) {
        const char *other = build_in(runs->runs[i], of, module);
        if (other != NULL && strcmp(other, build) != 0)
            return false;
    }
    return true;
}

/* Bytes of the name up to the first suffix. */
static size_t function_length(const char *function)
{
    static const char *const suffixes[] = {".isra.",     ".constprop.", ".part.", ".cold",
                                           ".lto_priv.", ".llvm.",      " [clone"};
    size_t length = strlen(function);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const char *found = strstr(function, suffixes[i]);
        if (found != NULL && found != function && (size_t)(found - function) < length)
            length = (size_t)(found - function);
    }
    return length;
}

char *baseline_line_key(const struct baseline *of, const struct baseline_line *line,
                        const struct baseline_runs *runs)
{
    const char *module = line->module, *function = line->function;
    size_t module_length = strlen(module);
    const char *end = strstr(module, ".so");

    if (end != NULL && end != module)
        module_length = (size_t)(end - module) + strlen(".so");
    if (strcmp(module, of->environment.program) == 0)
        module_length = 0;
    if (*function == '\0' || (*function == '+' && !has_offsets(of, module, runs)))
        function = "?";
    return xasprintf("%.*s!%.*s", (int)module_length, module, (int)function_length(function),
                     function);
}

char *baseline_site_key(const struct baseline *of, const struct baseline_site *site,
                        const struct baseline_runs *runs, bool with_place)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    char *last = NULL;

    if (stream == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    if (with_place)
        fprintf(stream, "%s\n", baseline_place_names[site->place]);
    for (size_t i = 0; i < site->line_count; i++) {
        char *key = baseline_line_key(of, &site->lines[i], runs);
        if (last == NULL || strcmp(last, key) != 0)
            fprintf(stream, "%s\n", key);
        free(last);
        last = key;
    }
    free(last);
    if (fclose(stream) != 0 || text == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    return text;
}
