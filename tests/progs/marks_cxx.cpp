// SPDX-License-Identifier: MIT
// marks_cxx: marks in C++, in a scope that an exception leaves: of 60 turns 20 end so. A guard's
// destructor ends each mark, so that all count.
#include "tests/progs/marks_loop.h"

namespace
{

struct marked {
    marked()
    {
        allocreport_poll_begin();
    }
    ~marked()
    {
        allocreport_poll_end(0);
    }
    marked(const marked &) = delete;
    marked &operator=(const marked &) = delete;
};

TARGET void turn(int number)
{
    marked poll;

    delete[] static_cast<char *>(target_keep(new char[16]));
    if (number % 3 == 0)
        throw number;
}

} // namespace

int main()
{
    int caught = 0;

    for (int i = 0; i < 60; i++) {
        try {
            turn(i);
        } catch (int) {
            caught++;
        }
    }
    must(caught == 20);
    marked_operations(10);
    expect("marked_operations", "allocations=30 bytes=300 frees=30");
    return 0;
}
