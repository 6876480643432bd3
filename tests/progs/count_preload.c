/* SPDX-License-Identifier: MIT */
/*
 * count_preload: a counting preload, to check another one against. It knows nothing of the recorder
 * and shares no code with it: interposes the C allocator's names, calls the next object's, counts.
 *
 *     env LD_PRELOAD="liballocreport.so count_preload.so" COUNT_OUT=/tmp/count.%p program
 *
 * What is counted, in this order, as 64-bit little-endian integers in the file COUNT_OUT (%p is the
 * process), which is a shared mapping and so holds at every instant what was counted until then:
 *
 *   allocations    calls that gave a block: malloc, calloc, realloc, reallocarray, aligned_alloc,
 *                  memalign, posix_memalign, valloc, pvalloc. One realloc is one allocation.
 *   bytes          that those calls asked for: of a realloc the new size, of a calloc the product,
 *                  of pvalloc the size before it is rounded
 *   reallocations  those of the allocations that replaced a block: realloc and reallocarray of a
 *                  block that is not NULL
 *   frees          blocks given back: free of a block that is not NULL, the old block of a
 *                  reallocation, realloc(block, 0) where it returns NULL
 *   failures       calls that returned NULL, or no zero, and changed nothing
 *   bootstrap      allocations served by this file's own arena while dlsym was at work; they are
 *                  allocations too
 *
 * Seen are calls by name, through the global scope. C++'s operator new is malloc beneath. A block
 * that the loader took before libc's malloc was there is not seen, nor what another preload in
 * front keeps for itself. One call counts once: nothing here calls another counted function.
 *
 * A forked child begins at zero in a file of its own; so does a program that replaces itself, which
 * writes its predecessor's file anew.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
void *pvalloc(size_t size);

enum { ALLOCATIONS, BYTES, REALLOCATIONS, FREES, FAILURES, BOOTSTRAP, COUNTS };

static uint64_t before_start[COUNTS];
static uint64_t *counts = before_start;

static void add(unsigned which, uint64_t amount)
{
    __atomic_fetch_add(&counts[which], amount, __ATOMIC_RELAXED);
}

static void *allocated(void *block, size_t size)
{
    if (block == NULL) {
        add(FAILURES, 1);
        return NULL;
    }
    add(ALLOCATIONS, 1);
    add(BYTES, size);
    return block;
}

/* The arena: blocks with their size in the 16 bytes before them, never given back. */
static char arena[1 << 16] __attribute__((aligned(16)));
static size_t arena_used;

static bool arena_owns(const void *block)
{
    return (uintptr_t)block - (uintptr_t)arena < sizeof arena;
}

static void *arena_take(size_t size)
{
    size_t need = (size + 16 + 15) & ~(size_t)15;
    size_t place = __atomic_fetch_add(&arena_used, need, __ATOMIC_RELAXED);

    if (need < size || place + need > sizeof arena)
        return NULL;
    memcpy(arena + place, &size, sizeof size);
    add(BOOTSTRAP, 1);
    return arena + place + 16;
}

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
} next;
static bool resolved;

/* False while it is at work itself: dlsym may allocate. */
static bool ready(void)
{
    static bool working;

    if (__builtin_expect(__atomic_load_n(&resolved, __ATOMIC_ACQUIRE), true))
        return true;
    if (__atomic_exchange_n(&working, true, __ATOMIC_ACQ_REL))
        return false;
    next.malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    next.calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
    next.realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    next.free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    next.aligned_alloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
    next.memalign = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "memalign");
    next.posix_memalign = (int (*)(void **, size_t, size_t))dlsym(RTLD_NEXT, "posix_memalign");
    next.valloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "valloc");
    next.pvalloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "pvalloc");
    __atomic_store_n(&resolved, true, __ATOMIC_RELEASE);
    return true;
}

void *malloc(size_t size)
{
    return allocated(ready() ? next.malloc(size) : arena_take(size), size);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;

    if (ready())
        return allocated(next.calloc(count, size), count * size);
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return allocated(arena_take(bytes), bytes);
}

void free(void *block)
{
    int saved = errno;

    if (block == NULL)
        return;
    add(FREES, 1);
    if (!arena_owns(block) && ready())
        next.free(block);
    errno = saved;
}

static void *move_from_arena(void *block, size_t size)
{
    void *moved = ready() ? next.malloc(size) : arena_take(size);
    size_t old = 0;

    if (block != NULL)
        memcpy(&old, (char *)block - 16, sizeof old);
    if (moved != NULL && old != 0)
        memcpy(moved, block, old < size ? old : size);
    return moved;
}

static void *replace(void *block, size_t size)
{
    bool usual = ready() && !arena_owns(block);
    void *moved = usual ? next.realloc(block, size) : move_from_arena(block, size);

    if (moved == NULL && block != NULL && size == 0) {
        add(FREES, 1);
        return NULL;
    }
    if (moved != NULL && block != NULL) {
        add(REALLOCATIONS, 1);
        add(FREES, 1);
    }
    return allocated(moved, size);
}

void *realloc(void *block, size_t size)
{
    return replace(block, size);
}

/* libc's own would call realloc by name, and count twice. */
void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        add(FAILURES, 1);
        errno = ENOMEM;
        return NULL;
    }
    return replace(block, bytes);
}

static bool aligned_ready(void)
{
    if (ready())
        return true;
    errno = ENOMEM;
    return false;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return allocated(aligned_ready() ? next.aligned_alloc(alignment, size) : NULL, size);
}

void *memalign(size_t alignment, size_t size)
{
    return allocated(aligned_ready() ? next.memalign(alignment, size) : NULL, size);
}

void *valloc(size_t size)
{
    return allocated(aligned_ready() ? next.valloc(size) : NULL, size);
}

void *pvalloc(size_t size)
{
    return allocated(aligned_ready() ? next.pvalloc(size) : NULL, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    int failure = ready() ? next.posix_memalign(block, alignment, size) : ENOMEM;

    allocated(failure == 0 ? *block : NULL, size);
    return failure;
}

/* COUNT_OUT with %p replaced. False if it is not set or too long. */
static bool file_name(char *name, size_t room)
{
    const char *template = getenv("COUNT_OUT");
    char digits[24];
    size_t length = 0;

    if (template == NULL)
        return false;
    for (const char *from = template; *from != '\0'; from++) {
        if (length + sizeof digits >= room)
            return false;
        if (from[0] == '%' && from[1] == 'p') {
            unsigned pid = (unsigned)getpid(), n = 0;

            do
                digits[n++] = (char)('0' + pid % 10);
            while ((pid /= 10) != 0);
            while (n > 0)
                name[length++] = digits[--n];
            from++;
        } else {
            name[length++] = *from;
        }
    }
    name[length] = '\0';
    return true;
}

/* Counts from now on in a file of this process, beginning with `first`. */
static void open_file(const uint64_t *first)
{
    char name[4096];
    void *map = MAP_FAILED;
    int file = -1;

    if (file_name(name, sizeof name))
        file = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (ftruncate(file, COUNTS * sizeof(uint64_t)) == 0)
        map = mmap(NULL, COUNTS * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED)
        return;
    memcpy(map, first, COUNTS * sizeof(uint64_t));
    counts = map;
}

static void in_child(void)
{
    static const uint64_t zero[COUNTS];
    int saved = errno;

    memset(before_start, 0, sizeof before_start);
    counts = before_start;
    open_file(zero);
    errno = saved;
}

__attribute__((constructor)) static void start(void)
{
    int saved = errno;

    ready();
    open_file(before_start);
    pthread_atfork(NULL, NULL, in_child);
    errno = saved;
}
