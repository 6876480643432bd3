/* SPDX-License-Identifier: MIT */
#include "preload/sdl_table.h"

#include "preload/census.h"
#include "preload/elfsym.h"
#include "preload/foreign.h"
#include "preload/lock.h"
#include "preload/log.h"
#include "preload/modules.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/sdl_late.h"
#include "preload/sdl_real.h"
#include "preload/sdl_slots.h"
#include "preload/sdl_stubs.h"
#include "preload/sdl_variables.h"
#include "preload/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#define ENTRY      "SDL_DYNAPI_entry"
#define SYSTEM_SDL "libSDL2-2.0.so.0"
#define REFUSED    (-1)
#define PATH_MOST  4096u

/* SDL 2.0.9 and 2.0.10 wait for ever when they are refused (libsdl-org/SDL #3399). Earlier ones
 * have fewer slots, later ones have this text, by which they say that they were refused. */
#define FIRST_SLOTS_THAT_WAIT 649u
#define REFUSAL_TEXT          "SDL Dynamic API Failure!"

/* SDL_DYNAPI_entry of src/dynapi/SDL_dynapi.c: `version` is 1 for SDL 2, 2 for SDL 3; `size` is the
 * table's, in bytes. 0, or negative: refused. */
typedef int32_t entry_call(uint32_t version, void *table, uint32_t size);

/* The name may be a program's own, with an SDL in it: here it is never called by that name. */
static entry_call own_entry;
__attribute__((visibility("default"), alias("own_entry"))) entry_call SDL_DYNAPI_entry;

/* A table that is to be filled, and the object that it lies in. */
struct request {
    uint32_t version;
    uint32_t size;
    void **table;
    const struct link_map *map;
    struct ar_object owner;
};

static struct ar_lock_word busy;

static int32_t fill_by(void *function, const struct request *request)
{
    entry_call *entry;

    *(void **)&entry = function;
    return function != NULL && entry != own_entry
               ? entry(request->version, request->table, request->size)
               : REFUSED;
}

/* By the library at `path`, which stays loaded if it fills the table. */
static int32_t fill_by_library(const char *path, const struct request *request)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int32_t result;

    if (library == NULL)
        return REFUSED;
    result = fill_by(dlsym(library, ENTRY), request);
    if (result < 0 && ar_real.dlclose != NULL)
        ar_real.dlclose(library);
    return result;
}

/* By the first that agrees of those that the user's own variable named; SDL 3 takes a list with
 * commas. */
static int32_t fill_by_chain(const struct request *request)
{
    const char *list = ar_sdl_variables_chained(request->version + 1);

    while (list != NULL && *list != '\0') {
        size_t length = request->version == 1 ? strlen(list) : strcspn(list, ",");
        char path[PATH_MOST];

        if (length > 0 && length < sizeof path) {
            memcpy(path, list, length);
            path[length] = '\0';
            if (fill_by_library(path, request) >= 0)
                return 0;
        }
        list += length + (list[length] == ',');
    }
    return REFUSED;
}

/* By the object that the table lies in, as SDL itself would have done. */
static int32_t fill_by_owner(const struct request *request)
{
    void *entry = request->map != NULL ? ar_elfsym_exported(request->map, ENTRY) : NULL;

    if (entry == NULL && request->owner.end != 0)
        entry = ar_elfsym_local(&request->owner, ENTRY);
    return fill_by(entry, request);
}

/* Its place among the tables; NULL: there is no more room. One whose object is gone is free. */
static struct ar_sdl_table *place_of(const struct request *request)
{
    struct ar_sdl_table *free_place = NULL;

    for (unsigned i = 0; i < AR_SDL_TABLES; i++) {
        struct ar_sdl_table *table = &ar_sdl_tables[i];
        struct ar_object object;

        if (table->end != 0 && table->start == request->owner.start &&
            table->slots == request->table)
            return table;
        if (free_place == NULL && (table->end == 0 || !ar_objects_find(table->start, &object) ||
                                   object.start != table->start))
            free_place = table;
    }
    return free_place;
}

static struct ar_sdl_table *take_place(const struct request *request)
{
    struct ar_held held = ar_lock_word(&busy);
    struct ar_sdl_table *table = place_of(request);

    if (table != NULL) {
        *table = (struct ar_sdl_table){
            .sdl = {.major = request->table != NULL ? request->version + 1 : 0,
                    .slots = request->size / (uint32_t)sizeof(void *),
                    .table = request->table},
            .slots = request->table,
            .start = request->owner.start,
            .end = request->owner.end,
        };
    }
    ar_unlock_word(&busy, held);
    return table;
}

static int32_t fill(const struct request *request)
{
    int32_t result = fill_by_chain(request);

    return result < 0 ? fill_by_owner(request) : result;
}

/* The table is filled: its slots become ours. */
static void adopt(const struct request *request)
{
    struct ar_sdl_table *table = take_place(request);

    if (table == NULL) {
        ar_log("polls of one SDL are not counted by its table", "it is the ninth of this process");
        return;
    }
    ar_sdl_slots_replace(table);
    ar_sdl_late_done(table);
}

static bool may_be_refused(const struct request *request)
{
    return request->version != 1 || request->size / sizeof(void *) < FIRST_SLOTS_THAT_WAIT ||
           ar_objects_hold(&request->owner, REFUSAL_TEXT);
}

