/* SPDX-License-Identifier: MIT */
/* survive_later: preloaded, makes it $LATER seconds later for a program than it is. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *later = getenv("LATER");
    int result = (int)syscall(SYS_clock_gettime, clock, now);

    if (result == 0 && later != NULL)
        now->tv_sec += atol(later);
    return result;
}

time_t time(time_t *seconds)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds != NULL)
        *seconds = now.tv_sec;
    return now.tv_sec;
}
