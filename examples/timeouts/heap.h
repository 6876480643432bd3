/* SPDX-License-Identifier: MIT */
/*
 * heap.h: a pairing heap whose links stand in what it holds, so that it never allocates. Fredman,
 * Sedgewick, Sleator, Tarjan, "The pairing heap: a new form of self-adjusting heap" (1986). Adding
 * is one comparison; so is removing what was added last, which is what a timeout does that does not
 * run out; taking the least is O(log n) amortised. No locks: the queue's are around it.
 */
#ifndef EXAMPLES_TIMEOUTS_HEAP_H
#define EXAMPLES_TIMEOUTS_HEAP_H

#include <stdint.h>

/* Invariants: key <= child->key; `previous` of a first child is its parent; a root has neither
 * `next` nor `previous`. */
struct heap_node {
    int64_t key;
    struct heap_node *child;    /* the first */
    struct heap_node *next;     /* sibling */
    struct heap_node *previous; /* sibling, or the parent */
};

/* Adds a node, whose key is set, and returns the new root. An empty heap's root is NULL. */
struct heap_node *heap_add(struct heap_node *root, struct heap_node *node);

/* Takes a node out of its heap and returns the new root. */
struct heap_node *heap_remove(struct heap_node *root, struct heap_node *node);

#endif
