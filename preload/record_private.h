/* SPDX-License-Identifier: MIT */
/* record_private.h: what record.c and record_polls.c share and nobody else sees. */
#ifndef AR_RECORD_PRIVATE_H
#define AR_RECORD_PRIVATE_H

#include "preload/record.h"
#include "preload/sites.h"

/* The slow part of ar_record_site: walks the stack. */
struct ar_site ar_record_walked_site(struct ar_thread *thread, struct ar_hook hook, uint32_t flags)
    __attribute__((noinline, cold));

/* The site of the stack that the hook was called from; `flags` are of dump_stack.flags. */
static inline struct ar_site ar_record_site(struct ar_thread *thread, struct ar_hook hook,
                                            uint32_t flags)
{
    struct ar_site site = ar_sites_remembered(thread->stack, hook.frame, hook.caller, flags);

    return __builtin_expect(site.number != 0, 1) ? site
                                                 : ar_record_walked_site(thread, hook, flags);
}

#endif
