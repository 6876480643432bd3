/* SPDX-License-Identifier: MIT */
/*
 * histogram.h: adds to the dump's histograms; dump_format.h states the buckets. Written by one
 * thread only. No calls out.
 */
#ifndef AR_HISTOGRAM_H
#define AR_HISTOGRAM_H

#include "preload/dump_format.h"

void ar_histogram_add(struct dump_histogram *histogram, uint64_t value, uint64_t times);

/* Adds all of `from` to `to`, and empties it. */
void ar_histogram_move(struct dump_histogram *to, struct dump_histogram *from);

#endif
