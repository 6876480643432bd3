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
    if [ "${2-}" = running ]; then return; fi
    kill -KILL "$pid"
    wait "$pid" || :
}

# report_other: the reporter is asked for a dump that has nothing to do with them.
report_other() {
    cp "$root/tests/dumps/example.alloc" other.dump
    "$allocreport" report other.dump >/dev/null
}

hour=3700
day=90000

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
    local tmpfs=${live%/*} other=${live%.alloc}1.alloc
    "$progs/survive_age" "$live" "$day"
    cp -p "$live" "$other"
    chmod 644 "$other"
    ln "$live" "$live.second"
    echo 'no dump' >"$tmpfs/allocreport-1-$BASHPID.alloc"
    chmod 600 "$tmpfs/allocreport-1-$BASHPID.alloc"
    report_other
    [ -e "$live" ]
    [ -e "$other" ]
    [ -e "$tmpfs/allocreport-1-$BASHPID.alloc" ]
    rm "$live.second"
    report_other
    [ ! -e "$live" ]
    [ -e "$other" ]
    rm "$other" "$tmpfs/allocreport-1-$BASHPID.alloc"
}
