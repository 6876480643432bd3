/* SPDX-License-Identifier: MIT */
#include "preload/mapfile.h"

#include "preload/clock.h"
#include "preload/config.h"
#include "preload/log.h"
#include "preload/memory.h"
#include "preload/outfile.h"
#include "preload/sys.h"

#include <elf.h>
#include <string.h>

/* Made whole at the first poll: the program may give up what it takes to make more. */
#define FIRST_BYTES   ((uint64_t)1 << 20)
#define STEP_BYTES    ((uint64_t)1 << 16) /* a tmpfs clears its pages at once: 20 us */
#define RESERVE_BYTES ((uint64_t)4 << 20)
#define AWAIT_MOST_NS ((uint64_t)1000000000)
#define KEPT_BYTES    ((uint64_t)1 << 18) /* for call sites and counters once the file cannot grow */
#define SETTLE_SLACK  ((uint64_t)1 << 18) /* for what other threads add while the dump settles */

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__i386__)
#define MACHINE EM_386
#endif

static char *private_region;
static char *file_region;
static char *region; /* the one in use */
static uint64_t region_bytes;
static uint64_t private_used; /* of the private region, when the file was made */
static struct ar_outfile outfile;
static bool failed;     /* the file could not be made */
static uint32_t making; /* a thread is between ar_mapfile_make and ar_mapfile_made */
static bool stuck;      /* the file could not grow, and is not asked to again */

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

struct dump_header *ar_header(void)
{
    return (struct dump_header *)__atomic_load_n(&region, __ATOMIC_ACQUIRE);
}

static void fill_header(struct dump_header *header)
{
    memcpy(header->magic, DUMP_MAGIC, sizeof header->magic);
    header->version = DUMP_VERSION;
    header->reader_minimum = DUMP_READER_MINIMUM;
    header->byte_order = DUMP_BYTE_ORDER;
    header->header_size = DUMP_HEADER_SIZE;
    header->machine = MACHINE;
    header->page_size = 4096;
    header->used = DUMP_HEADER_SIZE;
    header->pid = ar_sys_getpid();
    header->parent_pid = (uint32_t)ar_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0);
    header->state = DUMP_RUNNING;
    header->start_realtime_ns = ar_clock_realtime_ns();
    header->start_monotonic_ns = ar_clock_ns();
    header->stack_depth = (uint32_t)ar_config.stack_depth;
    header->sample = (uint32_t)ar_config.sample;
    static_assert(sizeof ALLOCREPORT_VERSION <= sizeof header->recorder_version, "a short version");
    memcpy(header->recorder_version, ALLOCREPORT_VERSION, sizeof ALLOCREPORT_VERSION);
}

bool ar_mapfile_start(void)
{
    region_bytes = ar_config.max_size << 20;
    private_region = ar_pages(region_bytes);
    region = private_region;
    if (region == NULL)
        return false;
    fill_header(ar_header());
    return true;
}

void ar_mapfile_abandon(void)
{
    ar_pages_free(private_region, region_bytes);
    if (file_region != NULL)
        ar_sys_munmap(file_region, region_bytes);
    private_region = file_region = region = NULL;
    outfile = (struct ar_outfile){0};
    failed = stuck = false;
    making = 0;
}

void ar_lose(enum dump_loss what, uint64_t count)
{
    __atomic_fetch_add(&ar_header()->loss[what], count, __ATOMIC_RELAXED);
}

/* Maps the next step of the file behind what is mapped. */
static bool grow_file(uint64_t needed)
{
    struct dump_header *header = ar_header();
    uint64_t size = round_up(needed, STEP_BYTES);

    if (size > region_bytes)
        size = round_up(needed, 4096);
    if (size <= header->reserved)
        return true;
    if (stuck || size > region_bytes ||
        ar_outfile_map(&outfile, file_region, header->reserved, size, false) < 0) {
        stuck = true;
        return false;
    }
    header->reserved = size;
    return true;
}

void ar_mapfile_reserve(void)
{
    uint64_t wanted = ar_header()->used + RESERVE_BYTES;

    if (ar_header()->reserved < wanted && wanted <= region_bytes)
        grow_file(wanted);
}

struct dump_chunk *ar_chunk_new(enum dump_chunk_type type, uint32_t record_size, uint64_t bytes,
                                uint32_t owner)
{
    struct dump_header *header = ar_header();
    uint64_t size = round_up(sizeof(struct dump_chunk) + bytes, DUMP_ALIGN);
    uint64_t end = header->used + size;
    struct dump_chunk *chunk = (struct dump_chunk *)(region + header->used);

    if (region == file_region && end + KEPT_BYTES > header->reserved && end <= region_bytes)
        grow_file(end + KEPT_BYTES < region_bytes ? end + KEPT_BYTES : region_bytes);
    if (end > region_bytes || (region == file_region && end > header->reserved)) {
        ar_lose(DUMP_LOSS_NO_SPACE, 1);
        return NULL;
    }
    chunk->magic = DUMP_CHUNK_MAGIC;
    chunk->type = type;
    chunk->size = size;
    chunk->record_size = record_size;
    chunk->owner = owner;
    __atomic_store_n(&header->used, end, __ATOMIC_RELEASE);
    return chunk;
}

void *ar_chunk_place(struct dump_chunk *chunk, uint64_t bytes)
{
    if (chunk == NULL || chunk->size - sizeof *chunk - chunk->filled < bytes)
        return NULL;
    return (char *)(chunk + 1) + chunk->filled;
}

void ar_chunk_commit(struct dump_chunk *chunk, uint64_t bytes)
{
    __atomic_store_n(&chunk->filled, chunk->filled + bytes, __ATOMIC_RELEASE);
    __atomic_store_n(&chunk->count, chunk->count + 1, __ATOMIC_RELEASE);
}

