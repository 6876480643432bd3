/* SPDX-License-Identifier: MIT */
/*
 * count_polls: an independent counter of SDL 2's event calls, to check the recorder against. It
 * stands in SDL's table of functions, beneath whatever is put there after it:
 *
 *     env SDL_DYNAMIC_API=count_polls.so COUNT_POLLS=/tmp/polls.%p allocreport run program
 *
 * What the program calls is counted when it returns, in this order, as 64-bit little-endian
 * integers in the file COUNT_POLLS (%p is the process), a shared mapping: SDL_PollEvent,
 * SDL_WaitEvent, SDL_WaitEventTimeout, SDL_PumpEvents, SDL_PeepEvents(SDL_GETEVENT). It serves the
 * first SDL 2 of a process that exports its SDL_DYNAPI_entry, and refuses all others.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { POLL, WAIT, WAIT_TIMEOUT, PUMP, PEEP, CALLS };

/* src/dynapi/SDL_dynapi_procs.h of SDL 2 */
static const unsigned slots[CALLS] = {81, 82, 83, 75, 76};

static uint64_t nowhere[CALLS];
static uint64_t *counts = nowhere;
static void *beneath[CALLS];
static int taken;

static void add(unsigned call)
{
    __atomic_fetch_add(&counts[call], 1, __ATOMIC_RELAXED);
}

static int poll_event(void *event)
{
    int result = ((int (*)(void *))beneath[POLL])(event);

    add(POLL);
    return result;
}

static int wait_event(void *event)
{
    int result = ((int (*)(void *))beneath[WAIT])(event);

    add(WAIT);
    return result;
}

static int wait_timeout(void *event, int milliseconds)
{
    int result = ((int (*)(void *, int))beneath[WAIT_TIMEOUT])(event, milliseconds);

    add(WAIT_TIMEOUT);
    return result;
}

static void pump_events(void)
{
    ((void (*)(void))beneath[PUMP])();
    add(PUMP);
}

static int peep_events(void *events, int most, int action, uint32_t least, uint32_t last)
{
    if (action == 2)
        add(PEEP);
    return ((int (*)(void *, int, int, uint32_t, uint32_t))beneath[PEEP])(events, most, action,
                                                                          least, last);
}

static void *const own[CALLS] = {(void *)poll_event, (void *)wait_event, (void *)wait_timeout,
                                 (void *)pump_events, (void *)peep_events};

static void open_file(void)
{
    const char *template = getenv("COUNT_POLLS");
    const char *mark = template != NULL ? strstr(template, "%p") : NULL;
    char path[4096];
    void *mapped;
    int fd;

    if (mark == NULL || strlen(template) > sizeof path - 32)
        return;
    memcpy(path, template, (size_t)(mark - template));
    char *at = path + (mark - template);
    char digits[16];
    int count = 0;
    for (unsigned pid = (unsigned)getpid(); pid > 0; pid /= 10)
        digits[count++] = (char)('0' + pid % 10);
    while (count > 0)
        *at++ = digits[--count];
    strcpy(at, mark + 2);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || ftruncate(fd, sizeof nowhere) != 0)
        return;
    mapped = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped != MAP_FAILED)
        counts = mapped;
}

/* The SDL_DYNAPI_entry of the object that the table lies in, and of no other. */
static void *entry_of(void *table)
{
    struct link_map *map = NULL;
    Dl_info owner, found;
    void *handle, *entry;

    if (dladdr1(table, &owner, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
        return NULL;
    handle = dlopen(map->l_name[0] != '\0' ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
    entry = handle != NULL ? dlsym(handle, "SDL_DYNAPI_entry") : NULL;
    return entry != NULL && dladdr(entry, &found) != 0 && found.dli_fbase == owner.dli_fbase ? entry
                                                                                             : NULL;
}

int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t size);

int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t size)
{
    int32_t (*entry)(uint32_t, void *, uint32_t);
    void **functions = table;

    *(void **)&entry = version == 1 && !taken ? entry_of(table) : NULL;
    if (entry == NULL || entry(version, table, size) < 0)
        return -1;
    taken = 1;
    open_file();
    for (unsigned call = 0; call < CALLS; call++)
        if (slots[call] < size / sizeof(void *)) {
            beneath[call] = functions[slots[call]];
            functions[slots[call]] = own[call];
        }
    return 0;
}
