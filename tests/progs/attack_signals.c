/* SPDX-License-Identifier: MIT */
/*
 * attack_signals: a handler that allocates interrupts loops that do nothing else, some thousand
 * times. Wants an allocator that may be interrupted and called again. usage:
 * attack_signals ordinary|alternate SIGNALS
 */
#include "tests/progs/attack.h"

#include <signal.h>
#include <sys/time.h>

static unsigned long handled;
static unsigned long handler_blocks;
static unsigned long interrupted_blocks;
static void *kept; /* by one handler for the next */

ATTACK_FRAME static void handler_makes(void)
{
    void *one = attack_keep(malloc(100));
    void *other = attack_keep(malloc(200));

    free(one);
    free(kept);
    kept = other;
    handler_blocks += 2;
}

static void handle(int number)
{
    (void)number;
    handler_makes();
    handled++;
}

ATTACK_FRAME static void interrupted_makes(unsigned left)
{
    if (left > 0) {
        interrupted_makes(left - 1);
    } else {
        void *blocks[8];

        for (unsigned i = 0; i < 8; i++)
            blocks[i] = attack_keep(malloc(8 + i));
        for (unsigned i = 0; i < 8; i++)
            free(blocks[i]);
        interrupted_blocks += 8;
    }
    attack_escape(&left);
}

int main(int argc, char **argv)
{
    static char stack[65536];
    bool alternate = argc > 1 && strcmp(argv[1], "alternate") == 0;
    unsigned long wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    struct itimerval often = {{0, 50}, {0, 50}};
    struct itimerval never = {{0, 0}, {0, 0}};
    struct sigaction action;
    stack_t other = {0};

    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART | (alternate ? SA_ONSTACK : 0);
    must(sigaltstack(&other, NULL) == 0);
    must(sigaction(SIGALRM, &action, NULL) == 0);
    must(setitimer(ITIMER_REAL, &often, NULL) == 0);
    while (__atomic_load_n(&handled, __ATOMIC_RELAXED) < wanted)
        interrupted_makes((unsigned)(interrupted_blocks / 8 % 30));
    must(setitimer(ITIMER_REAL, &never, NULL) == 0);
    action.sa_handler = SIG_IGN;
    must(sigaction(SIGALRM, &action, NULL) == 0);
    free(kept);
    printf("handler_blocks: %lu\ninterrupted_blocks: %lu\n", handler_blocks, interrupted_blocks);
    return 0;
}
