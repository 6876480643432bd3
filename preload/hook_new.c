/* SPDX-License-Identifier: MIT */
/*
 * hook_new.c: C++'s operator new and delete in all their forms. An allocator beneath may have its
 * own that never call malloc, and then malloc's hook sees nothing of them; where they do call
 * malloc, that hook has counted the block and this one does not again. An exception
 * (std::bad_alloc) passes through these functions: they hold nothing that it would leave behind.
 *
 * A program may get its C++ library later, by dlopen, and its calls come here all the same: then
 * the blocks are malloc's, as they are in that library, and only a failure is its own affair.
 */
#include "preload/early.h"
#include "preload/foreign.h"
#include "preload/patch.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/record.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The operators by their place in ar_new_names and ar_delete_names. */
enum {
    NEW,
    NEW_ARRAY,
    NEW_NOTHROW,
    NEW_ARRAY_NOTHROW,
    NEW_ALIGNED,
    NEW_ARRAY_ALIGNED,
    NEW_ALIGNED_NOTHROW,
    NEW_ARRAY_ALIGNED_NOTHROW
};
enum {
    DELETE,
    DELETE_ARRAY,
    DELETE_SIZED,
    DELETE_ARRAY_SIZED,
    DELETE_NOTHROW,
    DELETE_ARRAY_NOTHROW,
    DELETE_ALIGNED,
    DELETE_ARRAY_ALIGNED,
    DELETE_SIZED_ALIGNED,
    DELETE_ARRAY_SIZED_ALIGNED,
    DELETE_ALIGNED_NOTHROW,
    DELETE_ARRAY_ALIGNED_NOTHROW
};

typedef void *plain_new(size_t);
typedef void *tagged_new(size_t, const void *);
typedef void *aligned_new(size_t, size_t);
typedef void *aligned_tagged_new(size_t, size_t, const void *);

/* The C++ library that came by dlopen, for the one thing that cannot be done here: to throw. */
static void *late_operator(unsigned which)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++.so.1"};

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        void *library;
        void *function = NULL;
        struct ar_foreign foreign;

        foreign = ar_foreign_begin();
        library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) {
            function = dlsym(library, ar_new_names[which]);
            ar_real.dlclose(library);
        }
        ar_foreign_end(foreign);
        if (function != NULL)
            return function;
    }
    return NULL;
}

static void *plain_block(size_t size, size_t alignment)
{
    void *block = NULL;

    if (size == 0)
        size = 1;
    if (alignment <= 16)
        return ar_real.malloc(size);
    if (ar_real.posix_memalign == NULL || ar_real.posix_memalign(&block, alignment, size) != 0)
        return NULL;
    return block;
}

static void *call(void *function, unsigned which, size_t size, size_t alignment, const void *tag)
{
    switch (which) {
    case NEW:
    case NEW_ARRAY:
        return ((plain_new *)function)(size);
    case NEW_NOTHROW:
    case NEW_ARRAY_NOTHROW:
        return ((tagged_new *)function)(size, tag);
    case NEW_ALIGNED:
    case NEW_ARRAY_ALIGNED:
        return ((aligned_new *)function)(size, alignment);
    default:
        return ((aligned_tagged_new *)function)(size, alignment, tag);
    }
}

/* Inside a patched poll, where the operator would do what malloc does. NULL: it is to be called. */
static void *patched(unsigned which, size_t size, size_t alignment)
{
    bool is_mallocs = ar_real_new[which] == NULL || ar_real_new_is_mallocs[which];

    return ar_patch_active() && is_mallocs && alignment <= 16 ? ar_patch_malloc(size > 0 ? size : 1)
                                                              : NULL;
}

static void *unpatched(unsigned which, size_t size, size_t alignment, const void *tag)
{
    void *function = ar_real_new[which];
    void *block;

    if (function != NULL)
        return call(function, which, size, alignment, tag);
    block = plain_block(size, alignment);
    if (block == NULL && tag == NULL && (function = late_operator(which)) != NULL)
        block = call(function, which, size, alignment, tag);
    return block;
}

/* Inlined, so that the operators' frames stay while it works: by them its callers are known. */
static inline __attribute__((always_inline)) void *
allocate(struct ar_hook hook, unsigned which, size_t size, size_t alignment, const void *tag)
{
    void *block;

    if ((ar_real.malloc == NULL && !ar_process_ready()) || ar_thread_foreign())
        return ar_early_alloc(size, alignment);
    ar_record_alloc_expected();
    block = patched(which, size, alignment);
    if (block == NULL) {
        block = unpatched(which, size, alignment, tag);
        if (ar_patch_active())
            ar_patch_spilled(alignment > 16 ? DUMP_SPILL_ALIGNMENT : DUMP_SPILL_OTHER, block, size);
    }
    if (block != NULL)
        ar_record_alloc_outer(hook, block, size);
    return block;
}

static bool releases(struct ar_hook hook, unsigned which, void *block, const void **before)
{
    if (block == NULL)
        return false;
    if (ar_early_owns(block)) {
        ar_early_free(block);
        return false;
    }
    if (ar_real.malloc == NULL && !ar_process_ready())
        return false;
    ar_record_free(hook, block);
    if (ar_patch_active() && (ar_real_delete[which] == NULL || ar_real_delete_is_mallocs[which])) {
        ar_patch_free(block);
        return false;
    }
    if (ar_real_delete[which] == NULL) {
        ar_real.free(block);
        return false;
    }
    *before = ar_record_release_expected(block);
    return true;
}

