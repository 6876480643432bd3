/* SPDX-License-Identifier: MIT */
/*
 * forks: a program that polls and makes children. usage: forks MODE [PROGRAM]
 *   silent    the child allocates and leaves by _exit, without a poll
 *   polls     the child polls and allocates
 *   exec      the child starts PROGRAM
 *   vfork     the same by vfork
 *   threads   a child that polls is made while another thread allocates without pause
 */
#include "tests/progs/target_sdl.h"

#include <pthread.h>
#include <sys/wait.h>

static volatile int stop;

TARGET static void parent_makes(void)
{
    for (int i = 0; i < 10; i++) {
        free(target_keep(malloc(100)));
        target_poll(2);
    }
}

TARGET static void child_makes(void)
{
    for (int i = 0; i < 7; i++)
        free(target_keep(malloc(50)));
}

TARGET static void child_keeps(void)
{
    target_keep(malloc(70));
}

TARGET static void *busy_makes(void *unused)
{
    while (!stop)
        free(target_keep(malloc(16)));
    return unused;
}

TARGET static void child(const char *mode, char *program)
{
    if (strcmp(mode, "exec") == 0) {
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    child_makes();
    child_keeps();
    if (strcmp(mode, "silent") != 0) {
        target_poll(8);
        expect("child_makes", "allocations=7 bytes=350 frees=7");
        expect("child_keeps", "allocations=1 bytes=70 frees=0 live_bytes=70");
        expect("parent_makes", "allocations=0");
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    char *program = argc > 2 ? argv[2] : NULL;
    pthread_t busy;
    int status = -1;
    pid_t pid;

    target_start();
    target_poll(4);
    parent_makes();
    if (strcmp(mode, "threads") == 0)
        must(pthread_create(&busy, NULL, busy_makes, NULL) == 0);
    if (strcmp(mode, "vfork") == 0) {
        pid = vfork();
        if (pid == 0) {
            execl(program, program, (char *)NULL);
            _exit(127);
        }
    } else {
        pid = fork();
        if (pid == 0)
            child(mode, program);
    }
    must(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    must(WEXITSTATUS(status) == 0);
    parent_makes();
    if (strcmp(mode, "threads") == 0) {
        stop = 1;
        pthread_join(busy, NULL);
    }
    printf("child: %d\n", (int)pid);
    fflush(stdout);
    expect("parent_makes", "allocations=20 bytes=2000 frees=20");
    expect("child_makes", "allocations=0");
    SDL_Quit();
    return 0;
}
