/* SPDX-License-Identifier: MIT */
#include "preload/info.h"

#include "preload/config.h"
#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/modules.h"
#include "preload/real.h"
#include "preload/sys.h"
#include "preload/text.h"
#include "preload/unwind.h"

#include <gnu/libc-version.h>
#include <string.h>

#define CHUNK_BYTES 16384u
#define VALUE_MOST  8192u

static struct dump_chunk *chunk;

void ar_info_reset(void)
{
    chunk = NULL;
}

void ar_info_add(enum dump_info_key key, const char *value, uint32_t length)
{
    uint32_t size = (uint32_t)((offsetof(struct dump_info, value) + length + 7) & ~7u);
    struct ar_held held = ar_lock();
    struct dump_info *record;

    chunk = ar_region_moved(chunk);
    record = ar_chunk_place(chunk, size);
    if (record == NULL) {
        chunk = ar_chunk_new(DUMP_INFO, 0, size > CHUNK_BYTES ? size : CHUNK_BYTES, 0);
        record = ar_chunk_place(chunk, size);
    }
    if (record != NULL) {
        record->size = size;
        record->key = (uint16_t)key;
        record->length = length;
        memcpy(record->value, value, length);
        ar_chunk_commit(chunk, size);
    }
    ar_unlock(held);
}

static void add_text(enum dump_info_key key, const char *text)
{
    ar_info_add(key, text, (uint32_t)strlen(text));
}

static void add_arguments(void)
{
    char arguments[VALUE_MOST];
    int fd = ar_sys_open("/proc/self/cmdline", O_RDONLY, 0);
    long got = 0;
    long length = 0;

    if (fd < 0)
        return;
    while (length < (long)sizeof arguments &&
           (got = ar_sys_read(fd, arguments + length, sizeof arguments - (size_t)length)) > 0)
        length += got;
    ar_sys_close(fd);
    ar_info_add(DUMP_INFO_ARGUMENTS, arguments, (uint32_t)length);
}

static void add_libc(void)
{
    char buffer[64];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);

    ar_text_add(&text, "glibc ");
    ar_text_add(&text, gnu_get_libc_version());
    add_text(DUMP_INFO_LIBC, buffer);
}

void ar_info_describe_process(void)
{
    char path[4096];
    long length;

    if (*ar_modules_program() != '\0')
        add_text(DUMP_INFO_PROGRAM, ar_modules_program());
    length = ar_syscall(SYS_getcwd, (long)path, sizeof path, 0, 0, 0, 0);
    if (length > 1)
        ar_info_add(DUMP_INFO_DIRECTORY, path, (uint32_t)length - 1);
    if (ar_config.arguments)
        add_arguments();
    add_libc();
    add_text(DUMP_INFO_ALLOCATOR, ar_real_allocator());
    add_text(DUMP_INFO_UNWINDER, ar_unwind_description());
}

/* Paths and process numbers mean what they say only there. */
static void add_namespaces(void)
{
    static const char *const files[] = {"/proc/self/ns/pid", "/proc/self/ns/mnt"};
    char buffer[128];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);

    for (unsigned i = 0; i < 2; i++) {
        char name[48];
        long length = ar_sys_readlink(files[i], name, sizeof name);

        if (length <= 0)
            return;
        ar_text_add(&text, i > 0 ? " " : "");
        ar_text_add_bytes(&text, name, (size_t)length);
    }
    add_text(DUMP_INFO_NAMESPACES, buffer);
}

void ar_info_describe_place(const char *path)
{
    add_text(DUMP_INFO_PATH, path);
    add_namespaces();
}
