/* SPDX-License-Identifier: MIT */
/*
 * patch [kinds | burst | fork | exec | jump | signal | threads | ends | twice | bypass]: what a
 * program may do inside a poll, in polls that it marks itself, so that nobody else allocates in
 * them. It prints the same with and without the patched poll. Of `kinds` a line says what the
 * patched poll must have counted:
 *
 *     patch: requests served alignment size releases
 */
#include "preload/allocreport.h"
#include "tests/progs/target.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/wait.h>

#define THREADS 4
#define ROUNDS  2000

static unsigned requests, served, aligned, large, releases;

static void fill(void *block, size_t size, unsigned char with)
{
    memset(block, with, size);
}

static bool holds(const void *block, size_t size, unsigned char what)
{
    const unsigned char *bytes = block;

    for (size_t i = 0; i < size; i++)
        if (bytes[i] != what)
            return false;
    return true;
}

/* Blocks that were used come back; calloc must clear them. */
TARGET static void inside_plain(void)
{
    volatile size_t too_many = SIZE_MAX / 2;
    static const size_t sizes[] = {0, 1, 24, 25, 500, 1032, 1033, 5000, 40000, 65000};

    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *block = target_keep(malloc(sizes[i]));

        must(block != NULL && (uintptr_t)block % 16 == 0);
        must(malloc_usable_size(block) >= sizes[i]);
        fill(block, malloc_usable_size(block), 0xa5);
        free(block);
        block = target_keep(calloc(1, sizes[i]));
        must(block != NULL && holds(block, sizes[i], 0));
        fill(block, malloc_usable_size(block), 0x5a);
        free(block);
        requests += 2;
        served += 2;
        releases += 2;
    }
    must(target_keep(calloc(too_many, 3)) == NULL && errno == ENOMEM);
}

TARGET static void inside_aligned(void)
{
    void *block = NULL;

    must(posix_memalign(&block, 16, 100) == 0);
    free(target_keep(block));
    free(target_keep(aligned_alloc(16, 64)));
    free(target_keep(memalign(8, 30)));
    requests += 3;
    served += 3;
    releases += 3;
    block = NULL;
    must(posix_memalign(&block, 64, 100) == 0 && (uintptr_t)block % 64 == 0);
    free(target_keep(block));
    block = target_keep(aligned_alloc(4096, 4096));
    must((uintptr_t)block % 4096 == 0);
    free(block);
    free(target_keep(valloc(10)));
    requests += 3;
    aligned += 3;
    releases += 3;
    must(posix_memalign(&block, 24, 100) == EINVAL && posix_memalign(&block, 4, 100) == EINVAL);
}

TARGET static void inside_large(void)
{
    void *block = target_keep(malloc(100000));

    must(block != NULL);
    fill(block, 100000, 1);
    block = target_keep(realloc(block, 200000));
    must(holds(block, 100000, 1));
    free(block);
    requests += 2;
    large += 2;
    releases++;
}

/* Grows, shrinks, from nothing, to nothing. */
TARGET static void inside_realloc(void)
{
    char *block = target_keep(realloc(NULL, 10));
    size_t size = 10;

    must(block != NULL);
    fill(block, 10, 7);
    requests++;
    served++;
    for (size_t next = 100; next < 60000; next *= 3) {
        block = target_keep(realloc(block, next));
        must(block != NULL && holds(block, size, 7));
        fill(block, next, 7);
        size = next;
        requests++;
        served++;
        releases++;
    }
    for (size_t next = size / 3; next > 20; next /= 3) {
        block = target_keep(realloc(block, next));
        must(block != NULL && holds(block, next, 7));
        requests++;
        served++;
        releases++;
    }
    must(realloc(block, 0) == NULL);
    releases++;
}

static void *outside;

TARGET static void inside_of_outside(void)
{
    outside = target_keep(realloc(outside, 3000));
    must(holds(outside, 300, 3));
    requests++;
    served++;
    releases++;
}

static void kinds(void)
{
    for (int round = 0; round < 3; round++) {
        outside = target_keep(malloc(300));
        fill(outside, 300, 3);
        allocreport_poll_begin();
        inside_plain();
        inside_aligned();
        inside_large();
        inside_realloc();
        inside_of_outside();
        allocreport_poll_end(1);
        fill(outside, 3000, 4);
        outside = target_keep(realloc(outside, 100000));
        must(holds(outside, 3000, 4));
        free(outside);
    }
    printf("patch: %u %u %u %u %u\n", requests, served, aligned, large, releases);
}

/* More than any poll before needed, twice: the second time it is known. */
static void burst(void)
{
    static void *blocks[20000];

    for (int round = 0; round < 2; round++) {
        allocreport_poll_begin();
        for (int i = 0; i < 20000; i++)
            blocks[i] = target_keep(malloc(64));
        for (int i = 0; i < 20000; i++)
            free(blocks[i]);
        allocreport_poll_end(1);
    }
}

static void poll_some(int polls)
{
    for (int i = 0; i < polls; i++) {
        allocreport_poll_begin();
        free(target_keep(malloc(48)));
        allocreport_poll_end(0);
    }
}

