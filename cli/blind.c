/* SPDX-License-Identifier: MIT */
#include "cli/blind.h"

/* The recorder's words, by name. */
#define WORD(name, number, word) static const char word_##name[] = word;
DUMP_BLIND_WORDS(WORD)
#undef WORD

#define OF_DUMP(name) DUMP_BLIND_##name, word_##name
#define OF_BIT(bit)   BLIND_RUNTIMES + (unsigned)__builtin_ctz(bit)

/* clang-format off */
static const struct blind_words table[] = {
    {OF_DUMP(NO_SDL),
     "no SDL was loaded, and none is linked into the program",
     "name the program that draws, not its helper; for a loop that is not SDL's see liballocreport(7), MARKS"},
    {OF_DUMP(SDL_1),
     "the program uses SDL 1.2, and no poll came by the names that are watched",
     "run it with sdl12-compat as its libSDL-1.2, which polls by SDL 2"},
    {OF_DUMP(SDL_UNUSED),
     "an SDL is there, but not one of its functions was called",
     "let the program run until it opens its window, or name the program that does"},
    {OF_DUMP(SDL_EARLY),
     "the program's SDL was set up before the recorder, or was built without its table of functions",
     "start the program by 'allocreport run', which sets SDL_DYNAMIC_API before anything runs; or link it with an SDL of the distribution"},
    {OF_DUMP(SDL_VARIABLE),
     "the program, or a script on its way, changed SDL_DYNAMIC_API before SDL looked at it",
     "leave SDL_DYNAMIC_API and SDL3_DYNAMIC_API as the recorder sets them; what they held before is asked first all the same"},
    {OF_DUMP(SDL_REFILLED),
     "another library has put its functions in SDL's table over the recorder's",
     "run without that overlay or tool"},
    {OF_DUMP(SDL_NO_VIDEO),
     "the program uses SDL for sound or joysticks alone, and its events come from elsewhere",
     "mark its own loop: liballocreport(7), MARKS; or use ALLOCREPORT_LOOP where its loop is a known one"},
    {OF_DUMP(NOT_POLLED),
     "SDL was set up, but the program has not polled for events yet",
     "let it run longer: past its loading screen"},
    {OF_DUMP(PEEPS_ALONE),
     "the program takes events by SDL_PeepEvents, and never pumps any",
     "mark its loop: liballocreport(7), MARKS"},
    {OF_DUMP(OWN_MALLOC),
     "the program exports a malloc of its own, which stands before the recorder's",
     "build it without that allocator"},
    {OF_DUMP(MALLOC_FIRST),
     "a library that stands before the recorder has a malloc of its own",
     "preload the recorder first: LD_PRELOAD=\"liballocreport.so OTHER.so\""},
    {OF_DUMP(DEEPBIND),
     "the objects that allocate were loaded with RTLD_DEEPBIND, and reach libc's malloc past the recorder",
     "load them without RTLD_DEEPBIND, as sanitizers ask for too"},
    {OF_DUMP(HIDDEN_MALLOC),
     "the program holds an allocator of its own, linked in, that it does not export",
     "build it with the system's malloc: for jemalloc, mimalloc or tcmalloc leave out the library"},
    {OF_DUMP(MALLOC_UNSEEN),
     "the program's malloc is not the recorder's",
     "look at 'allocreport info' for the allocator that was found"},

    {BLIND_STATIC, "static-executable",
     "it is a static executable: the loader, which would preload the recorder, has no part in it",
     "link it dynamically (without -static)"},
    {BLIND_32_BIT, "32-bit-program",
     "it is a 32-bit program, and this recorder is 64-bit",
     "build and install the 32-bit liballocreport.so (make lib32), or record a 64-bit build of the program"},
    {BLIND_MACHINE, "foreign-machine",
     "it is a program for another machine, run by an emulator",
     "record it on that machine, with a recorder that was built there"},
    {BLIND_LIBC, "foreign-libc",
     "it is not linked to glibc (musl or another libc), so this recorder cannot be loaded into it",
     "record a build for glibc"},
    {BLIND_PRIVILEGED, "privileged",
     "it is set-user-id, set-group-id or has file capabilities, and the loader ignores LD_PRELOAD for such programs",
     "run a copy without them: cp PROGRAM /tmp/copy"},
    {BLIND_VARIABLE, "preload-removed",
     "it was started without LD_PRELOAD, which a script or program on its way took out of the environment",
     "start the game itself, or let the script keep LD_PRELOAD"},
    {BLIND_NOT_LOADED, "not-loaded",
     "no process told of itself, so the recorder was not loaded",
     "see what the loader says: LD_DEBUG=files allocreport run ..."},
    {BLIND_NO_FILE, "no-file",
     "it polled, but no file could be made for its dump",
     "say where it can be written: --output"},
    {BLIND_NOT_TOLD, "not-told",
     "no poll was seen until its end, and it did not come to say why: it was killed, or an older recorder wrote this",
     "let it run longer, and end by exit"},

    {OF_BIT(DUMP_RUNTIME_GHC), "runtime-ghc",
     "Haskell's objects live in GHC's own heap: only what reaches malloc is seen",
     "see +RTS -s and GHC's profiler for the rest"},
    {OF_BIT(DUMP_RUNTIME_LUAJIT), "runtime-luajit",
     "LuaJIT's objects live in its own heap: only what reaches malloc is seen",
     "see collectgarbage('count') for the rest"},
    {OF_BIT(DUMP_RUNTIME_MONO), "runtime-mono",
     "Mono's objects live in its own heap: only what reaches malloc is seen",
     "see Mono's log profiler for the rest"},
    {OF_BIT(DUMP_RUNTIME_DOTNET), "runtime-dotnet",
     ".NET's objects live in its own heap: only what reaches malloc is seen",
     "see dotnet-counters and dotnet-gcdump for the rest"},
    {OF_BIT(DUMP_RUNTIME_CPYTHON), "runtime-cpython",
     "CPython keeps small objects in pools of its own: only what reaches malloc is seen",
     "set PYTHONMALLOC=malloc in the environment to see every object"},
    {OF_BIT(DUMP_RUNTIME_JAVA), "runtime-java",
     "Java's objects live in its own heap: only what reaches malloc is seen",
     "see the JVM's flight recorder for the rest"},
    {OF_BIT(DUMP_RUNTIME_GO), "runtime-go",
     "Go's objects live in its own heap: only what reaches malloc is seen",
     "see Go's pprof for the rest"},
    {OF_BIT(DUMP_RUNTIME_BOEHM), "runtime-boehm",
     "objects in the heap of the Boehm collector do not reach malloc, and are not seen",
     "see GC_PRINT_STATS for the rest"},
    {OF_BIT(DUMP_RUNTIME_JAVASCRIPT), "runtime-javascript",
     "JavaScript's objects live in the engine's own heap: only what reaches malloc is seen",
     "see the engine's own heap profiler for the rest"},
    {OF_BIT(DUMP_RUNTIME_ALLOCATOR), "linked-allocator",
     "the program holds an allocator of its own: what it takes from there is not seen",
     "build it with the system's malloc"},
    {BLIND_INCOMPLETE_OWN, "own-malloc-beside",
     "the program exports a malloc: what comes to it is not seen",
     "build it without that allocator"},
    {BLIND_INCOMPLETE_FIRST, "malloc-first-beside",
     "a library before the recorder has a malloc: what it keeps to itself is not seen",
     "preload the recorder first: LD_PRELOAD=\"liballocreport.so OTHER.so\""},
    {BLIND_INCOMPLETE_DEEP, "deepbind-beside",
     "objects loaded with RTLD_DEEPBIND reach libc's malloc past the recorder: what they allocate is not seen",
     "load them without RTLD_DEEPBIND"},
    {BLIND_INCOMPLETE_HIDDEN, "hidden-malloc-beside",
     "the program has a malloc that it does not export: what it takes from there is not seen",
     "build it with the system's malloc"},
};
/* clang-format on */

