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

# without_end STATUS STATE MODE: the same, of survive_killed.
without_end() {
    rm -f -- *.alloc
    survives "$1" "$progs/survive_killed" "$3"
    dump=$(only_dump)
    lossless "$dump"
    same "$3" "$(ended "$dump")" "$2, 12"
}

@test "SIGTERM, and the bare system call that libc ends by" {
    without_end 143 killed term
    without_end 6 killed group
}

# killed_by MODE COMMAND ...: the kernel kills it; what was done is in the dump, and at most one
# allocation more.
killed_by() {
    local mode=$1 status=0
    shift
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$@" "$progs/survive_killed" "$mode" counts || status=$?
    same "status" "$status" 137
    dump=$(only_dump)
    same "$mode" "$(ended "$dump")" "killed, 12"
    sites "$dump"
    read -r begun finished <<<"$(od -An -N16 -t u8 counts)"
    [ "$finished" -gt 100 ]
    same "$finished done, $begun begun, in the dump" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("endless_makes", s)) in ('"$finished, $begun"')')" True
    same losses "$(inspect '{k: v for k, v in report["losses"].items() if v}')" "{}"
}

@test "killed by the kernel for its processor time" {
    killed_by cpu
    rm "$dump" # a sum may lack what was in flight
}

# memory_group MIB: makes a control group with that limit, in either version; prints its directory.
memory_group() {
    local at name=allocreport-$$-$RANDOM
    for at in /sys/fs/cgroup/memory /sys/fs/cgroup; do
        mkdir "$at/$name" 2>/dev/null || continue
        if echo $(($1 << 20)) 2>/dev/null >"$at/$name/memory.limit_in_bytes" ||
            echo $(($1 << 20)) 2>/dev/null >"$at/$name/memory.max"; then
            echo 0 2>/dev/null >"$at/$name/memory.swap.max" || :
            echo "$at/$name"
            return
        fi
        rmdir "$at/$name"
    done
}

@test "killed by the kernel for want of memory" {
    local group
    group=$(memory_group 96)
    [ -n "$group" ] || skip "no control group for memory can be made here"
    # shellcheck disable=SC2016 # the inner shell's
    killed_by memory sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" || {
        rmdir "$group"
        return 1
    }
    rm "$dump"
    rmdir "$group"
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