void *ar_region_at(uint64_t offset)
{
    return __atomic_load_n(&region, __ATOMIC_ACQUIRE) + offset;
}

uint64_t ar_region_offset(const void *at)
{
    uint64_t offset = (uint64_t)((const char *)at - private_region);

    return offset < region_bytes ? offset : (uint64_t)((const char *)at - file_region);
}

void *ar_region_moved(void *at)
{
    uint64_t offset = (uint64_t)((char *)at - private_region);

    /* The file is mapped before it is entered: what is written there meanwhile is written over. */
    return ar_mapfile_exists() && offset < region_bytes ? file_region + offset : at;
}

void ar_region_copy_owned(uint32_t owner)
{
    for (uint64_t at = DUMP_HEADER_SIZE; at < private_used;) {
        const struct dump_chunk *chunk = (const struct dump_chunk *)(private_region + at);

        if (chunk->owner == owner)
            memcpy(file_region + at, chunk, chunk->size);
        at += chunk->size;
    }
}

unsigned ar_region_fullness(void)
{
    return (unsigned)(ar_header()->used * 1024 / region_bytes);
}

bool ar_region_is_stuck(void)
{
    return stuck;
}

/* A tmpfs may have no room, and then the dump stands at its own path from the start. */
static bool make_file(const char *template, const char *program, uint64_t size)
{
    bool direct = ar_config.direct;

    for (;;) {
        if (!ar_outfile_create(&outfile, template, program, direct))
            return false;
        direct = !ar_outfile_is_elsewhere(&outfile);
        if (ar_outfile_map(&outfile, file_region, 0, size, !direct) == 0)
            return true;
        ar_outfile_remove(&outfile);
        if (direct)
            return false;
        direct = true;
    }
}

static bool make(const char *template, const char *program)
{
    struct dump_header *header = ar_header();
    uint64_t size = round_up(header->used + FIRST_BYTES / 2, FIRST_BYTES);

    if (size > region_bytes)
        size = region_bytes;
    file_region = ar_sys_mmap(NULL, region_bytes, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (file_region == NULL) {
        ar_log("no dump", "no address space left");
        return false;
    }
    if (!make_file(template, program, size)) {
        ar_sys_munmap(file_region, region_bytes);
        file_region = NULL;
        return false;
    }
    header->reserved = size;
    return true;
}

bool ar_mapfile_make(const char *template, const char *program)
{
    if (file_region != NULL || failed)
        return false;
    failed = true;
    __atomic_store_n(&making, 1, __ATOMIC_SEQ_CST);
    if (make(template, program))
        return true;
    ar_mapfile_made();
    return false;
}

void ar_mapfile_made(void)
{
    __atomic_store_n(&making, 0, __ATOMIC_RELEASE);
}

void ar_mapfile_await(void)
{
    uint64_t end = ar_clock_ns() + AWAIT_MOST_NS;

    while (__atomic_load_n(&making, __ATOMIC_ACQUIRE) != 0 && ar_clock_ns() < end)
        ar_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

bool ar_mapfile_enter(void)
{
    struct dump_header *header = ar_header();

    if (header->used > header->reserved && !grow_file(header->used)) {
        ar_log("no dump", "no room for it");
        ar_outfile_remove(&outfile);
        ar_sys_munmap(file_region, region_bytes);
        file_region = NULL;
        return false;
    }
    private_used = header->used;
    memcpy(file_region, private_region, private_used);
    __atomic_store_n(&region, file_region, __ATOMIC_RELEASE);
    return true;
}

bool ar_mapfile_exists(void)
{
    return __atomic_load_n(&region, __ATOMIC_ACQUIRE) != private_region;
}

const char *ar_mapfile_path(void)
{
    return outfile.path;
}

bool ar_mapfile_is_elsewhere(void)
{
    return ar_outfile_is_elsewhere(&outfile);
}

static void trim(uint64_t size)
{
    if (size < ar_header()->reserved && ar_outfile_shrink(&outfile, size))
        ar_header()->reserved = size;
}

struct ar_settling ar_mapfile_begin_settle(void)
{
    struct ar_settling settling = {.fd = -1};
    long result;

    if (!ar_mapfile_exists() || !ar_outfile_is_elsewhere(&outfile))
        return settling;
    settling.size = round_up(ar_header()->used + SETTLE_SLACK, 4096);
    result = ar_outfile_begin_settle(&outfile, settling.size);
    if (result >= 0) {
        settling.fd = (int)result;
        settling.pages =
            ar_sys_mmap(NULL, settling.size, PROT_READ | PROT_WRITE, MAP_SHARED, settling.fd, 0);
    }
    if (settling.pages == NULL)
        ar_log_failure("the dump stays in memory, behind its link: cannot make", outfile.path,
                       result);
    else
        memcpy(settling.pages, file_region, ar_header()->used);
    return settling;
}

void ar_mapfile_end_settle(struct ar_settling *settling)
{
    struct dump_header *header = ar_header();
    uint64_t size = round_up(header->used, 4096);

    if (!ar_mapfile_exists())
        return;
    if (settling->pages != NULL && size <= settling->size) {
        /* The bytes are there already: this brings what has changed since. */
        memcpy(settling->pages, file_region, header->used);
        if (ar_sys_mmap(file_region, settling->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                        settling->fd, 0) != NULL &&
            ar_outfile_end_settle(&outfile, settling->fd))
            header->reserved = settling->size;
    }
    if (settling->pages != NULL)
        ar_sys_munmap(settling->pages, settling->size);
    if (settling->fd >= 0)
        ar_sys_close(settling->fd);
    trim(size);
}
