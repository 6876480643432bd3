/* SPDX-License-Identifier: MIT */
#include "preload/sdl_info.h"

#include "preload/census.h"
#include "preload/foreign.h"
#include "preload/info.h"
#include "preload/modules.h"
#include "preload/objects.h"
#include "preload/real.h"
#include "preload/sdl_queue.h"
#include "preload/sdl_slots.h"
#include "preload/sys.h"
#include "preload/text.h"
#include "preload/thread.h"
#include "preload/waits.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SDL_INIT_AUDIO 0x10u /* SDL.h: the same in SDL 1.2, 2 and 3, as are the other flags */
#define SDL_INIT_VIDEO 0x20u

static const struct {
    uint32_t flag;
    const char *name;
} subsystems[] = {
    {0x01, "timer"},     {0x10, "audio"},    {0x20, "video"},
    {0x200, "joystick"}, {0x1000, "haptic"}, {0x2000, "gamecontroller"},
    {0x4000, "events"},  {0x8000, "sensor"},
};

struct sdl_version {
    uint8_t major, minor, patch;
};

/* The functions of the SDL that was asked last. */
static struct {
    const void *function; /* by which it is known */
    uint32_t generation;  /* of modules: it may have been unloaded since */
    int (*get_version)(struct sdl_version *);
    const struct sdl_version *(*linked_version)(void);
    uint32_t (*was_init)(uint32_t);
    const char *(*video_driver)(void);
    const char *(*audio_driver)(void);
} asked;

uint32_t ar_sdl_polls;
static uint32_t set_up;    /* subsystems */
static uint32_t described; /* the subsystems that were recorded; 0: nothing was yet */

void ar_sdl_info_reset(void)
{
    described = 0;
    ar_sdl_polls = 0;
}

static void add(enum dump_info_key key, const char *text)
{
    ar_info_add(key, text, (uint32_t)strlen(text));
}

/* By name, in the object that the function lies in. */
static bool look_up_names(const void *function)
{
    struct link_map *map = NULL;
    Dl_info info;
    void *library;

    if (dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
        return false;
    library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return false;
    *(void **)&asked.get_version = dlsym(library, "SDL_GetVersion");
    *(void **)&asked.linked_version = dlsym(library, "SDL_Linked_Version");
    *(void **)&asked.was_init = dlsym(library, "SDL_WasInit");
    *(void **)&asked.video_driver = dlsym(library, "SDL_GetCurrentVideoDriver");
    *(void **)&asked.audio_driver = dlsym(library, "SDL_GetCurrentAudioDriver");
    ar_real.dlclose(library);
    dlsym(RTLD_DEFAULT, "malloc"); /* a call that succeeds leaves no dlerror behind */
    return true;
}

static void *in_table(const struct ar_sdl *sdl, enum ar_sdl_query query)
{
    unsigned slot = ar_sdl_slots_query(sdl, query);

    return slot != 0 ? sdl->table[slot] : NULL;
}

static bool look_up(const struct ar_sdl *sdl)
{
    asked.function = NULL;
    if (sdl->table == NULL) {
        if (!look_up_names(sdl->function))
            return false;
    } else {
        *(void **)&asked.get_version = in_table(sdl, AR_SDL_GET_VERSION);
        asked.linked_version = NULL;
        *(void **)&asked.was_init = in_table(sdl, AR_SDL_WAS_INIT);
        *(void **)&asked.video_driver = in_table(sdl, AR_SDL_VIDEO_DRIVER);
        *(void **)&asked.audio_driver = in_table(sdl, AR_SDL_AUDIO_DRIVER);
    }
    asked.function = sdl->function;
    asked.generation = ar_modules_generation();
    return true;
}

/* Of the object that holds that SDL: the program itself, where it is linked in. Its event functions
 * may be another library's that the user has put in front of them (SDL_DYNAMIC_API), but what tells
 * the version is SDL's. */
static void add_path(const struct ar_sdl *sdl)
{
    uintptr_t function = (uintptr_t)sdl->function;
    struct ar_object object;

    if (sdl->table != NULL && asked.get_version != NULL)
        function = (uintptr_t)asked.get_version;
    if (ar_objects_find(function, &object))
        add(DUMP_INFO_SDL_PATH, object.executable ? ar_modules_program() : object.path);
}

/* SDL 2 fills in a struct, SDL 3 returns a number and takes nothing, SDL 1.2 returns a pointer by
 * another name. */
static void add_version(void)
{
    char buffer[64];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);
    struct sdl_version version = {0, 0, 0};

    if (asked.get_version != NULL) {
        int number = asked.get_version(&version);

        if (version.major == 0)
            version =
                (struct sdl_version){(uint8_t)(number / 1000000), (uint8_t)(number / 1000 % 1000),
                                     (uint8_t)(number % 1000)};
    } else if (asked.linked_version != NULL) {
        version = *asked.linked_version();
    } else {
        return;
    }
    ar_text_add_number(&text, version.major);
    ar_text_add(&text, ".");
    ar_text_add_number(&text, version.minor);
    ar_text_add(&text, ".");
    ar_text_add_number(&text, version.patch);
    add(DUMP_INFO_SDL_VERSION, buffer);
}

