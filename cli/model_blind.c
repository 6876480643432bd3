/* SPDX-License-Identifier: MIT */
#include "cli/blind.h"
#include "cli/model_private.h"

/* What the header says holds as far as the counts agree: it is told when the program ends, and a
 * dump may be read before, or be older than that. */
static unsigned why(const struct model *model, uint32_t told)
{
    bool known = told < BLIND_STATIC && blind_words(told) != NULL;

    if (model->polls.count == 0)
        return known && told < DUMP_BLIND_ALLOCATIONS ? told : BLIND_NOT_TOLD;
    if (model->totals.all.allocations == 0 && model->loss[DUMP_LOSS_THREADS] == 0)
        return known && told >= DUMP_BLIND_ALLOCATIONS ? told : DUMP_BLIND_MALLOC_UNSEEN;
    return BLIND_NO;
}

void model_read_blind(struct model *model, const struct dumpfile *file)
{
    unsigned numbers[BLIND_INCOMPLETE_MOST];

    model->facts = file->header.facts;
    model->runtimes = file->header.runtimes;
    model->blind = why(model, file->header.blind);
    if (model->blind != BLIND_NO)
        return;
    size_t count = blind_incomplete(model->facts, model->runtimes, numbers);
    unsigned *kept = model_alloc(model, count + 1, sizeof *kept);
    for (size_t i = 0; i < count; i++)
        kept[i] = numbers[i];
    model->incomplete_count = count;
    model->incomplete = kept;
}
