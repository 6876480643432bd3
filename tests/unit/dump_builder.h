/* SPDX-License-Identifier: MIT */
/*
 * dump_builder.h: makes dumps for tests as a recorder would: allocations, releases and polls go in,
 * and all sums of the dump come out consistent. It is written from FORMAT.md and shares no code
 * with the recorder or the reader, so that neither's mistakes hide in it. Tests may change every
 * record before the image is made. Used by tests only; out of memory ends the program.
 */
#ifndef TESTS_DUMP_BUILDER_H
#define TESTS_DUMP_BUILDER_H

#include "preload/dump_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder_bytes {
    size_t size;
    size_t room;
    uint8_t *data;
    uint64_t count; /* records in it */
};

/* A poll that is over. */
struct builder_poll {
    unsigned thread;
    unsigned loop;
    uint64_t window;
    uint64_t interval_ns;
    uint64_t begin_ns;
    uint64_t end_ns;
    struct dump_amount in_poll;
    struct dump_amount between;
};

/* A frame or a drain that is over. */
struct builder_turn {
    unsigned thread;
    bool drain;
    uint64_t window;
    uint64_t bytes;
    uint64_t allocations;
    uint64_t ns;
};

struct builder_thread {
    struct dump_thread record;
    bool in_poll; /* now */
    uint64_t begin_ns;
    uint64_t last_begin_ns;
    struct dump_amount frame; /* totals when the frame, the drain, began */
    struct dump_amount drain;
    uint64_t frame_ns;
};

struct builder {
    struct dump_header header;
    uint64_t now_ns;
    uint64_t poll_ns;    /* that a poll takes */
    uint64_t between_ns; /* from a poll's end to the next one's begin */
    int record_change;   /* bytes, a multiple of 8, by which records of fixed size are longer */
    unsigned buckets;    /* that histograms' records hold; 0: all */
    unsigned presents;   /* kinds that threads' records hold; 0: all */
    bool compact;        /* leaves out empty histograms and unused worst polls */
    bool warming;        /* moves the boundaries at each power of two of polls */
    bool unknown_chunks; /* puts chunks of types that do not exist between the others */
    struct builder_bytes infos, modules, frames, stacks;
    uint32_t module_count, stack_count;
    size_t thread_count, counter_count, loop_count, poll_count, turn_count, worst_count;
    struct builder_thread *threads;
    struct dump_counter *counters;
    struct dump_loop *loops;
    struct builder_poll *polls;
    struct builder_turn *turns;
    size_t event_count;           /* of events[], which tests fill in themselves */
    struct dump_event events[16]; /* none: the dump has no such chunk */
    size_t patch_count;           /* the same of patches[] */
    struct dump_patch patches[4];
    struct dump_worst *worst; /* one for each window that allocated; the image has the worst */
};

/* A dump of a program "/usr/games/example" with process number 1234 that has ended. */
void builder_start(struct builder *builder);
void builder_end(struct builder *builder);

void builder_info(struct builder *builder, enum dump_info_key key, const void *value,
                  size_t length);

/* They return the new record's id; `build_id` may be NULL. */
uint32_t builder_module(struct builder *builder, const char *path, const void *build_id,
                        size_t length, uint32_t flags);
uint32_t builder_stack(struct builder *builder, uint32_t flags, const uint32_t *frames,
                       size_t count);
/* Returns the frame's number. */
uint32_t builder_frame(struct builder *builder, uint32_t module, uint64_t offset, uint32_t flags);
/* A stack of one new frame in the module. */
uint32_t builder_site(struct builder *builder, uint32_t module, uint64_t offset, uint32_t flags);

/* They return places in threads[] and loops[]; ids are one more. */
unsigned builder_thread(struct builder *builder, const char *name, uint32_t flags);
unsigned builder_loop(struct builder *builder, unsigned thread, uint32_t stack);

void builder_alloc(struct builder *builder, unsigned thread, uint32_t site, uint64_t bytes);
void builder_realloc(struct builder *builder, unsigned thread, uint32_t site, uint64_t old_bytes,
                     uint64_t bytes);
/* `temporary`: the block was made in the same window. */
void builder_free(struct builder *builder, unsigned thread, uint32_t site, uint64_t bytes,
                  bool temporary);

/* The first poll of a thread gives it windows of its own. */
void builder_poll_begin(struct builder *builder, unsigned loop);
void builder_poll_end(struct builder *builder, unsigned loop, enum dump_poll_kind kind, bool null,
                      bool event);
void builder_poll(struct builder *builder, unsigned loop, bool event); /* SDL_PollEvent */
void builder_present(struct builder *builder, unsigned thread);

/* Moves the boundaries of the thread's clock. As in a real dump each must be a boundary already or
 * the window that has just begun. */
void builder_boundaries(struct builder *builder, unsigned thread, uint64_t steady, uint64_t cut,
                        uint64_t last_cut);

/* The file's bytes; the caller frees. */
uint8_t *builder_image(struct builder *builder, size_t *size);
/* Writes the image; false: failed. */
bool builder_save(struct builder *builder, const char *path);

/* A small dump with something of everything: two threads, two loops, in poll and between, a stack
 * of several frames. The worked example of FORMAT.md. */
void builder_example(struct builder *builder);

#endif
