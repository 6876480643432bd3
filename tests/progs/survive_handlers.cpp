// SPDX-License-Identifier: MIT
// survive_handlers: a timer's handler allocates and releases in all the usual ways, ten thousand
// times a second, while the loop that it interrupts does the same and polls. Wants an allocator
// that may be interrupted and called again. usage: survive_handlers SIGNALS [MORE]: each handler
// makes and releases MORE blocks at the end
#include "tests/progs/target_sdl.h"

#include <csignal>
#include <ctime>

namespace
{

const long PERIOD_NS = 100000;

volatile unsigned long handled;
unsigned long turns;
unsigned long more;
timer_t timer;
void *kept;     // by one handler for the next
void *exchange; // from the loop to a handler, or back

TARGET void release(void *block)
{
    free(block);
}

// In whose stack the recorder was interrupted, only the innermost frame is known: this one.
extern "C" TARGET void handler_makes()
{
    char *grown = static_cast<char *>(target_keep(malloc(100)));
    void *cleared = target_keep(calloc(3, 50));
    int *object = new int(7);
    char *objects = new char[30];

    grown = static_cast<char *>(target_keep(realloc(grown, 5000)));
    grown[4999] = 1;
    target_keep(object);
    target_keep(objects);
    delete object;
    delete[] objects;
    release(cleared);
    release(__atomic_exchange_n(&exchange, grown, __ATOMIC_RELAXED));
    release(kept);
    kept = target_keep(malloc(11));
    for (unsigned long i = 0; i < more; i++)
        release(target_keep(malloc(1)));
}

// One that does much lets the loop go on for a while.
void handle(int)
{
    struct itimerspec once = {{0, 0}, {0, PERIOD_NS}};

    handler_makes();
    if (more > 0)
        must(timer_settime(timer, 0, &once, nullptr) == 0);
    handled = handled + 1;
}

extern "C" TARGET void loop_makes()
{
    void *given = target_keep(malloc(60));
    long *object = new long(1);
    void *grown = target_keep(realloc(nullptr, 20));

    grown = target_keep(realloc(grown, 2000));
    target_keep(object);
    delete object;
    release(grown);
    release(__atomic_exchange_n(&exchange, given, __ATOMIC_RELAXED));
    turns++;
}

} // namespace

int main(int argc, char **argv)
{
    unsigned long wanted = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1000;
    struct itimerspec often = {{0, PERIOD_NS}, {0, PERIOD_NS}};
    struct sigevent event = {};
    struct sigaction action = {};

    more = argc > 2 ? strtoul(argv[2], nullptr, 10) : 0;
    if (more > 0)
        often.it_interval.tv_nsec = 0;
    target_start();
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    must(sigaction(SIGRTMIN, &action, nullptr) == 0);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    must(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    must(timer_settime(timer, 0, &often, nullptr) == 0);
    while (handled < wanted) {
        loop_makes();
        target_poll(1);
    }
    must(timer_delete(timer) == 0);
    action.sa_handler = SIG_IGN;
    must(sigaction(SIGRTMIN, &action, nullptr) == 0);
    release(kept);
    release(exchange);
    expect("handler_makes", "allocations=%lu bytes=%lu reallocations=%lu live_blocks=0",
           handled * (6 + more), handled * (100 + 150 + sizeof(int) + 30 + 5000 + 11 + more),
           handled);
    // Handlers stand upon its stacks as well.
    printf("loop: %lu %lu %lu 0\n", turns * 4, turns * (60 + sizeof(long) + 20 + 2000), turns);
    return 0;
}
