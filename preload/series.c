/* SPDX-License-Identifier: MIT */
#include "preload/series.h"

#include "preload/mapfile.h"

void ar_series_make(struct ar_series *series, unsigned first, unsigned count, uint32_t thread,
                    uint32_t loop)
{
    uint64_t bytes = count * DUMP_SLOTS * sizeof *series->histograms;
    struct dump_chunk *chunk =
        ar_chunk_new(DUMP_HISTOGRAM, sizeof *series->histograms, bytes, thread);

    *series = (struct ar_series){.first = first, .count = count};
    series->histograms = ar_chunk_place(chunk, bytes);
    if (series->histograms == NULL)
        return;
    for (unsigned i = 0; i < count * DUMP_SLOTS; i++) {
        series->histograms[i].thread = thread;
        series->histograms[i].loop = loop;
        series->histograms[i].series = first + i / DUMP_SLOTS;
        series->histograms[i].slot = i % DUMP_SLOTS;
        ar_chunk_commit(chunk, sizeof *series->histograms);
    }
}

void ar_series_share(struct ar_series *series, enum dump_series which, uint64_t total,
                     uint64_t times)
{
    if (series->histograms == NULL || times == 0)
        return;
    if (times > 1)
        ar_histogram_add(ar_series_slot(series, which, DUMP_SLOT_LATER), total / times, times - 1);
    ar_histogram_add(ar_series_slot(series, which, DUMP_SLOT_LATER), total / times + total % times,
                     1);
}

void ar_series_rotate(struct ar_series *series)
{
    if (series->histograms == NULL)
        return;
    for (unsigned i = series->first; i < series->first + series->count; i++) {
        ar_histogram_move(ar_series_slot(series, i, DUMP_SLOT_WARMUP),
                          ar_series_slot(series, i, DUMP_SLOT_EARLIER));
        ar_histogram_move(ar_series_slot(series, i, DUMP_SLOT_EARLIER),
                          ar_series_slot(series, i, DUMP_SLOT_LATER));
    }
}

void ar_series_join(struct ar_series *series)
{
    if (series->histograms == NULL)
        return;
    for (unsigned i = series->first; i < series->first + series->count; i++)
        ar_histogram_move(ar_series_slot(series, i, DUMP_SLOT_EARLIER),
                          ar_series_slot(series, i, DUMP_SLOT_LATER));
}
