/* SPDX-License-Identifier: MIT */
/*
 * loop.h: timeouts inside the program's own SDL event loop: the queue's heap with no manager, since
 * the loop's waits deliver. The deadlines cost no thread, no descriptor and no allocation; alarms
 * only fire while the loop waits, and on its thread. SDL has been started by the caller.
 */
#ifndef EXAMPLES_TIMEOUTS_LOOP_H
#define EXAMPLES_TIMEOUTS_LOOP_H

#include "examples/timeouts/way.h"

#include <SDL.h>
#include <stdbool.h>

/*
 * Waits for an event, but not beyond `deadline` (of clock_now(); CLOCK_NEVER: without end), and
 * fires the alarms that fall due meanwhile. True: *event is one. False: the deadline has passed.
 * Never early; late by up to a millisecond and what SDL_WaitEventTimeout adds. Allocates nothing.
 */
bool loop_wait_event(SDL_Event *event, int64_t deadline);

/* The same, but it also returns false as soon as an alarm has been fired. */
bool loop_turn(SDL_Event *event, int64_t deadline);

/* On the loop's thread; as way.h has it. */
void loop_add(struct alarm *alarm);
void loop_remove(struct alarm *alarm);
size_t loop_pending(void);

#endif