/* Nobody could be asked: SDL fills its table itself, and its slots become ours when it has done so.
 * The system's SDL takes the place of one that would wait for ever. */
static int32_t refuse(const struct request *request, bool recording)
{
    struct ar_sdl_table *table;

    if (!may_be_refused(request) && fill_by_library(SYSTEM_SDL, request) >= 0) {
        ar_log("the program's SDL 2.0.9 or 2.0.10 exports nothing",
               "the system's " SYSTEM_SDL " takes its place");
        if (recording)
            adopt(request);
        return 0;
    }
    if (ar_objects_hold(&request->owner, REFUSAL_TEXT))
        ar_log("SDL is going to warn that it cannot be overridden", "that is as it should be");
    else if (!may_be_refused(request))
        ar_log("the program's SDL 2.0.9 or 2.0.10 exports nothing",
               "it waits for ever, unless there is a " SYSTEM_SDL " to take its place");
    table = recording ? take_place(request) : NULL;
    if (table != NULL)
        ar_sdl_late_expect(table);
    return REFUSED;
}

static void say_not_preloaded(void)
{
    static bool said;

    if (!said)
        ar_log("SDL has loaded this library, but it was not preloaded", "nothing is recorded");
    said = true;
}

static bool was_asked;

bool ar_sdl_table_asked(void)
{
    return __atomic_load_n(&was_asked, __ATOMIC_RELAXED);
}

static int32_t answer(const struct request *request)
{
    bool known = request->owner.end != 0 && (request->version == 1 || request->version == 2);
    bool recording = ar_process_ready();

    if (!recording)
        say_not_preloaded();
    if (fill(request) < 0)
        return known ? refuse(request, recording) : REFUSED;
    if (known && recording)
        adopt(request);
    return 0;
}

static int32_t own_entry(uint32_t version, void *table, uint32_t size)
{
    struct request request = {.version = version, .size = size, .table = table};
    struct ar_foreign foreign;
    int saved = errno;
    int32_t result;
    Dl_info info;

    if (table == NULL)
        return REFUSED;
    foreign = ar_foreign_begin();
    if (dladdr1(table, &info, (void **)&request.map, RTLD_DL_LINKMAP) == 0)
        request.map = NULL;
    if (!ar_objects_find((uintptr_t)table, &request.owner))
        request.owner.end = 0;
    __atomic_store_n(&was_asked, true, __ATOMIC_RELAXED);
    result = answer(&request);
    dlsym(RTLD_DEFAULT, "malloc"); /* a call that succeeds leaves no dlerror behind */
    ar_census_tell();
    ar_foreign_end(foreign);
    errno = saved;
    return result;
}

static bool has_table(const struct ar_object *object, void *function)
{
    struct link_map *map = NULL;
    Dl_info info;

    for (unsigned i = 0; i < AR_SDL_TABLES; i++)
        if (ar_sdl_tables[i].slots != NULL && (uintptr_t)function - ar_sdl_tables[i].start <
                                                  ar_sdl_tables[i].end - ar_sdl_tables[i].start)
            return true;
    return ar_modules_own(object->start) ||
           dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL ||
           ar_elfsym_exported(map, ENTRY) != NULL;
}

/* Its place among the tables, though it has none. */
static struct ar_sdl_table *place_without_table(const struct ar_object *object)
{
    struct request request = {.owner = *object};

    for (unsigned i = 0; i < AR_SDL_TABLES; i++)
        if (ar_sdl_tables[i].slots == NULL && ar_sdl_tables[i].end != 0 &&
            ar_sdl_tables[i].start == object->start)
            return &ar_sdl_tables[i];
    return take_place(&request);
}

void *ar_sdl_table_wrap(enum ar_sdl_call call, void *function)
{
    struct ar_sdl_table *table;
    struct ar_object object;

    if (!ar_objects_find((uintptr_t)function, &object) || has_table(&object, function))
        return NULL;
    table = place_without_table(&object);
    if (table == NULL)
        return NULL;
    table->sdl.function = function;
    __atomic_store_n(&table->original[call], function, __ATOMIC_RELEASE);
    return ar_sdl_slots_function(table, call);
}

/* An SDL that is linked into the program and exports nothing. It is not to ask for anybody. */
static void find_hidden(void)
{
    const struct link_map *map = _r_debug.r_map;
    struct request request = {.map = map};
    struct ar_sdl_stubs found;
    struct ar_sdl_table *table;

    if (ar_elfsym_exported(map, ENTRY) != NULL || ar_elfsym_needs(map, "libSDL2") ||
        ar_elfsym_needs(map, "libSDL3") || !ar_objects_find((uintptr_t)map->l_ld, &request.owner) ||
        !request.owner.executable || !ar_sdl_stubs_find(&request.owner, &found))
        return;
    request.version = found.major - 1;
    request.table = found.table;
    request.size = found.slots * (uint32_t)sizeof(void *);
    table = take_place(&request);
    if (table == NULL)
        return;
    ar_sdl_variables_undo(found.major);
    ar_sdl_late_expect(table);
}

void ar_sdl_table_reset(void)
{
    ar_lock_word_reset(&busy);
}

void ar_sdl_table_start(void)
{
    struct ar_foreign foreign;
    int saved = errno;

    foreign = ar_foreign_begin();
    ar_sdl_variables_set();
    find_hidden();
    ar_foreign_end(foreign);
    errno = saved;
}
