#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The poll to paste: each language's text is built and run here; and where the report of it says
# that it goes.

load helpers

drains() { # FILE: what a program has printed that took out three events in their order
    diff - "$1" <<<$'8000\n8001\n8002'
}

# nothing_a_poll PROGRAM ...: its empty polls allocate nothing, and nothing is allocated between.
nothing_a_poll() {
    record "$@" >/dev/null
    check_counted "$(only_dump)"
    same "steady allocations" "$(value steady.allocations)" 0
    same "enough steady polls" "$(inspect 'report["steady"]["polls"] > 500')" True
    rm ./*.alloc
}

@test "C and C++: compiles as each with either compiler, with SDL 2 and SDL 3, and drains in order" {
    local compiler standard flags
    read -ra flags <<<"$(pkg-config --cflags --libs sdl2) -Wall -Wextra -Wshadow -Werror"
    "$allocreport" fallback --lang c >allocreport_poll.h
    "$allocreport" fallback --lang c++ | cmp - allocreport_poll.h
    cmp allocreport_poll.h "$root/preload/allocreport_poll.h"
    for compiler in gcc clang; do
        if [ "$compiler" = clang ] && ! command -v clang >/dev/null; then continue; fi # of CI alone
        for standard in c99 gnu11 c++98 c++17; do
            set -- "$compiler" "-std=$standard" -x "${standard/%[0-9][0-9]/}"
            [[ $standard != gnu* ]] || set -- "$compiler" "-std=$standard" -x c
            "$@" -I. -o drain2 "$root/tests/fallback/drain.c" -x none "${flags[@]}"
            ./drain2 >printed
            drains printed
            "$@" -DSDL_3 -I. -I"$root/tests/fallback" -Wall -Wextra -Werror -o drain3 \
                "$root/tests/fallback/drain.c" -x none "$progs/bind/libSDL3.so.0" \
                -Wl,-rpath,"$progs/bind"
            ./drain3 >printed
            drains printed
        done
    done
    nothing_a_poll ./drain2
    # The stand-in of SDL 3 allocates in each poll by itself.
}

@test "Python: with ctypes it drains in order, and takes no allocation a poll where a naive one does" {
    "$allocreport" fallback --lang python >poll.py
    export PYTHONPATH=$PWD PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1
    python3 "$root/tests/fallback/drain.py" >printed
    drains printed
    nothing_a_poll python3 "$root/tests/fallback/drain.py"
    record python3 "$root/tests/fallback/drain.py" naive >/dev/null
    report "$(only_dump)"
    [ "$(value steady.allocations)" -ge "$(value steady.polls)" ]
}

@test "Python: with pygame it drains in order" {
    "$allocreport" fallback --lang python >poll.py
    PYGAME_HIDE_SUPPORT_PROMPT=1 PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1 \
        /usr/bin/python3 "$root/tests/fallback/drain.py" pygame >printed
    drains printed
}

@test "Rust: builds without a warning, drains in order, allocates nothing a poll" {
    command -v rustc >/dev/null || { echo "# no rustc: the text for Rust is not checked" >&3; return; }
    "$allocreport" fallback --lang rust >poll.rs
    cp "$root/tests/fallback/drain.rs" .
    RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.rustup} \
        rustc --edition 2021 -D warnings -O -l SDL2 drain.rs 2>messages || { cat messages; return 1; }
    ./drain >printed
    drains printed
    nothing_a_poll ./drain
}

@test "Haskell: builds without a warning, drains in order" {
    command -v ghc >/dev/null || { echo "# no ghc: the text for Haskell is not checked" >&3; return; }
    "$allocreport" fallback --lang haskell >Poll.hs
    cp "$root/tests/fallback/Drain.hs" .
    ghc -Wall -Werror -threaded -lSDL2 -o drain Drain.hs >messages 2>&1 || { cat messages; return 1; }
    ./drain >printed
    drains printed
}

@test "a dump: names each place that polls, and what each poll would save there" {
    ALLOCREPORT_OUT=each.alloc record "$examples/poll_each" 1000
    ALLOCREPORT_OUT=once.alloc record "$examples/poll_once" 1000
    "$allocreport" fallback each.alloc >source.h
    grep -qE '^//   main at poll_each\.c:[0-9]+: 1,000 polls, each would save up to 1\.00 allocations of 56\.00 bytes in all$' source.h
    sed '1,/^$/d' source.h | cmp - "$root/preload/allocreport_poll.h"
    "$allocreport" fallback once.alloc | sed -n 2p >line
    grep -qE '^//   main at poll_once\.c:[0-9]+: 1,000 polls, which would save nothing$' line
    "$allocreport" fallback --json --lang rust each.alloc >fallback.json
    same language "$(look field fallback.json language)" rust
    same bytes "$(look field fallback.json places.0.bytes)" \
        "$((56 * $(look field fallback.json places.0.polls)))"
    same allocations "$(look field fallback.json places.0.allocations)" \
        "$(look field fallback.json places.0.polls)"
}

@test "with a dump it is still source, in each language" {
    record "$examples/poll_each" 1000
    "$allocreport" fallback --lang c "$(only_dump)" >allocreport_poll.h
    # shellcheck disable=SC2046 # flags are words
    gcc -std=gnu11 -Wall -Werror -fsyntax-only $(pkg-config --cflags sdl2) allocreport_poll.h
    "$allocreport" fallback --lang python "$(only_dump)" >poll.py
    python3 -c 'import ast; ast.parse(open("poll.py").read())'
    "$allocreport" fallback --lang rust "$(only_dump)" >poll.rs
    grep -q '^//   main at ' poll.rs
    "$allocreport" fallback --lang haskell "$(only_dump)" >Poll.hs
    grep -q '^--   main at ' Poll.hs
}
