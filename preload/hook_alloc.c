/* SPDX-License-Identifier: MIT */
/*
 * hook_alloc.c: libc's allocation functions. Each calls the real one and tells the core. While the
 * real ones are not known yet, or the loader works for the recorder, early.h serves.
 */
#include "preload/early.h"
#include "preload/patch.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/record.h"

#include <errno.h>
#include <stdlib.h>

void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
void *pvalloc(size_t size);
void free_sized(void *block, size_t size);
void free_aligned_sized(void *block, size_t alignment, size_t size);
size_t malloc_usable_size(void *block);

/* Must this call be served by early.h? */
static inline bool too_early(void)
{
    return (__builtin_expect(ar_real.malloc == NULL, 0) && !ar_process_ready()) ||
           __builtin_expect(ar_thread_foreign(), 0);
}

static void *without(void)
{
    errno = ENOMEM;
    return NULL;
}

/* As the allocators do it: NULL comes with a reason. */
static void *early(size_t size, size_t alignment)
{
    void *block = ar_early_alloc(size, alignment);

    return block != NULL ? block : without();
}

static void *counted(struct ar_hook hook, void *block, size_t size)
{
    if (block != NULL)
        ar_record_alloc_once(hook, block, size);
    return block;
}

AR_ALLOC_HOOK void *malloc(size_t size)
{
    if (too_early())
        return early(size, 16);
    ar_record_alloc_expected();
    return counted(AR_HOOK(), ar_patch_active() ? ar_patch_malloc(size) : ar_real.malloc(size),
                   size);
}

static inline void *zeroed(size_t count, size_t size)
{
    size_t bytes;

    if (ar_patch_active() && !__builtin_mul_overflow(count, size, &bytes))
        return ar_patch_calloc(bytes);
    return ar_real.calloc(count, size);
}

AR_ALLOC_HOOK void *calloc(size_t count, size_t size)
{
    if (too_early()) {
        size_t bytes;

        return __builtin_mul_overflow(count, size, &bytes) ? without() : early(bytes, 16);
    }
    ar_record_alloc_expected();
    return counted(AR_HOOK(), zeroed(count, size), count * size);
}

/* glibc releases the block at realloc(p, 0) and returns NULL; others return a block of no bytes. */
static void *end_realloc(struct ar_hook hook, const struct ar_realloc *old, void *block,
                         size_t size)
{
    if (block != NULL || (size == 0 && old->block != NULL))
        ar_record_realloc_done(hook, old, block, size);
    else
        ar_record_realloc_failed(hook, old);
    return block;
}

AR_ALLOC_HOOK void *realloc(void *block, size_t size)
{
    struct ar_hook hook = AR_HOOK();
    struct ar_realloc old;

    if (ar_early_owns(block) || (too_early() && block == NULL))
        return ar_early_realloc(block, size);
    if (ar_real.malloc == NULL)
        return without();
    ar_record_realloc_begin(hook, block, &old);
    block = ar_patch_active() ? ar_patch_realloc(block, size) : ar_real.realloc(block, size);
    return end_realloc(hook, &old, block, size);
}

AR_ALLOC_HOOK void *reallocarray(void *block, size_t count, size_t size)
{
    struct ar_hook hook = AR_HOOK();
    struct ar_realloc old;
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    if (ar_early_owns(block) || (too_early() && block == NULL))
        return ar_early_realloc(block, bytes);
    if (ar_real.malloc == NULL)
        return without();
    ar_record_realloc_begin(hook, block, &old);
    block = ar_patch_active()              ? ar_patch_realloc(block, bytes)
            : ar_real.reallocarray != NULL ? ar_real.reallocarray(block, count, size)
                                           : ar_real.realloc(block, bytes);
    return end_realloc(hook, &old, block, bytes);
}

/* Is there a block to be given to the real allocator? Its release is recorded then. */
static bool releases(struct ar_hook hook, void *block)
{
    if (block == NULL)
        return false;
    if (__builtin_expect(ar_early_owns(block), 0)) {
        ar_early_free(block);
        return false;
    }
    if (__builtin_expect(ar_real.malloc == NULL, 0) && !ar_process_ready())
        return false;
    ar_record_free(hook, block);
    return true;
}

