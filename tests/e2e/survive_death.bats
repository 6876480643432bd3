#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The ways in which a program ends: its dump is whole, and says which it was.

load helpers

# ended FILE: the state and the polls of that dump.
ended() {
    report "$1"
    echo "$(value program.state), $(value polls.count)"
}

# dies STATUS STATE MODE: as without the recorder, and every count is there.
dies() {
    ulimit -c 0
    rm -f -- *.alloc
    survives "$1" "$progs/survive_death" "$3"
    dump=$(only_dump)
    lossless "$dump"
    same "$3" "$(ended "$dump")" "$2, 12"
}

@test "a fault, without a handler and with ones that allocate and leave or go on" {
    dies 139 killed fault
    dies 7 'exited at once' fault_exits
    dies 0 ended fault_goes_on
}

@test "a stack that overflows, with a handler on a stack of its own" {
    dies 7 'exited at once' overflow
}

@test "abort, with a handler that allocates and comes back" {
    dies 134 killed abort
}

@test "another thread ends the program: exit, _exit, quick_exit, a fault, abort" {
    dies 3 ended thread_exit
    dies 4 'exited at once' thread__exit
    dies 5 'exited at once' thread_quick_exit
    dies 139 killed thread_fault
    dies 134 killed thread_abort
}

@test "the main thread ends before the program" {
    dies 0 ended main_leaves
}

@test "a program that replaces itself, by each of libc's names, after a try in vain" {
    local how
    for how in execve execv execvp execvpe fexecve execveat execl execlp execle; do
        rm -f -- *.alloc*
        env LD_PRELOAD="$recorder" ALLOCREPORT_OUT=dump.alloc ALLOCREPORT_QUIET=1 \
            "$progs/survive_exec" "$how"
        same "$how: before" "$(ended dump.alloc)" "replaced by another program, 7"
        same "$how: after" "$(ended dump.alloc.1)" "ended, 3"
    done
}

@test "a vfork's child that is replaced: nothing of it is told of its parent" {
    env LD_PRELOAD="$recorder" ALLOCREPORT_OUT=dump.alloc ALLOCREPORT_QUIET=1 \
        "$progs/survive_exec" vfork
    same "the parent" "$(ended dump.alloc)" "ended, 12"
    same "the child" "$(ended dump.alloc.1)" "ended, 3"
}
