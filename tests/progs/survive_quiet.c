/* SPDX-License-Identifier: MIT */
/* survive_quiet: polls five times and prints nothing. With the argument `wait` it then makes a file
 * `polled` and waits for a file `go`. */
#include "tests/progs/target_sdl.h"

#include <fcntl.h>

int main(int argc, char **argv)
{
    target_start();
    target_poll(5);
    if (argc > 1 && strcmp(argv[1], "wait") == 0) {
        must(close(open("polled", O_CREAT | O_WRONLY, 0600)) == 0);
        while (access("go", F_OK) != 0)
            usleep(10000);
    }
    return 0;
}