static void wait_for(pid_t child)
{
    int status;

    must(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* The child goes on in the poll, and polls itself. */
static void fork_inside(void)
{
    void *before = target_keep(malloc(77));
    pid_t child;

    poll_some(10);
    allocreport_poll_begin();
    free(target_keep(malloc(48)));
    child = fork();
    free(target_keep(malloc(48)));
    free(before);
    allocreport_poll_end(1);
    poll_some(child == 0 ? 5 : 20);
    if (child == 0)
        exit(0);
    wait_for(child);
}

static void exec_inside(const char *self)
{
    poll_some(10);
    allocreport_poll_begin();
    free(target_keep(malloc(48)));
    execl(self, self, "burst", (char *)NULL);
}

static void jump(void)
{
    jmp_buf back;
    void *block = NULL;

    for (volatile int i = 0; i < 100; i++) {
        if (setjmp(back) == 0) {
            allocreport_poll_begin();
            block = target_keep(malloc(200));
            longjmp(back, 1);
        }
        free(target_keep(malloc(3000)));
        free(block);
    }
    poll_some(10);
}

static volatile sig_atomic_t handled;

static void handler(int number)
{
    void *block = target_keep(malloc(40));

    (void)number;
    must(block != NULL);
    fill(block, 40, 9);
    free(block);
    handled++;
}

/* A handler that allocates interrupts whatever the poll does. Not meant to be run without the
 * patched poll: it would interrupt malloc itself. */
static void signals(void)
{
    struct itimerval often = {{0, 150}, {0, 150}};
    struct itimerval never = {{0, 0}, {0, 0}};
    void *blocks[8];

    signal(SIGALRM, handler);
    poll_some(10);
    while (handled < 300) {
        allocreport_poll_begin();
        setitimer(ITIMER_REAL, &often, NULL);
        for (int i = 0; i < 20000; i++) {
            for (int j = 0; j < 8; j++) {
                blocks[j] = target_keep(malloc(40));
                fill(blocks[j], 40, (unsigned char)j);
            }
            for (int j = 0; j < 8; j++) {
                must(holds(blocks[j], 40, (unsigned char)j));
                free(blocks[j]);
            }
        }
        setitimer(ITIMER_REAL, &never, NULL);
        allocreport_poll_end(1);
    }
}

static void *shared[THREADS][64];
static pthread_barrier_t all_there;

/* Each polls; blocks that one got in a poll, the next one releases in its own. */
static void *polls_too(void *data)
{
    unsigned me = (unsigned)(uintptr_t)data;

    for (int round = 0; round < ROUNDS; round++) {
        allocreport_poll_begin();
        for (int i = 0; i < 64; i++) {
            shared[me][i] = target_keep(malloc(16 + (size_t)i * 8));
            must(shared[me][i] != NULL);
            fill(shared[me][i], 16 + (size_t)i * 8, (unsigned char)me);
        }
        allocreport_poll_end(1);
        pthread_barrier_wait(&all_there);
        allocreport_poll_begin();
        for (int i = 0; i < 64; i++) {
            void *block = shared[(me + 1) % THREADS][i];

            must(holds(block, 16 + (size_t)i * 8, (unsigned char)((me + 1) % THREADS)));
            free(block);
        }
        allocreport_poll_end(0);
        pthread_barrier_wait(&all_there);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];

    pthread_barrier_init(&all_there, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++)
        must(pthread_create(&thread[i], NULL, polls_too, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

static void *polls_and_ends(void *unused)
{
    (void)unused;
    poll_some(10);
    return NULL;
}

/* One after the other: none leaves anything behind. */
static void ends(void)
{
    for (int i = 0; i < 50; i++) {
        pthread_t thread;

        must(pthread_create(&thread, NULL, polls_and_ends, NULL) == 0);
        pthread_join(thread, NULL);
    }
}

/* A block that is released twice in one poll is not given out twice. */
static void twice(void)
{
    void *block, *one, *other;

    poll_some(1);
    allocreport_poll_begin();
    block = target_keep(malloc(90));
    free(block);
    free(target_keep(block)); /* wrong: without the patched poll libc ends the program */
    one = target_keep(malloc(90));
    other = target_keep(malloc(90));
    must(one != other);
    free(one);
    free(other);
    allocreport_poll_end(1);
}

/* A library that is bound to libc's own functions, past everybody, gets blocks of the poll. */
static void bypass(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    void (*real_free)(void *) = NULL;
    void *(*real_realloc)(void *, size_t) = NULL;
    void *blocks[100];

    *(void **)&real_free = dlsym(libc, "free");
    *(void **)&real_realloc = dlsym(libc, "realloc");
    must(real_free != NULL && real_free != free && real_realloc != NULL);
    for (int round = 0; round < 10; round++) {
        allocreport_poll_begin();
        for (int i = 0; i < 100; i++) {
            blocks[i] = target_keep(malloc(10 + (size_t)i * 20));
            fill(blocks[i], 10 + (size_t)i * 20, (unsigned char)i);
        }
        allocreport_poll_end(1);
        for (int i = 0; i < 100; i++) {
            blocks[i] = target_keep(real_realloc(blocks[i], 5000));
            must(holds(blocks[i], 10 + (size_t)i * 20, (unsigned char)i));
            real_free(blocks[i]);
        }
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "kinds";

    if (strcmp(mode, "kinds") == 0)
        kinds();
    else if (strcmp(mode, "burst") == 0)
        burst();
    else if (strcmp(mode, "fork") == 0)
        fork_inside();
    else if (strcmp(mode, "exec") == 0)
        exec_inside(argv[0]);
    else if (strcmp(mode, "jump") == 0)
        jump();
    else if (strcmp(mode, "signal") == 0)
        signals();
    else if (strcmp(mode, "threads") == 0)
        threads();
    else if (strcmp(mode, "ends") == 0)
        ends();
    else if (strcmp(mode, "bypass") == 0)
        bypass();
    else
        twice();
    return 0;
}
