/* SPDX-License-Identifier: MIT */
/*
 * attack_threads: usage: attack_threads MODE [NUMBER]
 *   churn    NUMBER threads, two at a time, each with a few allocations; some of the blocks are
 *            released by another thread
 *   small    NUMBER threads with the least stack that libc allows, recursing as deep as it bears
 *   fork     children are made while four threads' stacks are well known; they go on with the same
 *            stacks, and the parent too
 *   warm     four threads allocate along the same few paths, each NUMBER times, and the main thread
 *            does so between as many polls; the system calls getsid mark where each begins and ends
 */
#include "tests/progs/attack.h"
#include "tests/progs/target_sdl.h"

#include <limits.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define TOGETHER 4u
#define FEW      12u
#define WARM_UP  1000u

static void *passed[2]; /* from one thread of churn to the next */

ATTACK_FRAME static void passed_makes(unsigned which)
{
    void *before = __atomic_exchange_n(&passed[which], attack_keep(malloc(72)), __ATOMIC_ACQ_REL);

    free(before);
}

ATTACK_FRAME static void churn_makes(unsigned left)
{
    if (left > 0)
        churn_makes(left - 1);
    else
        free(attack_keep(malloc(64)));
    attack_escape(&left);
}

static void *churn(void *number)
{
    for (unsigned i = 0; i < FEW; i++)
        churn_makes(i);
    passed_makes((uintptr_t)number % 2);
    return NULL;
}

static void use_churn(unsigned long count)
{
    for (unsigned long i = 0; i < count; i += 2) {
        pthread_t threads[2];

        for (uintptr_t k = 0; k < 2; k++)
            must(pthread_create(&threads[k], NULL, churn, (void *)k) == 0);
        for (unsigned k = 0; k < 2; k++)
            must(pthread_join(threads[k], NULL) == 0);
    }
    free(passed[0]);
    free(passed[1]);
    expect("churn_makes", "allocations=%lu bytes=%lu frees=%lu live_blocks=0", FEW * count,
           64 * FEW * count, FEW * count);
    expect("passed_makes", "allocations=%lu frees=%lu live_blocks=0", count, count);
}

ATTACK_FRAME static void small_makes(unsigned left)
{
    if (left > 0)
        small_makes(left - 1);
    else
        free(attack_keep(malloc(80)));
    attack_escape(&left);
}

static void *small(void *unused)
{
    for (unsigned i = 0; i < 200; i++)
        small_makes(i % 60);
    return unused;
}

static void use_small(unsigned long count)
{
    pthread_attr_t attributes;

    must(pthread_attr_init(&attributes) == 0);
    must(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) == 0);
    for (unsigned long i = 0; i < count; i++) {
        pthread_t thread;

        must(pthread_create(&thread, &attributes, small, NULL) == 0);
        must(pthread_join(thread, NULL) == 0);
    }
    expect("small_makes", "allocations=%lu frees=%lu live_blocks=0", 200 * count, 200 * count);
}

static volatile unsigned long together_count[TOGETHER];
static volatile bool stop;

ATTACK_FRAME static void together_makes(unsigned left)
{
    if (left > 0)
        together_makes(left - 1);
    else
        free(attack_keep(malloc(40)));
    attack_escape(&left);
}

static void *go_on_together(void *number)
{
    volatile unsigned long *count = &together_count[(uintptr_t)number];

    while (!stop) {
        together_makes((unsigned)(*count % FEW));
        ++*count;
    }
    return NULL;
}

ATTACK_FRAME static void both_make(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        together_makes(i % FEW);
}

static void child(void)
{
    both_make(500);
    target_poll(1);
    both_make(700);
    expect("both_make", "allocations=1200 frees=1200 live_blocks=0");
    expect("together_makes", "allocations=1200 frees=1200 live_blocks=0");
    _exit(0);
}

static void use_fork(unsigned long children)
{
    pthread_t threads[TOGETHER];
    unsigned long all = 0;

    target_start();
    target_poll(1);
    both_make(1000);
    for (uintptr_t i = 0; i < TOGETHER; i++)
        must(pthread_create(&threads[i], NULL, go_on_together, (void *)i) == 0);
    for (unsigned long i = 0; i < children; i++) {
        int status = -1;
        pid_t pid;

        both_make(100);
        pid = fork();
        if (pid == 0)
            child();
        both_make(100);
        must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
    }
    stop = true;
    for (unsigned i = 0; i < TOGETHER; i++) {
        pthread_join(threads[i], NULL);
        all += together_count[i];
    }
    SDL_Quit();
    expect("both_make", "allocations=%lu frees=%lu live_blocks=0", 1000 + 200 * children,
           1000 + 200 * children);
    expect("together_makes", "allocations=%lu live_blocks=0", all + 1000 + 200 * children);
}

static unsigned long rounds;
static pthread_barrier_t all_warm;
static volatile unsigned twice = 2; /* no compiler makes two loops of one */

/* Between two of these a thread makes no system call of its own. */
static void mark(void)
{
    syscall(SYS_getsid, 0);
}

/* Both times from one place: the same stacks. */
static void *be_warm(void *unused)
{
    for (unsigned time = 0; time < twice; time++) {
        unsigned long count = time == 0 ? WARM_UP : rounds;

        if (time > 0)
            mark();
        for (unsigned long i = 0; i < count; i++)
            together_makes((unsigned)(i % FEW));
        if (time > 0)
            mark();
        pthread_barrier_wait(&all_warm);
    }
    return unused;
}

static void be_warm_and_poll(void)
{
    for (unsigned time = 0; time < twice; time++) {
        unsigned long count = time == 0 ? WARM_UP : rounds;

        if (time > 0)
            mark();
        for (unsigned long i = 0; i < count; i++) {
            target_poll(1);
            both_make(1);
        }
        if (time > 0)
            mark();
        pthread_barrier_wait(&all_warm);
    }
}

static void use_warm(unsigned long count)
{
    pthread_t threads[TOGETHER];

    rounds = count;
    must(pthread_barrier_init(&all_warm, NULL, TOGETHER + 1) == 0);
    target_start();
    for (unsigned i = 0; i < TOGETHER; i++)
        must(pthread_create(&threads[i], NULL, be_warm, NULL) == 0);
    be_warm_and_poll();
    for (unsigned i = 0; i < TOGETHER; i++)
        must(pthread_join(threads[i], NULL) == 0);
    SDL_Quit();
    expect("together_makes", "allocations=%lu frees=%lu live_blocks=0",
           (TOGETHER + 1) * (count + WARM_UP), (TOGETHER + 1) * (count + WARM_UP));
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    unsigned long number = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;

    if (strcmp(mode, "churn") == 0)
        use_churn(number);
    else if (strcmp(mode, "small") == 0)
        use_small(number);
    else if (strcmp(mode, "fork") == 0)
        use_fork(number);
    else if (strcmp(mode, "warm") == 0)
        use_warm(number);
    else
        return 2;
    return 0;
}
