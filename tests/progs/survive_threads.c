/* SPDX-License-Identifier: MIT */
/*
 * survive_threads: usage: survive_threads MODE NUMBER
 *   alive    NUMBER threads that all live at once; each allocates when all are there
 *   barrier  NUMBER threads whose first malloc comes at one barrier, ten times over
 *   cancel   NUMBER threads are cancelled while they allocate, every second one at once
 *   locals   NUMBER threads with destructors of thread-local data that allocate, in three rounds
 *   handler  NUMBER signals, whose handler allocates on the least alternate stack there is
 */
#include "tests/progs/attack.h"
#include "tests/progs/target_sdl.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/auxv.h>

#define FEW    10
#define ROUNDS 3

static pthread_barrier_t barrier;
static pthread_key_t key;
static unsigned long *made; /* of cancelled threads, by each */

TARGET static void thread_makes(void)
{
    for (int i = 0; i < FEW; i++)
        free(attack_keep(malloc(64)));
}

TARGET static void first_makes(void)
{
    free(attack_keep(malloc(72)));
}

TARGET static void cancelled_makes(unsigned long *count)
{
    void *block = malloc(80);

    ++*count;
    free(attack_keep(block));
}

TARGET static void local_makes(void)
{
    free(attack_keep(malloc(88)));
}

TARGET static void handler_makes(void)
{
    free(attack_keep(malloc(96)));
}

static void start_threads(pthread_t *threads, int count, void *(*function)(void *), size_t stack)
{
    pthread_attr_t attributes;

    must(pthread_attr_init(&attributes) == 0);
    must(pthread_attr_setstacksize(&attributes, stack) == 0);
    for (int i = 0; i < count; i++)
        must(pthread_create(&threads[i], &attributes, function, (void *)(uintptr_t)i) == 0);
}

static void join_all(pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        must(pthread_join(threads[i], NULL) == 0);
}

static void *lives(void *unused)
{
    pthread_barrier_wait(&barrier);
    thread_makes();
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *allocates_first(void *unused)
{
    pthread_barrier_wait(&barrier);
    first_makes();
    return unused;
}

static void *is_cancelled(void *number)
{
    pthread_setcanceltype(
        (uintptr_t)number % 2 != 0 ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_barrier_wait(&barrier);
    for (;;) {
        /* malloc is no function that may be cancelled asynchronously. */
        for (int i = 0; i < FEW; i++)
            cancelled_makes(&made[(uintptr_t)number]);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
        pthread_testcancel();
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    }
    return NULL;
}

static void end_local(void *round)
{
    local_makes();
    if ((uintptr_t)round < ROUNDS)
        pthread_setspecific(key, (void *)((uintptr_t)round + 1));
}

static void *has_locals(void *unused)
{
    must(pthread_setspecific(key, (void *)1) == 0);
    return unused;
}

static void on_signal(int signal)
{
    (void)signal;
    handler_makes();
}

static void handle(int count)
{
    size_t size = getauxval(AT_MINSIGSTKSZ) + 2048;
    stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

    must(stack.ss_sp != NULL && sigaltstack(&stack, NULL) == 0);
    must(sigaction(SIGUSR1, &action, NULL) == 0);
    for (int i = 0; i < count; i++)
        must(raise(SIGUSR1) == 0);
    expect("handler_makes", "allocations=%d bytes=%d frees=%d live_blocks=0", count, 96 * count,
           count);
}

static void live(pthread_t *threads, int count)
{
    must(pthread_barrier_init(&barrier, NULL, (unsigned)count + 1) == 0);
    start_threads(threads, count, lives, (size_t)PTHREAD_STACK_MIN);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    join_all(threads, count);
    expect("thread_makes", "allocations=%d bytes=%d frees=%d live_blocks=0", FEW * count,
           64 * FEW * count, FEW * count);
}

static void meet(pthread_t *threads, int count)
{
    must(pthread_barrier_init(&barrier, NULL, (unsigned)count) == 0);
    for (int i = 0; i < 10; i++) {
        start_threads(threads, count, allocates_first, 65536);
        join_all(threads, count);
    }
    expect("first_makes", "allocations=%d bytes=%d frees=%d live_blocks=0", 10 * count, 720 * count,
           10 * count);
}

static void cancel(pthread_t *threads, int count)
{
    unsigned long sum = 0;

    made = calloc((size_t)count, sizeof *made);
    must(made != NULL);
    must(pthread_barrier_init(&barrier, NULL, (unsigned)count + 1) == 0);
    start_threads(threads, count, is_cancelled, 65536);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < count; i++)
        must(pthread_cancel(threads[i]) == 0);
    join_all(threads, count);
    for (int i = 0; i < count; i++)
        sum += made[i];
    must(sum > 0);
    /* It differs from run to run, so it is not for standard output. */
    fprintf(stderr, "expect: %d cancelled_makes allocations=%lu frees=%lu live_blocks=0\n",
            (int)getpid(), sum, sum);
}

static void end_locals(pthread_t *threads, int count)
{
    must(pthread_key_create(&key, end_local) == 0);
    start_threads(threads, count, has_locals, 65536);
    join_all(threads, count);
    expect("local_makes", "allocations=%d bytes=%d frees=%d live_blocks=0", ROUNDS * count,
           88 * ROUNDS * count, ROUNDS * count);
}

int main(int argc, char **argv)
{
    int count = argc == 3 ? atoi(argv[2]) : 0;
    pthread_t *threads;

    must(count > 0);
    threads = calloc((size_t)count, sizeof *threads);
    must(threads != NULL);
    target_start();
    target_poll(2);
    if (strcmp(argv[1], "alive") == 0)
        live(threads, count);
    else if (strcmp(argv[1], "barrier") == 0)
        meet(threads, count);
    else if (strcmp(argv[1], "cancel") == 0)
        cancel(threads, count);
    else if (strcmp(argv[1], "locals") == 0)
        end_locals(threads, count);
    else if (strcmp(argv[1], "handler") == 0)
        handle(count);
    else
        must(!"a mode");
    target_poll(2);
    free(threads);
    return 0;
}
