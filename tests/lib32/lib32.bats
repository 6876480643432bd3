#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The 32-bit recorder, with 32-bit programs. `make check-lib32` builds it and runs this: it needs
# gcc-multilib to compile, and libunwind8:i386 to walk stacks.

load ../e2e/helpers

recorder=$root/build/lib32/liballocreport.so

# compile NAME SOURCE [FLAG ...]: a 32-bit program of the tests.
compile() {
    gcc -m32 -std=gnu11 -I"$root" -D_GNU_SOURCE -O1 -g -fno-builtin -fno-optimize-sibling-calls -fPIC \
        -o "$1" "$root/tests/progs/$2" "${@:3}" -pthread -ldl
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    compile count_preload.so count_preload.c -shared
    compile libplain.so.0 bind/sdl.c -shared -DSDL_MAJOR=2 -DNO_TABLE -Wl,-soname,libplain.so.0
    # shellcheck disable=SC2016 # the loader's word
    compile game bind/game.c -DSDL_MAJOR=2 ./libplain.so.0 -Wl,-rpath,'$ORIGIN'
    for program in attack_stacks attack_walks plain_loops; do
        compile "$program" "$program.c"
    done
}

# shellcheck disable=SC2034 # of helpers.bash
counter=$BATS_FILE_TMPDIR/count_preload.so
here=$BATS_FILE_TMPDIR

# counts PROGRAM [ARGUMENT ...]: what it says of its functions is what was recorded, and all of it
# what the counter saw; each stack is the one that libunwind alone finds.
counts() {
    record ALLOCREPORT_ALWAYS=1 ALLOCREPORT_VERIFY=1 "$@" >recorded
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
    same "wrong stacks" "$(value losses.verify)" 0
    rm ./*.alloc
}

@test "a game: each poll, each byte, each function" {
    file -L "$recorder" | grep -q 'ELF 32-bit'
    code=0
    record "$here/game" >out || code=$?
    same "exit code" "$code" 3
    same "output" "$(cat out)" "3 events"
    dump=$(only_dump)
    check_counted "$dump"
    same "polls" "$(value polls.count)" 31
    same "SDL_PollEvent" "$(value polls.by_function.SDL_PollEvent)" 30
    same "with events" "$(value polls.events)" 3
    same "presents" "$(value frames.presents.SDL_RenderPresent)" 5
    same "losses" "$(inspect '{k: v for k, v in report["losses"].items() if v}')" '{}'
    "$allocreport" polls --json "$dump" >polls.json
    same "the loop" "$(look field polls.json loops.0.stack.0.function)" game_loop
    same "the machine" "$("$allocreport" dump "$dump" | sed -n 's/^ *machine=//p')" 3
}

@test "run takes the recorder for it, and says what is needed where there is none" {
    code=0
    "$allocreport" run --json --report run.json "$here/game" >out 2>err || code=$?
    same "exit code" "$code" 3
    cp run.json report.json
    same "polls" "$(value polls.count)" 31
    same "standard error" "$(cat err)" ""
    mkdir elsewhere
    cp "$allocreport" "$build/liballocreport.so" elsewhere
    code=0
    elsewhere/allocreport run --json --report report.json "$here/game" >out 2>err || code=$?
    same "exit code" "$code" 3
    same "code" "$(value blind.code)" 32-bit-program
    grep -q 'make lib32' err
}

@test "coroutines, longjmp, stacks that have become shorter" {
    for mode in heap ended mapped jumps shrunk replaced; do
        counts "$here/attack_stacks" "$mode"
    done
}

@test "paths through realigned frames and rooms that make up for each other: each is what it was" {
    for verify in 0 1; do
        rm -f ./*.alloc
        record ALLOCREPORT_VERIFY="$verify" ALLOCREPORT_ALWAYS=1 "$here/attack_walks" 400 150 1 >recorded
        dump=$(only_dump)
        check_counted "$dump"
        sites "$dump"
        python3 "$root/tests/e2e/attack_paths.py" sites.json recorded >&2
        same losses.verify "$(value losses.verify)" 0
    done
}

@test "plain loops" {
    record ALLOCREPORT_LOOP=epoll "$here/plain_loops" >recorded
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
    same "polls" "$(value polls.count)" 183
}
