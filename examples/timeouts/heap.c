/* SPDX-License-Identifier: MIT */
#include "examples/timeouts/heap.h"

#include <stddef.h>

/* The root with the lesser key gets the other as its first child. */
static struct heap_node *merge(struct heap_node *a, struct heap_node *b)
{
    if (b->key < a->key) {
        struct heap_node *least = b;

        b = a;
        a = least;
    }
    b->previous = a;
    b->next = a->child;
    if (b->next != NULL)
        b->next->previous = b;
    a->child = b;
    a->next = NULL;
    a->previous = NULL;
    return a;
}

/* Makes one heap of siblings: pairs from left to right, and the pairs from right to left. */
static struct heap_node *merge_siblings(struct heap_node *first)
{
    struct heap_node *pairs = NULL, *root;

    while (first != NULL) {
        struct heap_node *second = first->next;
        struct heap_node *rest = second != NULL ? second->next : NULL;
        struct heap_node *pair = second != NULL ? merge(first, second) : first;

        pair->next = pairs;
        pairs = pair;
        first = rest;
    }
    root = pairs;
    if (root == NULL)
        return NULL;
    pairs = root->next;
    root->next = NULL;
    root->previous = NULL;
    while (pairs != NULL) {
        struct heap_node *rest = pairs->next;

        root = merge(root, pairs);
        pairs = rest;
    }
    return root;
}

struct heap_node *heap_add(struct heap_node *root, struct heap_node *node)
{
    node->child = NULL;
    node->next = NULL;
    node->previous = NULL;
    return root != NULL ? merge(root, node) : node;
}

struct heap_node *heap_remove(struct heap_node *root, struct heap_node *node)
{
    struct heap_node *below = merge_siblings(node->child);

    if (node == root)
        return below;
    if (node->previous->child == node)
        node->previous->child = node->next;
    else
        node->previous->next = node->next;
    if (node->next != NULL)
        node->next->previous = node->previous;
    return below != NULL ? merge(root, below) : root;
}
