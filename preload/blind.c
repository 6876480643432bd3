/* SPDX-License-Identifier: MIT */
#include "preload/blind.h"

#include "preload/bound.h"
#include "preload/config.h"
#include "preload/elfsym.h"
#include "preload/foreign.h"
#include "preload/info.h"
#include "preload/mapfile.h"
#include "preload/mapped.h"
#include "preload/polls.h"
#include "preload/real.h"
#include "preload/sdl_slots.h"
#include "preload/sdl_table.h"
#include "preload/sdl_unfilled.h"
#include "preload/sdl_variables.h"
#include "preload/thread.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

#define SDL_INIT_VIDEO 0x20u /* SDL.h: the same in SDL 2 and 3 */

#define SDL_LIBRARIES (DUMP_FACT_SDL2 | DUMP_FACT_SDL3)

void ar_blind_start(void)
{
    ar_bound_start();
}

/* The tables of SDL, as far as sdl_table.c has found them. */
static uint32_t look_at_tables(void)
{
    uint32_t facts = ar_sdl_table_asked() ? DUMP_FACT_ASKED : 0;

    for (unsigned i = 0; i < AR_SDL_TABLES; i++) {
        const struct ar_sdl_table *table = &ar_sdl_tables[i];
        struct ar_object object;

        if (table->end == 0 || !ar_objects_find(table->start, &object) ||
            object.start != table->start)
            continue;
        if (__atomic_load_n(&table->late, __ATOMIC_ACQUIRE) || table->sdl.function == NULL)
            facts |= DUMP_FACT_TABLE_WAITS;
        else
            facts |=
                DUMP_FACT_TABLE | (ar_sdl_slots_ours(table, AR_SDL_POLL) ? 0 : DUMP_FACT_REFILLED);
    }
    if (ar_sdl_variables_changed())
        facts |= DUMP_FACT_VARIABLE;
    return facts;
}

/* A malloc that the program has and does not export: its file names it, or an allocator's text is
 * in it. */
static bool has_hidden_malloc(const struct ar_mapped *mapped)
{
    struct ar_object program;

    return (mapped->runtimes & DUMP_RUNTIME_ALLOCATOR) != 0 ||
           (ar_objects_find((uintptr_t)_r_debug.r_map->l_ld, &program) && program.executable &&
            ar_elfsym_local(&program, "malloc") != NULL);
}

static void publish(const struct ar_mapped *mapped)
{
    struct dump_header *header = ar_header();

    header->facts = mapped->facts;
    header->runtimes = mapped->runtimes;
    header->subsystems = ar_sdl_subsystems();
}

static void record_bypass(void)
{
    const char *path = ar_bound_bypass();

    if (path[0] != '\0')
        ar_info_add(DUMP_INFO_BYPASS, path, (uint32_t)strlen(path));
}

void ar_blind_dump_made(void)
{
    struct ar_mapped mapped = {0, 0};
    struct ar_foreign foreign;

    foreign = ar_foreign_begin();
    ar_mapped_look(&mapped);
    mapped.facts |= look_at_tables() | ar_bound_look();
    publish(&mapped);
    record_bypass();
    ar_foreign_end(foreign);
}

/* No poll was seen. From what is certain to what is left. */
static enum dump_blind why_no_poll(uint32_t facts, uint64_t peeps, uint64_t presents)
{
    uint32_t subsystems = ar_sdl_subsystems();

    if (peeps > 0)
        return DUMP_BLIND_PEEPS_ALONE;
    if ((facts & DUMP_FACT_REFILLED) != 0)
        return DUMP_BLIND_SDL_REFILLED;
    if ((facts & DUMP_FACT_TABLE) != 0)
        return subsystems != 0 && (subsystems & SDL_INIT_VIDEO) == 0 && presents == 0
                   ? DUMP_BLIND_SDL_NO_VIDEO
                   : DUMP_BLIND_NOT_POLLED;
    if (presents > 0)
        return DUMP_BLIND_NOT_POLLED;
    if ((facts & (DUMP_FACT_TABLE_WAITS | DUMP_FACT_UNFILLED)) != 0)
        return DUMP_BLIND_SDL_UNUSED;
    if ((facts & (SDL_LIBRARIES | DUMP_FACT_SDL_TEXT)) != 0)
        return (facts & DUMP_FACT_VARIABLE) != 0 ? DUMP_BLIND_SDL_VARIABLE : DUMP_BLIND_SDL_EARLY;
    return (facts & DUMP_FACT_SDL1) != 0 ? DUMP_BLIND_SDL_1 : DUMP_BLIND_NO_SDL;
}

