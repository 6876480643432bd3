/* SPDX-License-Identifier: MIT */
#include "cli/unseen.h"

#include "cli/blind.h"
#include "cli/census.h"
#include "cli/errors.h"
#include "cli/out_json.h"
#include "cli/preflight.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SDL_INIT_VIDEO 0x20u /* SDL.h, the same in SDL 2 and 3 */

/* What is found, of one process. */
struct finding {
    unsigned number; /* of blind.h */
    uint32_t pid;    /* 0: not known */
    const char *program;
};

struct unseen unseen_start(const char *program, const char *recorder)
{
    struct unseen unseen = {.program = program, .watch = {.recorder = recorder}};
    char *path = preflight_find(program);

    if (path != NULL)
        unseen.preflight = preflight_look(path, recorder);
    free(path);
    const struct blind_words *words = blind_words(unseen.preflight);
    if (words != NULL)
        warning("nothing can be told of '%s' (%s): %s; %s", program, words->code, words->reason,
                words->advice);
    if (unseen.preflight == DUMP_BLIND_OWN_MALLOC)
        unseen.preflight = BLIND_NO; /* its polls are seen, and it makes a dump */
    unseen.census = census_make();
    return unseen;
}

bool unseen_starts_bare(const struct unseen *unseen)
{
    return unseen->preflight == BLIND_LIBC;
}

void unseen_tick(struct unseen *unseen)
{
    watch_look(&unseen->watch);
}

/* What the process tells, or if it ended before it could, what can be told by what it had done. */
static unsigned number_of(const struct dump_census *record)
{
    if (record->polls > 0)
        return BLIND_NO_FILE;
    if (record->blind != BLIND_NO)
        return blind_words(record->blind) != NULL ? record->blind : BLIND_NOT_TOLD;
    if (record->subsystems != 0 && (record->subsystems & SDL_INIT_VIDEO) == 0)
        return DUMP_BLIND_SDL_NO_VIDEO;
    return record->subsystems != 0 || (record->facts & DUMP_FACT_ASKED) != 0 ? DUMP_BLIND_NOT_POLLED
                                                                             : BLIND_NOT_TOLD;
}

/* How sure it is that this is the process that was meant. */
static unsigned weight_of(unsigned number)
{
    switch (number) {
    case BLIND_NO_FILE:
        return 9;
    case DUMP_BLIND_PEEPS_ALONE:
    case DUMP_BLIND_SDL_REFILLED:
    case DUMP_BLIND_NOT_POLLED:
        return 8;
    case DUMP_BLIND_SDL_VARIABLE:
    case DUMP_BLIND_SDL_EARLY:
        return 7;
    case DUMP_BLIND_SDL_NO_VIDEO:
        return 6;
    case DUMP_BLIND_SDL_1:
        return 4;
    case DUMP_BLIND_SDL_UNUSED:
        return 3;
    case BLIND_NOT_TOLD:
        return 1;
    default:
        return 0;
    }
}
#define WEIGHT_WATCHED_SDL 7u /* it runs without the recorder, and has an SDL */
#define WEIGHT_PREFLIGHT   5u
#define WEIGHT_WATCHED     2u

static void take(struct finding *best, unsigned *weight, struct finding other,
                 unsigned other_weight)
{
    if (best->number != BLIND_NO && other_weight <= *weight)
        return;
    *best = other;
    *weight = other_weight;
}

/* The finding that tells most; of several, the first. */
static struct finding find(const struct unseen *unseen, const struct dump_census *list,
                           size_t count, uint32_t pid)
{
    struct finding best = {.number = BLIND_NO};
    unsigned weight = 0;

    for (size_t i = 0; i < count; i++) {
        struct finding found = {number_of(&list[i]), list[i].pid, list[i].program};
        take(&best, &weight, found, weight_of(found.number));
    }
    for (size_t i = 0; i < unseen->watch.count; i++) {
        const struct watched *watched = &unseen->watch.found[i];
        struct finding found = {watched->why, (uint32_t)watched->pid, watched->program};
        take(&best, &weight, found, watched->sdl ? WEIGHT_WATCHED_SDL : WEIGHT_WATCHED);
    }
    if (unseen->preflight != BLIND_NO) {
        struct finding found = {unseen->preflight, pid, unseen->program};
        take(&best, &weight, found, WEIGHT_PREFLIGHT);
    }
    if (best.number == BLIND_NO) {
        best = (struct finding){unseen->census != NULL ? BLIND_NOT_LOADED : BLIND_NOT_TOLD, pid,
                                unseen->program};
    } else if (weight == 0) {
        best.program = unseen->program; /* of many helpers, the one that was asked for */
        best.pid = pid;
    }
    return best;
}

static void print_json(FILE *out, const struct finding *found)
{
    json_t *whole = json_object();
    json_t *program = json_object();

    out_json_set(whole, "schema", json_integer(OUT_SCHEMA));
    out_json_set(whole, "allocreport", json_string(ALLOCREPORT_VERSION));
    out_json_set(whole, "dump", json_null());
    out_json_set(program, "path", out_json_text(found->program));
    out_json_set_number(program, "pid", found->pid);
    out_json_set(whole, "program", program);
    out_json_set(whole, "blind", out_json_blind(found->number));
    out_json_print(out, whole);
}

void unseen_explain(const struct unseen *unseen, pid_t pid, FILE *json)
{
    size_t count = 0;
    struct dump_census *list = unseen->census != NULL ? census_read(unseen->census, &count) : NULL;
    struct finding found = find(unseen, list, count, (uint32_t)pid);
    const struct blind_words *words = blind_words(found.number);

    /* The warning before the start has said it. */
    if (found.number != unseen->preflight || strcmp(found.program, unseen->program) != 0)
        error("no dump was made of '%s' (%s): %s; %s", found.program, words->code, words->reason,
              words->advice);
    if (json != NULL)
        print_json(json, &found);
    free(list);
}

void unseen_end(struct unseen *unseen)
{
    if (unseen->census != NULL)
        unlink(unseen->census);
    free(unseen->census);
    watch_end(&unseen->watch);
}
