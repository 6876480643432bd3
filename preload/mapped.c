/* SPDX-License-Identifier: MIT */
#include "preload/mapped.h"

#include "preload/config.h"
#include "preload/dump_format.h"
#include "preload/elfsym.h"
#include "preload/sys.h"

#include <link.h>
#include <string.h>

#define READ_BYTES 4096u
#define LINE_MOST  512u /* of a longer line the end is not looked at */

struct sign {
    const char *text;
    uint32_t fact;
    uint32_t runtime;
};

/* How a mapped file's name begins. SDL's own library, not SDL2_image and its kin. */
static const struct sign names[] = {
    {"libSDL-1.2", DUMP_FACT_SDL1, 0},
    {"libSDL2-", DUMP_FACT_SDL2, 0},
    {"libSDL2.", DUMP_FACT_SDL2, 0},
    {"libSDL3.", DUMP_FACT_SDL3, 0},
    {"libHSrts", 0, DUMP_RUNTIME_GHC},
    {"libluajit", 0, DUMP_RUNTIME_LUAJIT},
    {"libmono", 0, DUMP_RUNTIME_MONO},
    {"libcoreclr.", 0, DUMP_RUNTIME_DOTNET},
    {"libpython", 0, DUMP_RUNTIME_CPYTHON},
    {"libjvm.", 0, DUMP_RUNTIME_JAVA},
    {"libgc.", 0, DUMP_RUNTIME_BOEHM},
    {"GameAssembly.", 0, DUMP_RUNTIME_BOEHM}, /* Unity's IL2CPP */
    {"libnode.", 0, DUMP_RUNTIME_JAVASCRIPT},
    {"libv8", 0, DUMP_RUNTIME_JAVASCRIPT},
    {"libmozjs-", 0, DUMP_RUNTIME_JAVASCRIPT},
};

/* What the program itself exports when the runtime is linked into it. */
static const struct sign exports[] = {
    {"hs_init", 0, DUMP_RUNTIME_GHC},        {"luaJIT_setmode", 0, DUMP_RUNTIME_LUAJIT},
    {"mono_jit_init", 0, DUMP_RUNTIME_MONO}, {"PyObject_Malloc", 0, DUMP_RUNTIME_CPYTHON},
    {"GC_malloc", 0, DUMP_RUNTIME_BOEHM},
};

/* What its constants say: the variable that SDL asks for; how GHC's run time, LuaJIT, Go and three
 * allocators speak of themselves. */
static const struct sign texts[] = {
    {"SDL_DYNAMIC_API", DUMP_FACT_SDL_TEXT, 0},  {"GHCRTS", 0, DUMP_RUNTIME_GHC},
    {"LuaJIT 2.", 0, DUMP_RUNTIME_LUAJIT},       {" Go buildinf:", 0, DUMP_RUNTIME_GO},
    {"<jemalloc>: ", 0, DUMP_RUNTIME_ALLOCATOR}, {"mimalloc: ", 0, DUMP_RUNTIME_ALLOCATOR},
    {"tcmalloc: ", 0, DUMP_RUNTIME_ALLOCATOR},
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void add(struct ar_mapped *mapped, const struct sign *sign)
{
    mapped->facts |= sign->fact;
    mapped->runtimes |= sign->runtime;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

unsigned ar_mapped_sdl(const char *path)
{
    const char *base = base_of(path);

    for (size_t i = 0; i < COUNT(names); i++)
        if (strncmp(base, names[i].text, strlen(names[i].text)) == 0)
            return names[i].fact == DUMP_FACT_SDL2 ? 2 : names[i].fact == DUMP_FACT_SDL3 ? 3 : 0;
    return 0;
}

/* One line of /proc/self/maps, without its end. */
static void look_at_line(struct ar_mapped *mapped, const char *line)
{
    const char *path = strchr(line, '/');
    const char *base = path != NULL ? base_of(path) : NULL;

    for (size_t i = 0; base != NULL && i < COUNT(names); i++)
        if (strncmp(base, names[i].text, strlen(names[i].text)) == 0)
            add(mapped, &names[i]);
}

static __attribute__((noinline)) void look_at_files(struct ar_mapped *mapped)
{
    char bytes[READ_BYTES];
    char line[LINE_MOST];
    size_t length = 0;
    long got;
    int fd = ar_sys_open("/proc/self/maps", O_RDONLY, 0);

    if (fd < 0)
        return;
    while ((got = ar_sys_read(fd, bytes, sizeof bytes)) > 0) {
        for (long i = 0; i < got; i++) {
            if (bytes[i] == '\n') {
                line[length] = '\0';
                look_at_line(mapped, line);
                length = 0;
            } else if (length + 1 < sizeof line) {
                line[length++] = bytes[i];
            }
        }
    }
    ar_sys_close(fd);
}

/* CPython hands small objects out of its own pools, unless it is told not to. */
static bool uses_pools(void)
{
    const char *value = ar_config_environment("PYTHONMALLOC");

    return value == NULL || strncmp(value, "malloc", strlen("malloc")) != 0;
}

void ar_mapped_look(struct ar_mapped *mapped)
{
    look_at_files(mapped);
    for (size_t i = 0; i < COUNT(exports); i++)
        if (ar_elfsym_exported(_r_debug.r_map, exports[i].text) != NULL)
            add(mapped, &exports[i]);
    if (!uses_pools())
        mapped->runtimes &= ~DUMP_RUNTIME_CPYTHON;
}

void ar_mapped_search(struct ar_mapped *mapped)
{
    struct ar_object program;

    if (!ar_objects_find((uintptr_t)_r_debug.r_map->l_ld, &program) || !program.executable)
        return;
    for (size_t i = 0; i < COUNT(texts); i++)
        if (ar_objects_hold(&program, texts[i].text))
            add(mapped, &texts[i]);
    mapped->facts |= DUMP_FACT_SEARCHED;
}
