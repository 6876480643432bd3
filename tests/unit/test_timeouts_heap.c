/* SPDX-License-Identifier: MIT */
/* The heap of examples/timeouts, against a plain array. */
#include "examples/timeouts/heap.h"
#include "tests/unit/timeouts_helper.h"

#include <stdbool.h>

#define NODES  300
#define ROUNDS 20000

static struct heap_node nodes[NODES];
static bool inside[NODES];

static int64_t least(void)
{
    int64_t result = INT64_MAX;

    for (unsigned i = 0; i < NODES; i++)
        if (inside[i] && nodes[i].key < result)
            result = nodes[i].key;
    return result;
}

/* Checks the invariants of heap.h below a node, and returns how many nodes there are. */
static unsigned check(const struct heap_node *node)
{
    unsigned count = 1;

    for (const struct heap_node *child = node->child, *before = node; child != NULL;
         before = child, child = child->next) {
        assert_ptr_equal(child->previous, before);
        assert_true(child->key >= node->key);
        count += check(child);
    }
    return count;
}

static void test_random(void **state)
{
    struct heap_node *root = NULL;
    unsigned count = 0;
    uint32_t random = 12345;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        random = random * 1664525 + 1013904223;
        unsigned i = (random >> 8) % NODES;

        if (inside[i]) {
            root = heap_remove(root, &nodes[i]);
            count--;
        } else {
            nodes[i].key = random >> 20;
            root = heap_add(root, &nodes[i]);
            count++;
        }
        inside[i] = !inside[i];
        assert_int_equal(root != NULL ? check(root) : 0, count);
        if (root != NULL) {
            assert_null(root->next);
            assert_null(root->previous);
            assert_int_equal(root->key, least());
        }
    }
    for (int64_t last = 0; root != NULL; count--) {
        assert_true(root->key >= last);
        last = root->key;
        root = heap_remove(root, root);
    }
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
