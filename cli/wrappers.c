/* SPDX-License-Identifier: MIT */
#include "cli/wrappers.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Whole names, in the order of strcmp. */
static const char *const names[] = {
    "CRYPTO_malloc",
    "CRYPTO_realloc",
    "CRYPTO_strdup",
    "CRYPTO_zalloc",
    "FT_Alloc",
    "FT_QAlloc",
    "FT_QRealloc",
    "FT_Realloc",
    "PyMem_Calloc",
    "PyMem_Malloc",
    "PyMem_RawCalloc",
    "PyMem_RawMalloc",
    "PyMem_RawRealloc",
    "PyMem_Realloc",
    "PyObject_Calloc",
    "PyObject_Malloc",
    "PyObject_Realloc",
    "SDL_aligned_alloc",
    "SDL_asprintf",
    "SDL_calloc",
    "SDL_malloc",
    "SDL_realloc",
    "SDL_strdup",
    "SDL_strndup",
    "SDL_vasprintf",
    "SDL_wcsdup",
    "_PyMem_RawCalloc",
    "_PyMem_RawMalloc",
    "_PyMem_RawRealloc",
    "_PyObject_Calloc",
    "_PyObject_Malloc",
    "_PyObject_Realloc",
    "___asprintf",
    "___vasprintf",
    "__asprintf",
    "__asprintf_chk",
    "__libc_calloc",
    "__libc_malloc",
    "__libc_memalign",
    "__libc_realloc",
    "__rdl_alloc",
    "__rdl_alloc_zeroed",
    "__rdl_realloc",
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_realloc",
    "__strdup",
    "__strndup",
    "__vasprintf",
    "__vasprintf_chk",
    "__vasprintf_internal",
    "__wcsdup",
    "_d_allocmemory",
    "_d_newarrayT",
    "_d_newclass",
    "_d_newitemT",
    "aligned_alloc",
    "allocreport_poll_begin",
    "asprintf",
    "av_calloc",
    "av_malloc",
    "av_malloc_array",
    "av_mallocz",
    "av_realloc",
    "av_strdup",
    "calloc",
    "g_malloc",
    "g_malloc0",
    "g_malloc0_n",
    "g_malloc_n",
    "g_memdup",
    "g_memdup2",
    "g_realloc",
    "g_realloc_n",
    "g_slice_alloc",
    "g_slice_alloc0",
    "g_strdup",
    "g_strdup_printf",
    "g_strdup_vprintf",
    "g_strndup",
    "g_try_malloc",
    "g_try_malloc0",
    "g_try_realloc",
    "g_vasprintf",
    "l_alloc",
    "luaM_malloc_",
    "luaM_realloc_",
    "malloc",
    "memalign",
    "operator new",
    "operator new[]",
    "png_calloc",
    "png_malloc",
    "png_malloc_base",
    "png_malloc_warn",
    "posix_memalign",
    "pvalloc",
    "realloc",
    "reallocarray",
    "sqlite3Malloc",
    "sqlite3MemMalloc",
    "sqlite3MemRealloc",
    "sqlite3Realloc",
    "sqlite3_malloc",
    "sqlite3_malloc64",
    "sqlite3_realloc",
    "strdup",
    "strndup",
    "valloc",
    "vasprintf",
    "wcsdup",
    "xcalloc",
    "xmalloc",
    "xmlStrdup",
    "xmlStrndup",
    "xrealloc",
    "xstrdup",
    "xstrndup",
    "zcalloc",
};

/* Begins of names: the containers of the standard libraries allocate for whoever uses them. */
static const char *const begins[] = {
    "std::",  "__gnu_cxx::", "alloc::",      "<alloc::",   "core::",      "<core::",
    "<std::", "hashbrown::", "<hashbrown::", "void std::", "void* std::",
};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

bool wrappers_has(const char *function)
{
    if (!function)
        return false;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(function, begins[i], strlen(begins[i])) == 0)
            return true;
    /* SDL's own functions are called so behind its override table. */
    char plain[40];
    size_t length = strlen(function);
    static const char real[] = "_REAL";
    size_t tail = sizeof real - 1;
    if (length > tail && length < sizeof plain + tail &&
        strcmp(function + length - tail, real) == 0) {
        memcpy(plain, function, length - tail);
        plain[length - tail] = '\0';
        function = plain;
    }
    return bsearch(function, names, sizeof names / sizeof names[0], sizeof names[0], compare);
}
