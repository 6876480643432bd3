/* SPDX-License-Identifier: MIT */
/* Keeps a baseline's file up to date. */
#include "cli/compare.h"
#include "cli/errors.h"
#include "cli/out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_MOST 20 /* sites of the list */

/* As the services that build and test set it. */
static bool is_ci(void)
{
    const char *ci = getenv("CI");

    return ci != NULL && *ci != '\0' && strcmp(ci, "false") != 0 && strcmp(ci, "0") != 0;
}

static struct compare *compare_two(struct baseline *const *was, struct baseline *const *now,
                                   struct ratio percent)
{
    struct compare_options options = compare_defaults();

    options.percent = percent;
    return compare_runs(was, 1, now, 1, &options);
}

static void print_changes(struct baseline *const *was, struct baseline *const *now,
                          const struct term *term)
{
    struct compare *compare = compare_two(was, now, compare_defaults().percent);
    const struct out_compare request = {
        .compare = compare, .before = was, .after = now, .term = *term, .limit = LINES_MOST};

    out_text.compare(&request);
    compare_free(compare);
}

/* Something is less, and nothing is more, by whatever little: else many steps would lead upwards.
 */
static bool is_lower(struct baseline *const *was, struct baseline *const *now)
{
    struct compare *compare = compare_two(was, now, (struct ratio){0, 1, false});
    bool lower = compare->unknown == NULL && compare->better && !compare->worse &&
                 compare->changes[COMPARE_NEW] == 0;

    compare_free(compare);
    return lower;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0 || errno != ENOENT;
}

static int rewrite(const char *path, const struct baseline *now, enum compare_mode mode,
                   const struct term *term)
{
    struct baseline *was = baseline_read(path);
    int result = -1;

    if (was == NULL)
        return EXIT_UNREADABLE;
    /* Only what is private of it changes, if anything. */
    struct baseline *const before[] = {was}, *const after[] = {(struct baseline *)now};
    print_changes(before, after, term);
    if (mode == COMPARE_UPDATE) {
        result = baseline_write(now, path);
    } else {
        baseline_tighten(was, now, is_lower(before, after));
        result = baseline_write(was, path);
    }
    baseline_free(was);
    return result == 0 ? EXIT_FINE : EXIT_UNREADABLE;
}

int compare_update(const char *path, const struct baseline *now, enum compare_mode mode, bool told,
                   const struct term *term)
{
    const char *option = mode == COMPARE_UPDATE ? "--update" : "--tighten";

    if (is_ci() && !told) {
        error("'%s' does not rewrite a baseline where CI is set, unless --ci is given", option);
        return EXIT_USAGE;
    }
    const char *why = baseline_unknown(now);
    if (why != NULL) {
        error("cannot make a baseline of '%s': %s", now->path, why);
        return EXIT_INCONCLUSIVE;
    }
    if (!is_there(path) && mode == COMPARE_UPDATE) {
        if (baseline_write(now, path) != 0)
            return EXIT_UNREADABLE;
        fprintf(term->out, "made the baseline '%s': %zu sites, %zu values\n", path, now->site_count,
                now->value_count);
        return EXIT_FINE;
    }
    return rewrite(path, now, mode, term);
}
