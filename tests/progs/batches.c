/* SPDX-License-Identifier: MIT */
/*
 * batches: a loop that turns when it is told to: for each line of standard input so many times as
 * it says, then it prints "done". In each turn it allocates 100 bytes for a moment, in each fifth
 * it keeps 24, polls once and presents. At the end of the input it ends, or with "exec" goes on as
 * another process image of itself.
 */
#include "tests/progs/target_sdl.h"

TARGET static void each_turn(void)
{
    free(target_keep(malloc(100)));
}

TARGET static void each_fifth_turn(void)
{
    target_keep(malloc(24));
}

/* Without stdio, which would allocate. False: no more lines. */
static int read_line(char *line, size_t size)
{
    size_t length = 0;

    while (length + 1 < size && read(STDIN_FILENO, line + length, 1) == 1)
        if (line[length++] == '\n')
            break;
    line[length] = '\0';
    return length > 0;
}

int main(int argc, char **argv)
{
    char line[32];

    (void)argc;
    target_start();
    SDL_Window *window = SDL_CreateWindow("batches", 0, 0, 64, 64, 0);
    must(window != NULL && SDL_GetWindowSurface(window) != NULL);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    target_poll(1);
    must(write(STDOUT_FILENO, "ready\n", 6) == 6);
    while (read_line(line, sizeof line)) {
        if (strcmp(line, "exec\n") == 0) {
            execv("/proc/self/exe", argv);
            return 1;
        }
        for (int i = 0; i < atoi(line); i++) {
            each_turn();
            if (i % 5 == 0)
                each_fifth_turn();
            target_poll(1);
            must(SDL_UpdateWindowSurface(window) == 0);
        }
        must(write(STDOUT_FILENO, "done\n", 5) == 5);
    }
    SDL_Quit();
    return 0;
}
