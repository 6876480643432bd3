/* SPDX-License-Identifier: MIT */
/*
 * family_cxx: operator new and delete in all their forms, and a failure that throws. Never polls.
 */
#include "tests/progs/target.h"

#include <cstdint>
#include <new>

static volatile std::size_t huge = PTRDIFF_MAX;
static int handler_calls;

static bool aligned(const void *block, std::size_t alignment)
{
    return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

TARGET static void do_new()
{
    ::operator delete(target_keep(::operator new(11)));
    ::operator delete (target_keep(::operator new(12)), std::size_t{12});
    ::operator delete(nullptr);
    expect("do_new", "allocations=2 bytes=23 frees=2 live_bytes=0");
}

/* A block of its own; whether of 0 bytes or of 1 is the library's affair. */
TARGET static void do_new_nothing()
{
    void *none = target_keep(::operator new(0));

    must(none != nullptr);
    ::operator delete(none);
    expect("do_new_nothing", "allocations=1 frees=1 live_bytes=0");
}

TARGET static void do_new_array()
{
    ::operator delete[](target_keep(::operator new[](21)));
    ::operator delete[](target_keep(::operator new[](22)), std::size_t{22});
    expect("do_new_array", "allocations=2 bytes=43 frees=2 live_bytes=0");
}

TARGET static void do_new_nothrow()
{
    ::operator delete(target_keep(::operator new(31, std::nothrow)), std::nothrow);
    ::operator delete[](target_keep(::operator new[](32, std::nothrow)), std::nothrow);
    expect("do_new_nothrow", "allocations=2 bytes=63 frees=2 live_bytes=0");
}

/* Multiples of the alignment: an operator new may round up before it asks an allocator beneath. */
TARGET static void do_new_aligned()
{
    const std::align_val_t line{64}, page{4096};
    void *one = target_keep(::operator new(64, line)),
         *array = target_keep(::operator new[](4096, page));

    must(aligned(one, 64) && aligned(array, 4096));
    ::operator delete(one, line);
    ::operator delete[](array, page);
    one = target_keep(::operator new(128, line));
    array = target_keep(::operator new[](8192, page));
    ::operator delete (one, std::size_t{128}, line);
    ::operator delete[](array, std::size_t{8192}, page);
    expect("do_new_aligned", "allocations=4 bytes=12480 frees=4 live_bytes=0");
}

TARGET static void do_new_aligned_nothrow()
{
    const std::align_val_t line{128};
    void *one = target_keep(::operator new(256, line, std::nothrow)),
         *array = target_keep(::operator new[](384, line, std::nothrow));

    must(aligned(one, 128) && aligned(array, 128));
    ::operator delete(one, line, std::nothrow);
    ::operator delete[](array, line, std::nothrow);
    expect("do_new_aligned_nothrow", "allocations=2 bytes=640 frees=2 live_bytes=0");
}

TARGET static void throw_through(std::size_t size)
{
    target_keep(::operator new(size));
}

static void give_up()
{
    if (++handler_calls == 3)
        std::set_new_handler(nullptr);
}

/* The exception passes through whatever stands between here and the allocator. */
TARGET static void do_failures()
{
    int caught = 0;

    must(::operator new(huge, std::nothrow) == nullptr);
    must(::operator new[](huge, std::nothrow) == nullptr);
    must(::operator new (huge, std::align_val_t{64}, std::nothrow) == nullptr);
    for (int i = 0; i < 5; i++) {
        try {
            throw_through(huge);
        } catch (const std::bad_alloc &) {
            caught++;
        }
    }
    std::set_new_handler(give_up);
    try {
        target_keep(::operator new[](huge, std::align_val_t{64}));
    } catch (const std::bad_alloc &) {
        caught++;
    }
    must(caught == 6 && handler_calls == 3);
}

struct counted {
    int value[10];
    explicit counted(int from) : value{from}
    {
        if (from < 0)
            throw from;
    }
};

TARGET static void do_expressions()
{
    delete static_cast<counted *>(target_keep(new counted(1)));
    delete[] static_cast<char *>(target_keep(new char[60]));
    expect("do_expressions", "allocations=2 bytes=100 frees=2 live_bytes=0");
}

/* A constructor that throws: the block goes back by the delete that matches. */
TARGET static void do_throw()
{
    int caught = 0;

    try {
        target_keep(new counted(-1));
    } catch (int) {
        caught++;
    }
    must(caught == 1);
}

int main()
{
    do_new();
    do_new_nothing();
    do_new_array();
    do_new_nothrow();
    do_new_aligned();
    do_new_aligned_nothrow();
    do_failures();
    do_expressions();
    do_throw();
    return 0;
}
