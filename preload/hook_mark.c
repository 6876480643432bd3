/* SPDX-License-Identifier: MIT */
/* hook_mark.c: the program's own marks, which allocreport.h finds by these names. */
#include "preload/record.h"

#define EXPORT __attribute__((visibility("default")))

void allocreport_mark_begin(void);
void allocreport_mark_end(int events);
void allocreport_mark_frame(void);

EXPORT void allocreport_mark_begin(void)
{
    ar_record_mark_begin(AR_HOOK());
}

EXPORT void allocreport_mark_end(int events)
{
    ar_record_mark_end(AR_HOOK(), events > 0);
}

EXPORT void allocreport_mark_frame(void)
{
    ar_record_frame(AR_HOOK());
}