#define NEW_OPERATOR(function, symbol, which, parameters, size, alignment, tag)                    \
    AR_ALLOC_HOOK void *function parameters __asm__(symbol);                                       \
    void *function parameters                                                                      \
    {                                                                                              \
        return allocate(AR_HOOK(), which, size, alignment, tag);                                   \
    }

#define DELETE_OPERATOR(function, symbol, which, parameters, types, arguments)                     \
    AR_ALLOC_HOOK void function parameters __asm__(symbol);                                        \
    void function parameters                                                                       \
    {                                                                                              \
        const void *before;                                                                        \
                                                                                                   \
        if (releases(AR_HOOK(), which, block, &before)) {                                          \
            ((void(*) types)ar_real_delete[which]) arguments;                                      \
            ar_record_release_expected(before);                                                    \
        }                                                                                          \
    }

/* clang-format off */
NEW_OPERATOR(ar_operator_new, "_Znw" AR_SIZE_T, NEW, (size_t size), size, 16, NULL)
NEW_OPERATOR(ar_operator_new_array, "_Zna" AR_SIZE_T, NEW_ARRAY, (size_t size), size, 16, NULL)
NEW_OPERATOR(ar_operator_new_nothrow, "_Znw" AR_SIZE_T "RKSt9nothrow_t", NEW_NOTHROW,
             (size_t size, const void *tag), size, 16, tag)
NEW_OPERATOR(ar_operator_new_array_nothrow, "_Zna" AR_SIZE_T "RKSt9nothrow_t", NEW_ARRAY_NOTHROW,
             (size_t size, const void *tag), size, 16, tag)
NEW_OPERATOR(ar_operator_new_aligned, "_Znw" AR_SIZE_T "St11align_val_t", NEW_ALIGNED,
             (size_t size, size_t alignment), size, alignment, NULL)
NEW_OPERATOR(ar_operator_new_array_aligned, "_Zna" AR_SIZE_T "St11align_val_t", NEW_ARRAY_ALIGNED,
             (size_t size, size_t alignment), size, alignment, NULL)
NEW_OPERATOR(ar_operator_new_aligned_nothrow, "_Znw" AR_SIZE_T "St11align_val_tRKSt9nothrow_t", NEW_ALIGNED_NOTHROW,
             (size_t size, size_t alignment, const void *tag), size, alignment, tag)
NEW_OPERATOR(ar_operator_new_array_aligned_nothrow, "_Zna" AR_SIZE_T "St11align_val_tRKSt9nothrow_t",
             NEW_ARRAY_ALIGNED_NOTHROW, (size_t size, size_t alignment, const void *tag),
             size, alignment, tag)

DELETE_OPERATOR(ar_operator_delete, "_ZdlPv", DELETE, (void *block), (void *), (block))
DELETE_OPERATOR(ar_operator_delete_array, "_ZdaPv", DELETE_ARRAY, (void *block), (void *), (block))
DELETE_OPERATOR(ar_operator_delete_sized, "_ZdlPv" AR_SIZE_T, DELETE_SIZED, (void *block, size_t size),
                (void *, size_t), (block, size))
DELETE_OPERATOR(ar_operator_delete_array_sized, "_ZdaPv" AR_SIZE_T, DELETE_ARRAY_SIZED,
                (void *block, size_t size), (void *, size_t), (block, size))
DELETE_OPERATOR(ar_operator_delete_nothrow, "_ZdlPvRKSt9nothrow_t", DELETE_NOTHROW,
                (void *block, const void *tag), (void *, const void *), (block, tag))
DELETE_OPERATOR(ar_operator_delete_array_nothrow, "_ZdaPvRKSt9nothrow_t", DELETE_ARRAY_NOTHROW,
                (void *block, const void *tag), (void *, const void *), (block, tag))
DELETE_OPERATOR(ar_operator_delete_aligned, "_ZdlPvSt11align_val_t", DELETE_ALIGNED,
                (void *block, size_t alignment), (void *, size_t), (block, alignment))
DELETE_OPERATOR(ar_operator_delete_array_aligned, "_ZdaPvSt11align_val_t", DELETE_ARRAY_ALIGNED,
                (void *block, size_t alignment), (void *, size_t), (block, alignment))
DELETE_OPERATOR(ar_operator_delete_sized_aligned, "_ZdlPv" AR_SIZE_T "St11align_val_t", DELETE_SIZED_ALIGNED,
                (void *block, size_t size, size_t alignment), (void *, size_t, size_t),
                (block, size, alignment))
DELETE_OPERATOR(ar_operator_delete_array_sized_aligned, "_ZdaPv" AR_SIZE_T "St11align_val_t",
                DELETE_ARRAY_SIZED_ALIGNED, (void *block, size_t size, size_t alignment),
                (void *, size_t, size_t), (block, size, alignment))
DELETE_OPERATOR(ar_operator_delete_aligned_nothrow, "_ZdlPvSt11align_val_tRKSt9nothrow_t",
                DELETE_ALIGNED_NOTHROW, (void *block, size_t alignment, const void *tag),
                (void *, size_t, const void *), (block, alignment, tag))
DELETE_OPERATOR(ar_operator_delete_array_aligned_nothrow, "_ZdaPvSt11align_val_tRKSt9nothrow_t",
                DELETE_ARRAY_ALIGNED_NOTHROW, (void *block, size_t alignment, const void *tag),
                (void *, size_t, const void *), (block, alignment, tag))
/* clang-format on */
