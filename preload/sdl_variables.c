/* SPDX-License-Identifier: MIT */
#include "preload/sdl_variables.h"

#include "preload/log.h"
#include "preload/sys.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

static const struct variable {
    const char *name;
    const char *chain; /* where the user's value is kept */
} variables[] = {
    {"SDL_DYNAMIC_API", "ALLOCREPORT_SDL_DYNAMIC_API"},
    {"SDL3_DYNAMIC_API", "ALLOCREPORT_SDL3_DYNAMIC_API"},
};

static char own_path[4096];
static uint32_t undone; /* bit n: variables[n] */

/* libc's: a program may have functions of these names (bash does), which are not ready yet. */
static int (*set_variable)(const char *name, const char *value, int replace);
static int (*unset_variable)(const char *name);

static const char *get(const char *name)
{
    size_t length = strlen(name);

    for (char **at = environ; at != NULL && *at != NULL; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}

static bool is_set(const char *value)
{
    return value != NULL && *value != '\0';
}

/* The path of this library, which stays right when the program changes its directory. */
static bool find_own_path(void)
{
    struct ar_text path = ar_text_in(own_path, sizeof own_path);
    struct link_map *map = NULL;
    Dl_info info;

    if (dladdr1((const void *)find_own_path, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 ||
        map == NULL || map->l_name[0] == '\0')
        return false;
    if (map->l_name[0] != '/') {
        char directory[4096];
        long length = ar_syscall(SYS_getcwd, (long)directory, sizeof directory, 0, 0, 0, 0);

        if (length <= 1 || directory[0] != '/')
            return false;
        ar_text_add(&path, directory);
        ar_text_add(&path, "/");
    }
    ar_text_add(&path, map->l_name);
    return !path.full;
}

static void set(const struct variable *variable)
{
    const char *value = get(variable->name);

    if (is_set(value) && strcmp(value, own_path) != 0 && !is_set(get(variable->chain)))
        set_variable(variable->chain, value, 1);
    set_variable(variable->name, own_path, 1);
}

void ar_sdl_variables_set(void)
{
    *(void **)&set_variable = dlsym(RTLD_NEXT, "setenv");
    *(void **)&unset_variable = dlsym(RTLD_NEXT, "unsetenv");
    if (set_variable == NULL || unset_variable == NULL || !find_own_path())
        return;
    for (unsigned i = 0; i < sizeof variables / sizeof variables[0]; i++)
        set(&variables[i]);
}

void ar_sdl_variables_undo(uint32_t major)
{
    const struct variable *variable = &variables[major - 2];
    const char *value = get(variable->chain);

    if (own_path[0] == '\0' || set_variable == NULL)
        return;
    undone |= 1u << (major - 2);
    if (is_set(value))
        set_variable(variable->name, value, 1);
    else
        unset_variable(variable->name);
}

const char *ar_sdl_variables_chained(uint32_t major)
{
    return major == 2 || major == 3 ? get(variables[major - 2].chain) : NULL;
}

bool ar_sdl_variables_changed(void)
{
    for (unsigned i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = get(variables[i].name);

        if (own_path[0] != '\0' && (undone & (1u << i)) == 0 &&
            (value == NULL || strcmp(value, own_path) != 0))
            return true;
    }
    return false;
}
