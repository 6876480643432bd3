/* SPDX-License-Identifier: MIT */
#include "preload/sdl_info.h"

#include "preload/info.h"
#include "preload/real.h"
#include "preload/text.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SDL2_INIT_VIDEO 0x20u /* SDL.h: the same in SDL 2 and 3, as are the other flags */

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

static uint32_t described; /* the subsystems that were recorded; 0: nothing was yet */

static void add(enum dump_info_key key, const char *text)
{
    ar_info_add(key, text, (uint32_t)strlen(text));
}

/* SDL 2 fills in a struct, SDL 3 returns a number and takes nothing, SDL 1.2 returns a pointer by
 * another name. */
static bool add_version(void *library)
{
    char buffer[64];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);
    struct sdl_version version = {0, 0, 0};
    int (*get_version)(struct sdl_version *);
    const struct sdl_version *(*linked_version)(void);
    int number;

    *(void **)&get_version = dlsym(library, "SDL_GetVersion");
    *(void **)&linked_version = dlsym(library, "SDL_Linked_Version");
    if (get_version != NULL) {
        number = get_version(&version);
        if (version.major == 0)
            version =
                (struct sdl_version){(uint8_t)(number / 1000000), (uint8_t)(number / 1000 % 1000),
                                     (uint8_t)(number % 1000)};
    } else if (linked_version != NULL) {
        version = *linked_version();
    } else {
        return false;
    }
    ar_text_add_number(&text, version.major);
    ar_text_add(&text, ".");
    ar_text_add_number(&text, version.minor);
    ar_text_add(&text, ".");
    ar_text_add_number(&text, version.patch);
    add(DUMP_INFO_SDL_VERSION, buffer);
    return version.major >= 2;
}

static void add_drivers(void *library, uint32_t running)
{
    const char *(*driver)(void);
    const char *name;

    *(void **)&driver = dlsym(library, "SDL_GetCurrentVideoDriver");
    name = driver != NULL && (running & SDL2_INIT_VIDEO) != 0 ? driver() : NULL;
    if (name != NULL)
        add(DUMP_INFO_VIDEO_DRIVER, name);
    *(void **)&driver = dlsym(library, "SDL_GetCurrentAudioDriver");
    name = driver != NULL && (running & 0x10) != 0 ? driver() : NULL;
    if (name != NULL)
        add(DUMP_INFO_AUDIO_DRIVER, name);
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

void ar_sdl_describe(const void *poll_function)
{
    struct link_map *map = NULL;
    Dl_info info;
    void *library;
    uint32_t (*was_init)(uint32_t);
    bool first = described == 0;
    uint32_t running;

    if (dladdr1(poll_function, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
        return;
    library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return;
    *(void **)&was_init = dlsym(library, "SDL_WasInit");
    running = was_init != NULL ? was_init(0) : 0;
    if (first)
        add(DUMP_INFO_SDL_PATH, map->l_name);
    if ((first ? add_version(library) : true) && running != described) {
        add_drivers(library, running);
        add_subsystems(running);
    }
    described = running != 0 ? running : 1;
    ar_real.dlclose(library);
    dlerror();
}
