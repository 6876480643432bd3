/* SPDX-License-Identifier: MIT */
/*
 * survive_processes: a program that polls and makes processes in one of many ways, or becomes
 * another kind of process itself. Each process says what it allocates. usage:
 *   survive_processes raw|_Fork|spawn|chain|bare|daemon|user|drop|traced [N]
 *   survive_processes children N     so many, each of which polls
 *   survive_processes successor [N]  what the others start
 */
#include "tests/progs/target_sdl.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static char *self;

TARGET static void parent_makes(int count)
{
    for (int i = 0; i < count; i++)
        free(target_keep(malloc(100)));
}

TARGET static void child_makes(int count)
{
    for (int i = 0; i < count; i++)
        free(target_keep(malloc(50)));
}

static void say_child(int count)
{
    expect("child_makes", "allocations=%d bytes=%d frees=%d", count, 50 * count, count);
    expect("parent_makes", "allocations=0");
}

/* What each child does. */
static void work(int polls, int count)
{
    target_poll((unsigned)polls / 2);
    child_makes(count);
    target_poll((unsigned)(polls - polls / 2));
    say_child(count);
}

static void wait_for(pid_t pid)
{
    int status = -1;

    must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

static void say_parent(void)
{
    expect("parent_makes", "allocations=30 bytes=3000 frees=30");
    expect("child_makes", "allocations=0");
}

static pid_t fork_raw(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void fork_by(pid_t (*make)(void))
{
    pid_t pid = make();

    if (pid == 0) {
        work(8, 7);
        _exit(0);
    }
    wait_for(pid);
}

static void spawn(void)
{
    char *arguments[] = {self, (char *)"successor", NULL};
    pid_t pid = 0;

    must(posix_spawn(&pid, self, NULL, NULL, arguments, environ) == 0);
    wait_for(pid);
}

static void make_children(int count)
{
    for (int i = 0; i < count; i++) {
        pid_t pid = fork();

        if (pid == 0) {
            work(3 + i % 5, 1 + i);
            _exit(0);
        }
        must(pid > 0);
    }
    for (int i = 0; i < count; i++) {
        int status = -1;

        must(wait(&status) > 0 && status == 0);
    }
}

/* Each image polls, and is replaced by the next. */
static void go_on(int left)
{
    char number[16];

    work(4, left + 1);
    snprintf(number, sizeof number, "%d", left - 1);
    if (left > 0)
        execl(self, self, "chain", number, (char *)NULL);
    must(left == 0);
}

static void start_bare(void)
{
    char *arguments[] = {self, (char *)"successor", NULL};
    char *nothing[] = {NULL};
    pid_t pid = fork();

    if (pid == 0) {
        execve(self, arguments, nothing);
        _exit(1);
    }
    wait_for(pid);
}

/* As daemons begin: nothing of where and how they were started is left. */
static void become_daemon(void)
{
    pid_t pid = fork();

    if (pid > 0)
        _exit(0);
    must(pid == 0 && setsid() > 0);
    pid = fork();
    if (pid > 0)
        _exit(0);
    must(pid == 0 && chdir("/") == 0);
    must(close_range(3, ~0u, 0) == 0);
    must(close(0) == 0 && open("/dev/null", O_RDWR) == 0);
    target_start();
    work(7, 9);
}

static void become_user(void)
{
    parent_makes(10);
    if (unshare(CLONE_NEWUSER) == 0)
        printf("in a namespace of its own\n");
    else
        printf("no namespace: %s\n", strerror(errno));
    fflush(stdout);
    parent_makes(10);
}

static void drop(void)
{
    parent_makes(10);
    must(setgid(65534) == 0 && setuid(65534) == 0);
    parent_makes(10);
}

/* Stopped at each system call of its child. */
static void trace(void)
{
    pid_t pid = fork();
    int status;
    int stops = 0;

    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        work(8, 7);
        _exit(0);
    }
    while (waitpid(pid, &status, 0) == pid && !WIFEXITED(status)) {
        must(WIFSTOPPED(status));
        ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
        stops++;
    }
    must(WIFEXITED(status) && WEXITSTATUS(status) == 0 && stops > 2);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;

    self = argv[0];
    if (strcmp(mode, "daemon") == 0) {
        become_daemon();
        return 0;
    }
    target_start();
    if (strcmp(mode, "successor") == 0 || strcmp(mode, "chain") == 0) {
        if (strcmp(mode, "chain") == 0)
            go_on(number);
        else
            work(8, 7);
        return 0;
    }
    target_poll(4);
    parent_makes(strcmp(mode, "user") == 0 || strcmp(mode, "drop") == 0 ? 5 : 15);
    if (strcmp(mode, "raw") == 0)
        fork_by(fork_raw);
    else if (strcmp(mode, "_Fork") == 0)
        fork_by(_Fork);
    else if (strcmp(mode, "spawn") == 0)
        spawn();
    else if (strcmp(mode, "children") == 0)
        make_children(number);
    else if (strcmp(mode, "bare") == 0)
        start_bare();
    else if (strcmp(mode, "user") == 0)
        become_user();
    else if (strcmp(mode, "drop") == 0)
        drop();
    else if (strcmp(mode, "traced") == 0)
        trace();
    else
        return 2;
    target_poll(4);
    parent_makes(strcmp(mode, "user") == 0 || strcmp(mode, "drop") == 0 ? 5 : 15);
    say_parent();
    return 0;
}
