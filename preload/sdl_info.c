/* SPDX-License-Identifier: MIT */
#include "preload/sdl_info.h"

#include "preload/info.h"
#include "preload/modules.h"
#include "preload/real.h"
#include "preload/text.h"
#include "preload/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DESCRIBE_EVERY 1024u /* polls from one look at SDL's drivers to the next */

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
    const void *poll_function; /* by which it is known */
    uint32_t generation;       /* of modules: it may have been unloaded since */
    const char *path;          /* the loader's */
    int (*get_version)(struct sdl_version *);
    const struct sdl_version *(*linked_version)(void);
    uint32_t (*was_init)(uint32_t);
    const char *(*video_driver)(void);
    const char *(*audio_driver)(void);
} sdl;

static uint32_t polls;     /* two threads that count at once may lose one: it is only a rhythm */
static uint32_t described; /* the subsystems that were recorded; 0: nothing was yet */

void ar_sdl_info_reset(void)
{
    described = 0;
    polls = 0;
}

static void add(enum dump_info_key key, const char *text)
{
    ar_info_add(key, text, (uint32_t)strlen(text));
}

static bool look_up(const void *poll_function)
{
    struct link_map *map = NULL;
    Dl_info info;
    void *library;

    if (dladdr1(poll_function, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
        return false;
    library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return false;
    sdl.poll_function = poll_function;
    sdl.generation = ar_modules_generation();
    sdl.path = map->l_name;
    *(void **)&sdl.get_version = dlsym(library, "SDL_GetVersion");
    *(void **)&sdl.linked_version = dlsym(library, "SDL_Linked_Version");
    *(void **)&sdl.was_init = dlsym(library, "SDL_WasInit");
    *(void **)&sdl.video_driver = dlsym(library, "SDL_GetCurrentVideoDriver");
    *(void **)&sdl.audio_driver = dlsym(library, "SDL_GetCurrentAudioDriver");
    ar_real.dlclose(library);
    dlsym(RTLD_DEFAULT, "malloc"); /* a call that succeeds leaves no dlerror behind */
    return true;
}

/* SDL 2 fills in a struct, SDL 3 returns a number and takes nothing, SDL 1.2 returns a pointer by
 * another name. */
static void add_version(void)
{
    char buffer[64];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);
    struct sdl_version version = {0, 0, 0};

    if (sdl.get_version != NULL) {
        int number = sdl.get_version(&version);

        if (version.major == 0)
            version =
                (struct sdl_version){(uint8_t)(number / 1000000), (uint8_t)(number / 1000 % 1000),
                                     (uint8_t)(number % 1000)};
    } else if (sdl.linked_version != NULL) {
        version = *sdl.linked_version();
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

static void describe(const void *poll_function)
{
    uint32_t running;

    if ((sdl.poll_function != poll_function || sdl.generation != ar_modules_generation()) &&
        !look_up(poll_function))
        return;
    running = sdl.was_init != NULL ? sdl.was_init(0) : 0;
    if (described == 0) {
        add(DUMP_INFO_SDL_PATH, sdl.path);
        add_version();
    }
    if (running != described) {
        add_driver(DUMP_INFO_VIDEO_DRIVER, sdl.video_driver, (running & SDL_INIT_VIDEO) != 0);
        add_driver(DUMP_INFO_AUDIO_DRIVER, sdl.audio_driver, (running & SDL_INIT_AUDIO) != 0);
        add_subsystems(running);
    }
    described = running != 0 ? running : 1;
}

void ar_sdl_polled(const void *poll_function)
{
    uint32_t n = __atomic_load_n(&polls, __ATOMIC_RELAXED);
    int saved;

    __atomic_store_n(&polls, n + 1, __ATOMIC_RELAXED);
    if (n != 0 && n != 60 && n % DESCRIBE_EVERY != 0)
        return;
    saved = errno;
    ar_self.foreign = true;
    describe(poll_function);
    ar_self.foreign = false;
    errno = saved;
}
