/* SPDX-License-Identifier: MIT */
/*
 * survive_exec: polls, tries in vain to replace itself, polls again, and replaces itself by one of
 * libc's names; its successor polls and ends. usage: survive_exec HOW, of execve, execv, execvp,
 * execvpe, fexecve, execveat, execl, execlp, execle; or vfork: its child replaces itself instead
 */
#include "tests/progs/target_sdl.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>

static void replace(const char *how, char *self, bool right)
{
    const char *path = right ? self : "/there/is/no/such";
    char *arguments[] = {self, (char *)"successor", NULL};
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (strcmp(how, "execve") == 0)
        execve(path, arguments, environ);
    else if (strcmp(how, "execv") == 0)
        execv(path, arguments);
    else if (strcmp(how, "execvp") == 0)
        execvp(path, arguments);
    else if (strcmp(how, "execvpe") == 0)
        execvpe(path, arguments, environ);
    else if (strcmp(how, "fexecve") == 0)
        fexecve(fd, arguments, environ);
    else if (strcmp(how, "execveat") == 0)
        execveat(AT_FDCWD, path, arguments, environ, 0);
    else if (strcmp(how, "execl") == 0)
        execl(path, self, "successor", NULL);
    else if (strcmp(how, "execlp") == 0)
        execlp(path, self, "successor", NULL);
    else if (strcmp(how, "execle") == 0)
        execle(path, self, "successor", NULL, environ);
}

int main(int argc, char **argv)
{
    bool vforks = argc == 2 && strcmp(argv[1], "vfork") == 0;
    int status;
    pid_t child;

    must(argc == 2);
    target_start();
    target_poll(3);
    if (strcmp(argv[1], "successor") == 0)
        return 0;
    replace(argv[1], argv[0], false);
    target_poll(4);
    if (!vforks)
        replace(argv[1], argv[0], true);
    child = vfork();
    if (child == 0) {
        execl(argv[0], argv[0], "successor", NULL);
        _exit(1);
    }
    must(vforks && child > 0 && waitpid(child, &status, 0) == child && status == 0);
    target_poll(5);
    return 0;
}
