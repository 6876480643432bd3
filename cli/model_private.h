/* SPDX-License-Identifier: MIT */
/*
 * model_private.h: what the files of the model share and nobody else sees: memory that goes away
 * with the model, records of one type, ids looked up, and the steps of building in their order.
 */
#ifndef CLI_MODEL_PRIVATE_H
#define CLI_MODEL_PRIVATE_H

#include "cli/dumpfile.h"
#include "cli/model.h"

/* From the ids of a dump, which count from 1 but may be anything, to places in an array. */
struct model_index {
    size_t count;
    struct model_index_entry {
        uint32_t id;
        uint32_t place;
    } * entries; /* by id, then by place */
};

struct model_block;

struct model_private {
    struct model_block *blocks;
    size_t note_room;
    uint32_t *stack_site;      /* by stack: its place in sites[], or MODEL_NONE */
    struct dump_clock *clocks; /* by thread: the clock that its tallies go by */
    struct model_index modules;
    struct model_index stacks;
    struct model_index threads;
    struct model_index loops;
    uint64_t contradictions; /* tallies whose history contradicts itself */
    uint64_t orphans;        /* records that name a thread, site or loop that is not there */
    uint64_t cut_stacks;     /* stacks that name frames that are not there */
    bool odd_schedule;
};

/* Zeroed memory that model_close frees. */
void *model_alloc(struct model *model, size_t count, size_t size);
/* `length` bytes of text, cut at a NUL. */
const char *model_text(struct model *model, const void *bytes, size_t length);
/* Adds a note; its text is formatted. */
void model_add_note(struct model *model, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* All records of one type: start with a zeroed cursor. */
struct model_cursor {
    size_t chunk;
    struct dumpfile_record record;
};
bool model_next(const struct dumpfile *file, uint32_t type, struct model_cursor *cursor);
size_t model_count(const struct dumpfile *file, uint32_t type);

/* Fills the index's entries, which have room for `count`, with places 0 .. count - 1 of the ids. */
void model_index_build(struct model *model, struct model_index *index, const uint32_t *ids,
                       size_t count);
/* The place of the first that has this id, or MODEL_NONE. */
uint32_t model_index_find(const struct model_index *index, uint32_t id);

/* An amount of the dump, as the model's. */
struct model_amount model_amount_of(const struct dump_amount *amount);
/* a - b, at least 0, field by field. */
struct model_amount model_amount_less(const struct model_amount *a, const struct model_amount *b);
uint64_t model_add(uint64_t a, uint64_t b); /* saturating */
int64_t model_difference(uint64_t a, uint64_t b);

/* The steps, each needing those before. */
void model_read_head(struct model *model, const struct dumpfile *file);
void model_read_stacks(struct model *model, const struct dumpfile *file);
void model_read_threads(struct model *model, const struct dumpfile *file);
void model_read_loops(struct model *model, const struct dumpfile *file);
void model_read_histograms(struct model *model, const struct dumpfile *file);
void model_sum(struct model *model);
void model_read_sites(struct model *model, const struct dumpfile *file);
void model_read_timeline(struct model *model, const struct dumpfile *file);
void model_read_worst(struct model *model, const struct dumpfile *file);
void model_read_events(struct model *model, const struct dumpfile *file);
void model_read_patch(struct model *model, const struct dumpfile *file);
void model_read_blind(struct model *model, const struct dumpfile *file);
void model_write_notes(struct model *model, const struct dumpfile *file);

#endif
