/* SPDX-License-Identifier: MIT */
/*
 * elfsym.h: finds a function in one loaded object and nowhere else, without the loader's lock, its
 * handles or its error text: also in an object of another namespace, or one that is being loaded.
 * Called when a table of SDL is filled and at start, never inside an allocation hook.
 */
#ifndef AR_ELFSYM_H
#define AR_ELFSYM_H

#include "preload/objects.h"

struct link_map;

/* The function that the object exports under that name, by its hash table. NULL: it exports none.
 */
void *ar_elfsym_exported(const struct link_map *map, const char *name);

/* Is it linked to a library whose name begins so? */
bool ar_elfsym_needs(const struct link_map *map, const char *name);

/* The function of that name among those of the object's file (.symtab), which it need not export.
 * NULL: it is not there, the file has been stripped, or it is not the one that is loaded. */
void *ar_elfsym_local(const struct ar_object *object, const char *name);

#endif
