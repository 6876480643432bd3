#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What is private stays so: who may read a dump, what stands in it, what is asked of the network.

load helpers

@test "the dump is its owner's alone while it is live, and when it has settled" {
    umask 0
    start ALLOCREPORT_OUT=dump.alloc "$progs/ends" wait >recorded
    while kill -0 "$pid" && [ ! -s recorded ]; do sleep 0.05; done
    same "the live file's mode" "$(stat -L -c %a dump.alloc)" 600
    kill -KILL "$pid"
    wait "$pid" || :
    same "polls" "$(report dump.alloc && value polls.count)" 12
    same "the dump's mode" "$(stat -c '%a %F' dump.alloc)" "600 regular file"
}

@test "arguments are kept out on request, by the recorder's option and by run's" {
    record ALLOCREPORT_OUT=with.alloc "$progs/survive_quiet" --password=hunter2
    grep -q hunter2 with.alloc
    record ALLOCREPORT_OUT=without.alloc ALLOCREPORT_ARGUMENTS=0 "$progs/survive_quiet" --password=hunter2
    [ -f without.alloc ]
    ! grep -q hunter2 without.alloc || return 1
    "$allocreport" run --no-arguments -o run.alloc -- "$progs/survive_quiet" --password=hunter2 >out
    [ -f run.alloc ]
    ! grep -q hunter2 run.alloc out || return 1
    same "the first line" "$(head -n 1 out)" survive_quiet
}

@test "in a directory that all may write to, planted names are neither followed nor written over" {
    mkdir shared
    chmod 1777 shared
    echo mine >victim
    ln -s "$PWD/victim" shared/dump.alloc
    ln -s "$PWD/not-there" shared/dump.alloc.1
    ln "$PWD/victim" shared/dump.alloc.2
    local direct
    for direct in 0 1; do
        record ALLOCREPORT_OUT="$PWD/shared/dump.alloc" ALLOCREPORT_DIRECT="$direct" "$progs/ends" >recorded
        same victim "$(cat victim)" mine
        [ ! -e not-there ]
        same "the dump" "$(stat -c %F shared/dump.alloc.3)" "regular file"
        check_expected shared/dump.alloc.3 recorded
        rm shared/dump.alloc.3
    done
}

# What stands beside the link at a program's end is not followed either.
@test "a planted name for the file that takes the link's place" {
    echo mine >victim
    start ALLOCREPORT_OUT=dump.alloc "$progs/survive_quiet" wait
    while kill -0 "$pid" && [ ! -e polled ]; do sleep 0.05; done
    ln -s victim dump.alloc.part
    [ -L dump.alloc ] || skip "the dump's directory is on a tmpfs itself"
    touch go
    wait "$pid"
    same victim "$(cat victim)" mine
    rm dump.alloc.part
    report dump.alloc
    same polls "$(value polls.count)" 5
    same "the dump" "$(stat -c %F dump.alloc)" "regular file"
}

@test "a program with its owner's rights is not recorded" {
    local group
    cc -O1 -o secure -I"$root" -D_GNU_SOURCE "$root/tests/progs/survive_secure.c" \
        -Wl,--no-as-needed "$recorder" -Wl,-rpath,"$(dirname "$(realpath "$recorder")")"
    same "without" "$(ALLOCREPORT_ALWAYS=1 ./secure)" "secure: 0"
    rm "$(only_dump)"
    for group in $(id -G) 65534; do
        [ "$group" = "$(id -g)" ] || chgrp "$group" secure 2>/dev/null || continue
        [ "$group" != "$(id -g)" ] && break
    done
    chmod g+s secure
    [ "$(./secure)" = "secure: 1" ] || skip "no program can be given another group's rights here"
    same "with" "$(ALLOCREPORT_ALWAYS=1 ./secure 2>&1)" "secure: 1"
    no_dumps
}

# asked [NAME=VALUE ...]: how many connections a report makes to the server of DEBUGINFOD_URLS.
asked() {
    rm -rf cache
    mkdir cache
    strace -f -qq -e trace=connect -o calls env HOME="$PWD/cache" \
        DEBUGINFOD_URLS=http://127.0.0.1:9 "$@" "$allocreport" report dump.alloc >out
    grep -c 'htons(9)' calls || :
}

@test "debuginfod is asked only when the user says so, whatever the machine has set" {
    ldconfig -p | grep -q 'libdebuginfod\.so\.1'
    strip -o stripped "$progs/ends"
    record ALLOCREPORT_OUT=dump.alloc ./stripped >recorded
    same "asked, not configured" "$(asked DEBUGINFOD_URLS=http://127.0.0.1:9)" 0
    same "asked, turned off" "$(asked ALLOCREPORT_DEBUGINFOD=0)" 0
    [ "$(asked ALLOCREPORT_DEBUGINFOD=1)" -gt 0 ]
}