/* Asked while its subsystem runs alone: else SDL would set an error. SDL 1.2 lacks both. */
static void add_driver(enum dump_info_key key, const char *(*driver)(void), bool runs)
{
    const char *name = driver != NULL && runs ? driver() : NULL;

    if (name != NULL)
        add(key, name);
}

static void add_subsystems(uint32_t running)
{
    char buffer[128];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);

    for (size_t i = 0; i < sizeof subsystems / sizeof subsystems[0]; i++) {
        if ((running & subsystems[i].flag) == 0)
            continue;
        if (text.length > 0)
            ar_text_add(&text, " ");
        ar_text_add(&text, subsystems[i].name);
    }
    add(DUMP_INFO_SUBSYSTEMS, buffer);
}

static bool is_looked_up(const struct ar_sdl *sdl)
{
    return asked.function == sdl->function && asked.generation == ar_modules_generation();
}

/* It allocates nothing, so that it may be asked without ado. */
static uint32_t running_now(void)
{
    return asked.was_init != NULL ? asked.was_init(0) : 0;
}

static uint32_t description_of(uint32_t running)
{
    return running != 0 ? running : 1;
}

static void describe(const struct ar_sdl *sdl)
{
    uint32_t running;

    if (!is_looked_up(sdl) && !look_up(sdl))
        return;
    running = running_now();
    if (described == 0) {
        add_path(sdl);
        add_version();
    }
    __atomic_fetch_or(&set_up, running, __ATOMIC_RELAXED);
    if (running != described) {
        add_driver(DUMP_INFO_VIDEO_DRIVER, asked.video_driver, (running & SDL_INIT_VIDEO) != 0);
        add_driver(DUMP_INFO_AUDIO_DRIVER, asked.audio_driver, (running & SDL_INIT_AUDIO) != 0);
        add_subsystems(running);
    }
    described = description_of(running);
}

void ar_sdl_sets_up(uint32_t flags)
{
    uint32_t before = __atomic_fetch_or(&set_up, flags, __ATOMIC_RELAXED);

    ar_waits_set_up();
    if ((flags & ~before) != 0)
        ar_census_tell();
}

uint32_t ar_sdl_subsystems(void)
{
    return __atomic_load_n(&set_up, __ATOMIC_RELAXED);
}

void ar_sdl_describe(const struct ar_sdl *sdl)
{
    struct ar_foreign foreign;
    int saved = errno;

    if (!is_looked_up(sdl) || described != description_of(running_now())) {
        foreign = ar_foreign_begin();
        describe(sdl);
        ar_foreign_end(foreign);
    }
    ar_sdl_queue_polled(sdl);
    errno = saved;
}