const struct blind_words *blind_table(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

const struct blind_words *blind_words(unsigned number)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].number == number)
            return &table[i];
    return NULL;
}

size_t blind_incomplete(uint32_t facts, uint32_t runtimes, unsigned numbers[BLIND_INCOMPLETE_MOST])
{
    static const struct {
        uint32_t fact;
        unsigned number;
    } incomplete[] = {
        {DUMP_FACT_OWN_MALLOC, BLIND_INCOMPLETE_OWN},
        {DUMP_FACT_MALLOC_FIRST, BLIND_INCOMPLETE_FIRST},
        {DUMP_FACT_DEEPBIND, BLIND_INCOMPLETE_DEEP},
        {DUMP_FACT_HIDDEN_MALLOC, BLIND_INCOMPLETE_HIDDEN},
    };
    size_t count = 0;

    /* An allocator that is known by its text is named by that. */
    if ((runtimes & DUMP_RUNTIME_ALLOCATOR) != 0)
        facts &= ~DUMP_FACT_HIDDEN_MALLOC;
    for (size_t i = 0; i < sizeof incomplete / sizeof incomplete[0]; i++)
        if ((facts & incomplete[i].fact) != 0)
            numbers[count++] = incomplete[i].number;
    for (unsigned bit = 0; bit < 32 && count < BLIND_INCOMPLETE_MOST; bit++)
        if ((runtimes >> bit & 1) != 0 && blind_words(BLIND_RUNTIMES + bit) != NULL)
            numbers[count++] = BLIND_RUNTIMES + bit;
    return count;
}
