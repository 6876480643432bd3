#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The ways in which a program ends: its dump is whole, and says which it was.

load helpers

# ended FILE: the state and the polls of that dump.
ended() {
    report "$1"
    echo "$(value program.state), $(value polls.count)"
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
