/* SPDX-License-Identifier: MIT */
#include "tests/unit/dump_builder.h"

/* A buffer is made before the first poll, an event inside each of two polls; events are released
 * behind their polls. */
void builder_example(struct builder *builder)
{
    static const uint8_t build_id[4] = {0xde, 0xad, 0xbe, 0xef};
    builder_start(builder);
    builder->compact = true;
    builder->warming = true;
    builder->buckets = 112;
    builder->presents = 8; /* as in the first version */
    builder->poll_ns = 100;
    builder->between_ns = 900;
    uint32_t program = builder_module(builder, "/usr/games/example", build_id, sizeof build_id,
                                      DUMP_MODULE_EXECUTABLE);
    uint32_t sdl = builder_module(builder, "/usr/lib/libSDL2-2.0.so.0", NULL, 0, 0);
    uint32_t in_main = builder_frame(builder, program, 0x1234, 0);
    uint32_t in_poll[] = {builder_frame(builder, sdl, 0x2345, 0), in_main};
    uint32_t event = builder_stack(builder, DUMP_STACK_IN_POLL, in_poll, 2);
    uint32_t buffer = builder_site(builder, program, 0x1300, 0);
    uint32_t polls = builder_stack(builder, DUMP_STACK_POLL, &in_main, 1);
    unsigned main = builder_thread(builder, "example", DUMP_THREAD_MAIN);
    unsigned loop = builder_loop(builder, main, polls);
    builder_alloc(builder, main, buffer, 4096);
    for (unsigned i = 0; i < 2; i++) {
        builder_poll_begin(builder, loop);
        builder_alloc(builder, main, event, 56);
        builder_poll_end(builder, loop, DUMP_POLL_EVENT, false, i == 0);
        builder_free(builder, main, event, 56, false);
    }
}
