/* SPDX-License-Identifier: MIT */
#include "cli/launch.h"

#include "cli/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT,  SIGTERM,  SIGHUP,  SIGQUIT, SIGUSR1,
                                SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT};

struct run {
    const struct launch *launch;
    pid_t pid;
    sigset_t waited;    /* signals that this process waits for */
    sigset_t inherited; /* the mask before, which the program gets */
    struct sigaction chld;
    bool asked_to_stop; /* this process got SIGTSTP, SIGTTIN or SIGTTOU */
    bool child_stopped; /* by one of these */
};

static void start_signals(struct run *run)
{
    struct sigaction chld = {.sa_handler = SIG_DFL};

    sigemptyset(&run->waited);
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        sigaddset(&run->waited, passed_on[i]);
    sigaddset(&run->waited, SIGTTIN);
    sigaddset(&run->waited, SIGTTOU);
    sigaddset(&run->waited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &run->waited, &run->inherited);
    sigaction(SIGCHLD, &chld, &run->chld); /* ignored, it would make waitpid fail */
}

static void end_signals(const struct run *run)
{
    sigaction(SIGCHLD, &run->chld, NULL);
    sigprocmask(SIG_SETMASK, &run->inherited, NULL);
}

static _Noreturn void become_program(const struct run *run, int report)
{
    const struct launch *launch = run->launch;
    int failure = ENOMEM;

    end_signals(run);
    bool set = true;
    for (int i = 0; launch->standard != NULL && i < 3; i++)
        set = set && (launch->standard[i] < 0 || dup2(launch->standard[i], i) == i);
    for (size_t i = 0; i < launch->variable_count; i++)
        set = set && setenv(launch->variables[i].name, launch->variables[i].value, 1) == 0;
    if (set) {
        execvp(launch->arguments[0], launch->arguments);
        failure = errno;
    }
    (void)!write(report, &failure, sizeof failure);
    _exit(LAUNCH_NOT_FOUND);
}

/* Says why it could not be started, and returns the exit code for that. */
static int explain_failure(const char *program, int failure)
{
    struct stat status;
    bool is_path = strchr(program, '/') != NULL;
    bool exists = stat(program, &status) == 0;

    if (failure == ENOENT && is_path && exists)
        error("cannot run '%s': its interpreter is missing", program);
    else if (failure == ENOENT && !is_path && exists)
        error("there is no program '%s' in PATH; did you mean './%s'?", program, program);
    else if (failure == ENOENT && !is_path)
        error("there is no program '%s' in PATH", program);
    else if (failure == ENOENT)
        error("there is no program '%s'", program);
    else if (exists && S_ISDIR(status.st_mode))
        error("cannot run '%s': it is a directory", program);
    else
        error("cannot run '%s': %s", program, strerror(failure));
    return failure == ENOENT && !(is_path && exists) ? LAUNCH_NOT_FOUND : LAUNCH_NOT_RUNNABLE;
}

/* 0, or the exit code to end with. */
static int start_program(struct run *run)
{
    int ends[2];
    int failure = 0;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        error("cannot start '%s': %s", run->launch->arguments[0], strerror(errno));
        return LAUNCH_NOT_RUNNABLE;
    }
    fflush(stdout);
    run->pid = fork();
    if (run->pid == 0) {
        close(ends[0]);
        become_program(run, ends[1]);
    }
    if (run->pid < 0)
        failure = errno;
    close(ends[1]);

    /* The pipe closes by itself when the program has been started. */
    ssize_t got = 0;
    if (run->pid > 0)
        do {
            got = read(ends[0], &failure, sizeof failure);
        } while (got < 0 && errno == EINTR);
    close(ends[0]);
    if (run->pid > 0 && got != (ssize_t)sizeof failure)
        return 0;
    if (run->pid > 0)
        waitpid(run->pid, NULL, 0);
    run->pid = 0;
    return explain_failure(run->launch->arguments[0], failure);
}

static void tell(const struct run *run, enum launch_event event)
{
    if (run->launch->tick != NULL)
        run->launch->tick(event, run->pid, run->launch->data);
}

/* When the terminal, or somebody, has stopped the whole group, the shell waits for this process to
 * stop too. */
static void stop_with_child(struct run *run)
{
    if (!run->asked_to_stop || !run->child_stopped)
        return;
    run->asked_to_stop = run->child_stopped = false;
    tell(run, LAUNCH_STOP);
    raise(SIGSTOP);
    kill(run->pid, SIGCONT);
    tell(run, LAUNCH_GO_ON);
}

/* What the terminal sends goes to the whole group; what others send came to this process alone. */
static void handle_signal(struct run *run, const siginfo_t *info)
{
    bool from_terminal = info->si_code == SI_KERNEL;
    int number = info->si_signo;

    if (number == SIGCHLD)
        return;
    if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
        run->asked_to_stop = true;
    if (number == SIGTTIN || number == SIGTTOU)
        return;
    if (number == SIGCONT)
        run->asked_to_stop = run->child_stopped = false;
    if (!from_terminal)
        kill(run->pid, number);
    if (number == SIGWINCH)
        tell(run, LAUNCH_TICK);
}

/* Collects children, adopted ones too. True when the program has ended, with its exit code. */
static bool reap(struct run *run, int *code)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        if (pid != run->pid)
            continue;
        if (WIFSTOPPED(status)) {
            int number = WSTOPSIG(status);
            run->child_stopped = number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
            continue;
        }
        *code = WIFEXITED(status) ? WEXITSTATUS(status) : LAUNCH_SIGNAL + WTERMSIG(status);
        return true;
    }
    return false;
}

static int wait_for_end(struct run *run)
{
    unsigned tick_ms = run->launch->tick != NULL ? run->launch->tick_ms : 3600000;
    struct timespec tick = {tick_ms / 1000, (long)(tick_ms % 1000) * 1000000};
    int code;

    while (!reap(run, &code)) {
        siginfo_t info;
        stop_with_child(run);
        if (sigtimedwait(&run->waited, &info, &tick) > 0)
            handle_signal(run, &info);
        else if (errno == EAGAIN)
            tell(run, LAUNCH_TICK);
    }
    return code;
}

int launch_run(const struct launch *launch, pid_t *pid)
{
    struct run run = {.launch = launch};

    /* Programs that a script leaves behind become this process's children: so it can be told that
     * their dumps are of this run. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    start_signals(&run);
    int code = start_program(&run);
    if (run.pid > 0)
        code = wait_for_end(&run);
    end_signals(&run);
    *pid = run.pid;
    return code;
}
