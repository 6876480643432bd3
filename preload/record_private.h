/* SPDX-License-Identifier: MIT */
/* record_private.h: what record.c and record_polls.c share and nobody else sees. */
#ifndef AR_RECORD_PRIVATE_H
#define AR_RECORD_PRIVATE_H

#include "preload/record.h"
#include "preload/sites.h"

/* The site of the stack that the hook was called from; `flags` are of dump_stack.flags. */
struct ar_site ar_record_site(struct ar_thread *thread, struct ar_hook hook, uint32_t flags);

#endif
