#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Programs that take system calls away from themselves: the recorder makes none from then on, and
# counts on.

load helpers

# sandboxed MODE: ends as without the recorder, with the counts that it says, and nothing lost but ends of stacks.
sandboxed() {
    "$progs/survive_seccomp" "$1" >plain
    rm -f -- *.alloc
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$progs/survive_seccomp" "$1" >recorded
    dump=$(only_dump)
    check_expected "$dump" recorded
    report "$dump"
    same losses "$(inspect '{k: v for k, v in report["losses"].items() if v and k != "unwind"}')" "{}"
}

@test "strict mode: known stacks and new ones are counted without a system call" {
    sandboxed strict
    same polls "$(value polls.count)" 3
}

@test "a filter that kills at openat, mmap, futex and more, by libc's syscall" {
    sandboxed kill
    same polls "$(value polls.count)" 4
}

@test "a filter that answers with an error, by prctl, after one that was refused" {
    sandboxed errno
    same polls "$(value polls.count)" 4
}
