/* SPDX-License-Identifier: MIT */
/*
 * baseline_key.h: the names under which sites of several runs are the same, though the program was
 * rebuilt, moved or renamed, or runs with another version of a library. Called by the baseline and
 * the comparison.
 *
 * A module is known by its file's name up to ".so"; the program itself by no name. A function is
 * known by its name without what compilers append to parts and copies of it (".isra.0",
 * ".constprop.1", ".cold"); one that has no name by its offset if all runs have the same build of
 * the module, else not at all. Lines that come out alike, one behind the other, are one.
 */
#ifndef CLI_BASELINE_KEY_H
#define CLI_BASELINE_KEY_H

#include "cli/baseline.h"

/* The runs that are compared: their builds are looked at. */
struct baseline_runs {
    struct baseline *const *runs;
    size_t count;
};

/* Of one line of a site of `of`, which is among the runs: "libSDL2-2.0.so!SDL_PollEvent". The
 * caller frees. */
char *baseline_line_key(const struct baseline *of, const struct baseline_line *line,
                        const struct baseline_runs *runs);

/* Of all its lines, innermost first, each with a line end; in front of them the place, if
 * `with_place`. The caller frees. */
char *baseline_site_key(const struct baseline *of, const struct baseline_site *site,
                        const struct baseline_runs *runs, bool with_place);

#endif
