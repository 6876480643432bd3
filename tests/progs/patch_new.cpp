/* SPDX-License-Identifier: MIT */
/*
 * patch_new: C++'s operators inside a poll that the program marks. Prints what the patched poll
 * must have counted:
 *
 *     patch: requests served alignment releases
 */
#include "preload/allocreport.h"
#include "tests/progs/target.h"

#include <new>

struct alignas(64) line {
    char bytes[64];
};

int main()
{
    unsigned requests = 0, aligned = 0, releases = 0;
    void *block = target_keep(::operator new(500));

    for (int i = 0; i < 100; i++) {
        allocreport_poll_begin();
        ::operator delete(block);
        ::operator delete(target_keep(::operator new(1)));
        ::operator delete(target_keep(::operator new(40)), 40);
        ::operator delete[](static_cast<char *>(target_keep(::operator new[](3000))));
        ::operator delete(target_keep(::operator new(100, std::nothrow)), std::nothrow);
        delete static_cast<line *>(target_keep(new line));
        block = target_keep(::operator new(500));
        allocreport_poll_end(1);
        requests += 6;
        aligned += 1;
        releases += 6;
    }
    ::operator delete(block);
    printf("patch: %u %u %u %u\n", requests, requests - aligned, aligned, releases);
    return 0;
}
