/* SPDX-License-Identifier: MIT */
/* survive_age: makes a dump look so many seconds older. usage: survive_age DUMP SECONDS */
#include "preload/dump_format.h"
#include "tests/progs/target.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

int main(int argc, char **argv)
{
    int file = argc == 3 ? open(argv[1], O_RDWR) : -1;
    struct timespec times[2];
    struct stat status;
    uint64_t start;
    uint64_t seconds;

    must(file >= 0);
    seconds = strtoull(argv[2], NULL, 10);
    must(pread(file, &start, sizeof start, offsetof(struct dump_header, start_realtime_ns)) ==
         sizeof start);
    start -= seconds * 1000000000u;
    must(pwrite(file, &start, sizeof start, offsetof(struct dump_header, start_realtime_ns)) ==
         sizeof start);
    must(fstat(file, &status) == 0);
    times[0] = times[1] = (struct timespec){status.st_mtime - (time_t)seconds, 0};
    must(futimens(file, times) == 0);
    return 0;
}