static enum dump_blind why_no_allocation(uint32_t facts)
{
    return (facts & DUMP_FACT_OWN_MALLOC) != 0      ? DUMP_BLIND_OWN_MALLOC
           : (facts & DUMP_FACT_MALLOC_FIRST) != 0  ? DUMP_BLIND_MALLOC_FIRST
           : (facts & DUMP_FACT_DEEPBIND) != 0      ? DUMP_BLIND_DEEPBIND
           : (facts & DUMP_FACT_HIDDEN_MALLOC) != 0 ? DUMP_BLIND_HIDDEN_MALLOC
                                                    : DUMP_BLIND_MALLOC_UNSEEN;
}

/* What is looked at depends on what was seen: most programs that end are helpers of no interest. */
static void look_at_end(struct ar_mapped *mapped, bool orderly, bool polled)
{
    bool matters = ar_mapfile_exists() || ar_config.census != NULL;

    ar_mapped_look(mapped);
    mapped->facts |= look_at_tables();
    if (matters)
        ar_mapped_search(mapped);
    if (!polled && (mapped->facts & SDL_LIBRARIES) != 0 && (mapped->facts & DUMP_FACT_TABLE) == 0 &&
        (orderly ? ar_sdl_unfilled() : (mapped->facts & DUMP_FACT_VARIABLE) == 0))
        mapped->facts |= DUMP_FACT_UNFILLED;
    if (matters && orderly)
        mapped->facts |= ar_bound_look();
    else
        mapped->facts |= ar_header()->facts &
                         (DUMP_FACT_OWN_MALLOC | DUMP_FACT_MALLOC_FIRST | DUMP_FACT_DEEPBIND);
    if (matters && has_hidden_malloc(mapped))
        mapped->facts |= DUMP_FACT_HIDDEN_MALLOC;
}

void ar_blind_ended(bool orderly)
{
    struct ar_mapped mapped = {0, 0};
    struct ar_sums sums = ar_threads_sums();
    struct ar_foreign foreign;
    uint64_t polls;
    uint64_t bytes;

    foreign = ar_foreign_begin();
    ar_polls_summary(&polls, &bytes);
    look_at_end(&mapped, orderly, polls > 0);
    publish(&mapped);
    ar_header()->blind = polls == 0 ? why_no_poll(mapped.facts, sums.peeps, sums.presents)
                         : sums.allocations == 0 ? why_no_allocation(mapped.facts)
                                                 : DUMP_BLIND_NO;
    if (ar_mapfile_exists())
        record_bypass();
    ar_foreign_end(foreign);
}

/* Is the program itself linked to SDL? A library that it uses may be, and then SDL is a matter of
 * chance. */
static bool is_linked_to_sdl(void)
{
    return ar_elfsym_needs(_r_debug.r_map, "libSDL2-") ||
           ar_elfsym_needs(_r_debug.r_map, "libSDL3.");
}

const char *ar_blind_word(void)
{
    uint32_t blind = ar_header()->blind;

    if (ar_header()->forked_from != 0 || blind == DUMP_BLIND_NO_SDL || blind == DUMP_BLIND_SDL_1 ||
        (blind == DUMP_BLIND_SDL_UNUSED && !is_linked_to_sdl()))
        return NULL;
    switch (blind) {
#define WORD(name, number, word)                                                                   \
    case number:                                                                                   \
        return word;
        DUMP_BLIND_WORDS(WORD)
#undef WORD
    default:
        return NULL;
    }
}
