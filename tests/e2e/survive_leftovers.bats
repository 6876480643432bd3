#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What killed programs leave on a tmpfs: the reporter brings it to its place, and removes what
# nobody can reach any more; it touches nothing else.

load helpers

# leave NAME: a program is killed that had its dump at NAME; `live` is the file on the tmpfs.
leave() {
    start ALLOCREPORT_OUT="$1" "$progs/ends" wait >recorded
    while kill -0 "$pid" && [ ! -s recorded ]; do sleep 0.05; done
    [ -L "$1" ] || skip "no tmpfs is at hand, or the tests stand on one"
    live=$(readlink "$1")
    tmpfs=${live%/*}
    if [ "${2-}" = running ]; then return; fi
    kill -KILL "$pid"
    wait "$pid" || :
}

# sweep: removes the live files of the program of this test, which bear its process number, and what
# the test made beside them.
sweep() {
    [ -z "${pid-}" ] || rm -f {"$XDG_RUNTIME_DIR",/dev/shm}/allocreport-"$pid"-*.alloc*
}

# Also when it is interrupted, and then at once: who interrupts may not wait.
teardown() {
    if [ -n "${halted-}" ]; then
        kill -TERM -- -"$halted" 2>/dev/null || :
        wait "$halted" || :
    elif [ -n "${pid-}" ]; then
        kill -KILL "$pid" 2>/dev/null || :
        wait "$pid" 2>/dev/null || :
        sweep
    fi
    check_dumps
}

# report_other: the reporter is asked for a dump that has nothing to do with them.
report_other() {
    cp "$root/tests/dumps/example.alloc" other.dump
    "$allocreport" report other.dump >/dev/null
}

# bare PID [MADE] [BYTES]: a file that process PID would have made MADE ago (date's words), with so
# many bytes of zeros and no header, beside the files that are left.
bare() {
    bare=$tmpfs/allocreport-$1-$((++bares)).alloc
    (umask 077 && truncate -s "${3-0}" "$bare")
    touch -d "${2-2 hours} ago" "$bare"
}

hour=3700
day=90000
bares=0

@test "read: it takes its link's place at once" {
    leave dump.alloc
    report dump.alloc
    same polls "$(value polls.count)" 12
    same "the dump" "$(stat -c '%F %a' dump.alloc)" "regular file 600"
    [ ! -e "$live" ]
}

@test "not read: it stays for an hour, and then takes its place when any dump is read" {
    leave dump.alloc
    report_other
    [ -L dump.alloc ]
    "$progs/survive_age" "$live" "$hour"
    report_other
    same "the dump" "$(stat -c '%F %a' dump.alloc)" "regular file 600"
    [ ! -e "$live" ]
    check_counted dump.alloc
    check_expected dump.alloc recorded
}

@test "its link is gone: it stays for a day, and is removed then" {
    leave dump.alloc
    rm dump.alloc
    "$progs/survive_age" "$live" "$hour"
    report_other
    [ -e "$live" ]
    "$progs/survive_age" "$live" "$day"
    report_other
    [ ! -e "$live" ]
    no_dumps
}

@test "another file is where its link was: that stays as it is" {
    leave dump.alloc
    rm dump.alloc
    echo mine >dump.alloc
    "$progs/survive_age" "$live" "$hour"
    report_other
    [ -e "$live" ]
    same dump.alloc "$(cat dump.alloc)" mine
    "$progs/survive_age" "$live" "$day"
    report_other
    [ ! -e "$live" ]
    same dump.alloc "$(cat dump.alloc)" mine
    rm dump.alloc
}

@test "its directory is gone: it may come back, as a disk does, and the dump stays" {
    mkdir away
    leave away/dump.alloc
    mv away elsewhere
    "$progs/survive_age" "$live" "$day"
    report_other
    [ -e "$live" ]
    mv elsewhere away
    report_other
    same "the dump" "$(stat -c %F away/dump.alloc)" "regular file"
    [ ! -e "$live" ]
}

@test "its directory is gone for seven days: it is removed" {
    mkdir away
    leave away/dump.alloc
    rm -r away
    "$progs/survive_age" "$live" $((6 * day))
    report_other
    [ -e "$live" ]
    "$progs/survive_age" "$live" $((7 * day))
    report_other
    [ ! -e "$live" ]
}

@test "it cannot be told whether its directory is gone: it stays" {
    mkdir away
    leave away/dump.alloc
    rm -r away
    ln -s away away
    "$progs/survive_age" "$live" $((8 * day))
    report_other
    [ -e "$live" ]
    rm away "$live"
}

@test "no header yet, and its program is gone: it stays for an hour, and is removed then" {
    leave dump.alloc
    local gone=$pid old zeros young written
    bare "$gone" "50 minutes"
    young=$bare
    bare "$gone"
    old=$bare
    bare "$gone" "2 hours" 65536
    zeros=$bare
    bare "$gone" "2 hours" 65536
    written=$bare
    printf x | dd of="$written" bs=1 seek=4000 conv=notrunc status=none
    touch -d "2 hours ago" "$written"
    report_other
    [ -e "$young" ]
    [ ! -e "$old" ]
    [ ! -e "$zeros" ]
    [ -e "$written" ]
}

@test "no header yet, and its program's number is another process's by now: it is removed" {
    leave dump.alloc running
    bare "$pid"
    report_other
    [ ! -e "$bare" ]
    [ -e "$live" ]
}

# To the reporter it is two hours later than it is.
@test "no header yet, and its program runs: it stays, however old" {
    leave dump.alloc running
    bare "$pid" "1 second"
    LD_PRELOAD=$progs/survive_later.so LATER=7200 report_other
    [ -e "$bare" ]
    kill -KILL "$pid"
    wait "$pid" || :
    report_other
    [ -e "$bare" ]
    LD_PRELOAD=$progs/survive_later.so LATER=7200 report_other
    [ ! -e "$bare" ]
}

@test "no header yet, shared, linked twice, or of another user: it is left alone" {
    leave dump.alloc
    local gone=$pid shared linked
    bare "$gone"
    shared=$bare
    chmod 640 "$shared"
    bare "$gone"
    linked=$bare
    ln "$linked" "$linked.second"
    report_other
    [ -e "$shared" ]
    [ -e "$linked" ]
    if [ "$(id -u)" = 0 ]; then
        bare "$gone"
        chown 65534 "$bare"
        report_other
        [ -e "$bare" ]
    fi
}

# As one of another namespace does, whose number says nothing here.
@test "no header yet, and some process has it open: it stays" {
    leave dump.alloc
    bare "$pid"
    exec 7<>"$bare"
    report_other
    [ -e "$bare" ]
    exec 7>&-
    report_other
    [ ! -e "$bare" ]
}

@test "its program runs: it stays, however old" {
    leave dump.alloc running
    "$progs/survive_age" "$live" "$day"
    report_other
    report dump.alloc
    same program.state "$(value program.state)" running
    [ -L dump.alloc ]
    [ -e "$live" ]
    rm dump.alloc
    report_other
    [ -e "$live" ]
    kill -KILL "$pid"
    wait "$pid" || :
    rm "$live"
}

# A process of another namespace cannot be seen from here, even if it runs.
@test "its program was in another namespace: it stays, also when it is read" {
    leave dump.alloc
    sed -i 's/pid:\[[0-9]/pid:[x/' "$live"
    "$progs/survive_age" "$live" "$day"
    report_other
    report dump.alloc
    same polls "$(value polls.count)" 12
    [ -L dump.alloc ]
    [ -e "$live" ]
    mv dump.alloc moved
    report_other
    [ -e "$live" ]
    rm moved "$live"
}

@test "files of the same kind of name that are no dumps, shared or linked twice, are left alone" {
    leave dump.alloc
    rm dump.alloc
    local other=${live%.alloc}1.alloc
    "$progs/survive_age" "$live" "$day"
    cp -p "$live" "$other"
    chmod 644 "$other"
    ln "$live" "$live.second"
    echo 'no dump' >"$tmpfs/allocreport-$pid-1.alloc"
    chmod 600 "$tmpfs/allocreport-$pid-1.alloc"
    report_other
    [ -e "$live" ]
    [ -e "$other" ]
    [ -e "$tmpfs/allocreport-$pid-1.alloc" ]
    rm "$live.second"
    report_other
    [ ! -e "$live" ]
    [ -e "$other" ]
    rm "$other" "$tmpfs/allocreport-$pid-1.alloc"
}

# interrupt SIGNAL: a test of this file is sent it while a dump is left; the dump's live file goes to `left`.
interrupt() {
    rm -f seen
    ALLOCREPORT_BUILD=$PWD/halted env -u BATS_RUN_TMPDIR --default-signal=INT setsid \
        bats --filter '^not read' "$BATS_TEST_FILENAME" >interrupted 2>&1 3>&- &
    halted=$!
    while kill -0 "$halted" && [ ! -s seen ]; do sleep 0.05; done
    left=$(sed -n 's/.*-> //p' seen)
    [ -e "$left" ]
    kill -"$1" -- -"$halted"
    wait "$halted" || :
}

# There the reporter says that it has been reached, and waits.
@test "these tests leave nothing when they are interrupted" {
    local left signal
    mkdir halted
    ln -s "$build"/* halted
    rm halted/allocreport
    printf '#!/bin/sh\nls -l *.alloc >"%s/seen"\nsleep 20\n' "$PWD" >halted/allocreport
    chmod +x halted/allocreport
    for signal in INT TERM; do
        interrupt "$signal"
        [ ! -e "$left" ] || { cat interrupted; rm "$left"; return 1; }
    done
}
