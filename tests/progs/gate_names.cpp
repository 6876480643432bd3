/* SPDX-License-Identifier: MIT */
/* gate_names: functions whose names hold & < > " % and /: each allocates in every one of 2000
 * polls. */
#include "tests/progs/target_sdl.h"

struct pair {
    int first;
};

TARGET static bool operator&(pair, pair)
{
    free(target_keep(malloc(1)));
    return true;
}

TARGET static bool operator<(pair, pair)
{
    free(target_keep(malloc(2)));
    return true;
}

TARGET static bool operator>(pair, pair)
{
    free(target_keep(malloc(3)));
    return true;
}

TARGET static bool operator%(pair, pair)
{
    free(target_keep(malloc(4)));
    return true;
}

TARGET static bool operator/(pair, pair)
{
    free(target_keep(malloc(5)));
    return true;
}

TARGET static bool operator""_quoted(unsigned long long)
{
    free(target_keep(malloc(6)));
    return true;
}

int main()
{
    pair a = {1}, b = {2};
    volatile bool all = true;

    target_start();
    for (int i = 0; i < 2000; i++) {
        target_poll(1);
        all = (a & b) && (a < b) && (a > b) && (a % b) && (a / b) && 1_quoted;
    }
    return all ? 0 : 1;
}
