/* SPDX-License-Identifier: MIT */
/*
 * family: each function of the malloc family, what it returns, what it leaves in errno, also when
 * it fails. All of it is what glibc does, so it must hold under a recorder too. Never polls.
 */
#include "tests/progs/target.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>

/* C23's; glibc has them not, a recorder may. */
extern void free_sized(void *block, size_t size) __attribute__((weak));
extern void free_aligned_sized(void *block, size_t alignment, size_t size) __attribute__((weak));

static volatile size_t huge = PTRDIFF_MAX;

static int aligned(const void *block, size_t alignment)
{
    return (uintptr_t)block % alignment == 0;
}

TARGET static void do_malloc(void)
{
    char *ten = target_keep(malloc(10)), *none = target_keep(malloc(0)),
         *hundred = target_keep(malloc(100));

    must(ten != NULL && none != NULL && hundred != NULL && aligned(hundred, 16));
    must(malloc_usable_size(hundred) >= 100);
    errno = 77;
    free(ten);
    free(none);
    free(hundred);
    free(NULL);
    must(errno == 77);
    errno = 0;
    must(malloc(huge) == NULL && errno == ENOMEM);
    expect("do_malloc", "allocations=3 bytes=110 frees=3 live_bytes=0 live_blocks=0");
}

TARGET static void do_calloc(void)
{
    char *block = target_keep(calloc(7, 9));

    for (int i = 0; i < 63; i++)
        must(block[i] == 0);
    free(block);
    errno = 0;
    must(calloc(huge, 3) == NULL && errno == ENOMEM);
    errno = 0;
    must(calloc(huge / 2 + 1, 4) == NULL && errno == ENOMEM);
    expect("do_calloc", "allocations=1 bytes=63 frees=1 live_bytes=0");
}

TARGET static void do_realloc(void)
{
    char *block = target_keep(realloc(NULL, 20));

    strcpy(block, "nineteen characters");
    block = target_keep(realloc(block, 40000));
    must(strcmp(block, "nineteen characters") == 0);
    errno = 0;
    must(realloc(block, huge) == NULL && errno == ENOMEM);
    must(strcmp(block, "nineteen characters") == 0);
    block = target_keep(realloc(block, 25));
    must(strcmp(block, "nineteen characters") == 0);
    errno = 77;
    must(realloc(block, 0) == NULL && errno == 77);
    block = target_keep(realloc(NULL, 0));
    must(block != NULL);
    free(block);
    expect("do_realloc", "allocations=4 bytes=40045 frees=4 live_bytes=0 live_blocks=0");
}

TARGET static void do_failed_realloc(void)
{
    char *block = target_keep(malloc(500));

    must(realloc(block, huge) == NULL);
    must(reallocarray(block, huge, 4) == NULL);
    block[499] = 1;
    target_keep(block);
    expect("do_failed_realloc", "allocations=1 bytes=500 frees=0 live_bytes=500 live_blocks=1");
}

TARGET static void do_reallocarray(void)
{
    char *block = target_keep(reallocarray(NULL, 3, 8));

    strcpy(block, "twenty-three characters");
    block = target_keep(reallocarray(block, 4, 8));
    must(strcmp(block, "twenty-three characters") == 0);
    errno = 0;
    must(reallocarray(block, huge, 4) == NULL && errno == ENOMEM);
    free(block);
    expect("do_reallocarray", "allocations=2 bytes=56 frees=2 live_bytes=0");
}

TARGET static void do_posix_memalign(void)
{
    char place;
    void *block = NULL, *untouched = &place;

    errno = 77;
    must(posix_memalign(&block, 64, 100) == 0 && aligned(block, 64) && errno == 77);
    must(posix_memalign(&untouched, 3, 100) == EINVAL && untouched == &place && errno == 77);
    must(posix_memalign(&untouched, 2, 100) == EINVAL && untouched == &place && errno == 77);
    must(posix_memalign(&untouched, 64, huge) == ENOMEM && untouched == &place);
    free(block);
    must(posix_memalign(&block, 1 << 16, 1) == 0 && aligned(block, 1 << 16));
    free(block);
    expect("do_posix_memalign", "allocations=2 bytes=101 frees=2 live_bytes=0");
}

TARGET static void do_aligned_alloc(void)
{
    void *small = target_keep(aligned_alloc(32, 64)),
         *large = target_keep(aligned_alloc(4096, 5000));

    must(aligned(small, 32) && aligned(large, 4096));
    errno = 0;
    must(aligned_alloc(32, huge) == NULL && errno == ENOMEM);
    free(small);
    if (free_aligned_sized != NULL)
        free_aligned_sized(large, 4096, 5000);
    else
        free(large);
    expect("do_aligned_alloc", "allocations=2 bytes=5064 frees=2 live_bytes=0");
}

TARGET static void do_memalign(void)
{
    void *block = target_keep(memalign(256, 77));

    must(aligned(block, 256));
    block = target_keep(realloc(block, 78));
    free(block);
    expect("do_memalign", "allocations=2 bytes=155 frees=2 live_bytes=0");
}

TARGET static void do_valloc(void)
{
    void *block = target_keep(valloc(100));

    must(aligned(block, (size_t)sysconf(_SC_PAGESIZE)));
    free(block);
    expect("do_valloc", "allocations=1 bytes=100 frees=1 live_bytes=0");
}

TARGET static void do_pvalloc(void)
{
    void *block = target_keep(pvalloc(100));

    must(aligned(block, (size_t)sysconf(_SC_PAGESIZE)));
    must(malloc_usable_size(block) >= (size_t)sysconf(_SC_PAGESIZE));
    free(block);
    expect("do_pvalloc", "allocations=1 bytes=100 frees=1 live_bytes=0");
}

TARGET static void do_free_sized(void)
{
    void *block = target_keep(malloc(1234));

    if (free_sized != NULL) {
        free_sized(block, 1234);
        free_sized(NULL, 0);
    } else {
        free(block);
    }
    fprintf(stderr, "free_sized: %s, free_aligned_sized: %s\n",
            free_sized != NULL ? "there" : "not there",
            free_aligned_sized != NULL ? "there" : "not there");
    expect("do_free_sized", "allocations=1 bytes=1234 frees=1 live_bytes=0");
}

/* Large blocks have mappings of their own. */
TARGET static void do_large(void)
{
    char *block = target_keep(malloc(8u << 20));

    block[0] = 1;
    block = target_keep(realloc(block, 16u << 20));
    must(block[0] == 1);
    free(block);
    expect("do_large", "allocations=2 bytes=25165824 frees=2 live_bytes=0");
}

int main(void)
{
    do_malloc();
    do_calloc();
    do_realloc();
    do_failed_realloc();
    do_reallocarray();
    do_posix_memalign();
    do_aligned_alloc();
    do_memalign();
    do_valloc();
    do_pvalloc();
    do_free_sized();
    do_large();
    return 0;
}