AR_ALLOC_HOOK void free(void *block)
{
    if (!releases(AR_HOOK(), block))
        return;
    if (ar_patch_active())
        ar_patch_free(block);
    else
        ar_real.free(block);
}

AR_ALLOC_HOOK void free_sized(void *block, size_t size)
{
    if (!releases(AR_HOOK(), block))
        return;
    if (ar_patch_active())
        ar_patch_free(block);
    else if (ar_real.free_sized != NULL)
        ar_real.free_sized(block, size);
    else
        ar_real.free(block);
}

AR_ALLOC_HOOK void free_aligned_sized(void *block, size_t alignment, size_t size)
{
    if (!releases(AR_HOOK(), block))
        return;
    if (ar_patch_active())
        ar_patch_free(block);
    else if (ar_real.free_aligned_sized != NULL)
        ar_real.free_aligned_sized(block, alignment, size);
    else
        ar_real.free(block);
}

/* Blocks of the patched poll are aligned as malloc's are. NULL: it does not serve this one. */
static inline void *patched(size_t alignment, size_t size)
{
    return ar_patch_active() && alignment <= 16 && (alignment & (alignment - 1)) == 0 &&
                   alignment > 0
               ? ar_patch_malloc(size)
               : NULL;
}

static void *counted_aligned(struct ar_hook hook, void *block, size_t size)
{
    if (ar_patch_active())
        ar_patch_spilled(DUMP_SPILL_ALIGNMENT, block, size);
    return counted(hook, block, size);
}

AR_ALLOC_HOOK int posix_memalign(void **to, size_t alignment, size_t size)
{
    void *block;
    int result;

    if (too_early()) {
        *to = ar_early_alloc(size, alignment);
        return *to != NULL ? 0 : ENOMEM;
    }
    if (ar_real.posix_memalign == NULL)
        return ENOMEM;
    ar_record_alloc_expected();
    block = alignment >= sizeof(void *) ? patched(alignment, size) : NULL;
    if (block != NULL) {
        *to = counted(AR_HOOK(), block, size);
        return 0;
    }
    result = ar_real.posix_memalign(to, alignment, size);
    if (result == 0)
        counted_aligned(AR_HOOK(), *to, size);
    return result;
}

AR_ALLOC_HOOK void *aligned_alloc(size_t alignment, size_t size)
{
    void *block;

    if (too_early())
        return early(size, alignment);
    if (ar_real.aligned_alloc == NULL)
        return without();
    ar_record_alloc_expected();
    block = patched(alignment, size);
    return block != NULL ? counted(AR_HOOK(), block, size)
                         : counted_aligned(AR_HOOK(), ar_real.aligned_alloc(alignment, size), size);
}

AR_ALLOC_HOOK void *memalign(size_t alignment, size_t size)
{
    void *block;

    if (too_early())
        return early(size, alignment);
    if (ar_real.memalign == NULL)
        return without();
    ar_record_alloc_expected();
    block = patched(alignment, size);
    return block != NULL ? counted(AR_HOOK(), block, size)
                         : counted_aligned(AR_HOOK(), ar_real.memalign(alignment, size), size);
}

AR_ALLOC_HOOK void *valloc(size_t size)
{
    if (too_early())
        return early(size, 4096);
    if (ar_real.valloc == NULL)
        return without();
    ar_record_alloc_expected();
    return counted_aligned(AR_HOOK(), ar_real.valloc(size), size);
}

AR_ALLOC_HOOK void *pvalloc(size_t size)
{
    if (too_early())
        return size > SIZE_MAX - 4095 ? without() : early((size + 4095) & ~(size_t)4095, 4096);
    if (ar_real.pvalloc == NULL)
        return without();
    ar_record_alloc_expected();
    return counted_aligned(AR_HOOK(), ar_real.pvalloc(size), size);
}

/* Blocks of early.h must be measured too; all others are not the recorder's affair. */
AR_ALLOC_HOOK size_t malloc_usable_size(void *block)
{
    if (ar_early_owns(block))
        return ar_early_usable_size(block);
    if (block == NULL || (ar_real.malloc == NULL && !ar_process_ready()) ||
        ar_real.malloc_usable_size == NULL)
        return 0;
    return ar_real.malloc_usable_size(block);
}
