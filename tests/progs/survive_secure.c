/* SPDX-License-Identifier: MIT */
/* survive_secure: says whether it runs with rights that its user has not. */
#include "tests/progs/target.h"

#include <sys/auxv.h>

int main(void)
{
    printf("secure: %lu\n", getauxval(AT_SECURE));
    free(target_keep(malloc(100)));
    return 0;
}
