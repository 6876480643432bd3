/* SPDX-License-Identifier: MIT */
#include "examples/game_waste.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_KEPT  16
#define TRAIL_ROOM 16
#define LEAK       64

struct key_stroke {
    struct key_stroke *before;
    int key;
};

/* A frame of its own in each stack: not inlined, and the allocator not called as its last act. */
#define OWN_FRAME __attribute__((noinline))

OWN_FRAME struct spark *waste_each_frame(size_t count)
{
    struct spark *sparks = malloc(count * sizeof *sparks);

    for (size_t i = 0; sparks != NULL && i < count; i++)
        sparks[i] = (struct spark){.brightness = 240};
    return sparks;
}

OWN_FRAME struct key_stroke *waste_each_key(struct key_stroke *history, int key)
{
    struct key_stroke *stroke = malloc(sizeof *stroke);
    struct key_stroke *last = stroke;

    if (stroke == NULL)
        return history;
    stroke->before = history;
    stroke->key = key;
    for (int i = 1; i < KEYS_KEPT && last->before != NULL; i++)
        last = last->before;
    waste_forget_keys(last->before);
    last->before = NULL;
    return stroke;
}

void waste_forget_keys(struct key_stroke *history)
{
    while (history != NULL) {
        struct key_stroke *before = history->before;

        free(history);
        history = before;
    }
}

OWN_FRAME unsigned char *waste_lump(size_t bytes)
{
    unsigned char *map = malloc(bytes);

    if (map != NULL)
        memset(map, 7, bytes);
    return map;
}

OWN_FRAME void waste_growing_trail(struct trail *trail, struct spark spark)
{
    if (trail->count == trail->room) {
        size_t room = trail->room == 0 ? TRAIL_ROOM : 2 * trail->room;
        struct spark *sparks = realloc(trail->sparks, room * sizeof *sparks);

        if (sparks == NULL)
            return;
        trail->sparks = sparks;
        trail->room = room;
    }
    trail->sparks[trail->count++] = spark;
}

OWN_FRAME void waste_slow_leak(unsigned frame, char *show, size_t size)
{
    char *message = malloc(LEAK);

    if (message == NULL)
        return;
    snprintf(message, LEAK, "wave %u", frame / 100 + 1);
    snprintf(show, size, "%s", message);
}
