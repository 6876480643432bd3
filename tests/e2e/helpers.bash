# SPDX-License-Identifier: MIT
# helpers.bash: what the bats files share. A file says `load helpers`; each test then runs in an
# empty directory of its own, and every dump that it leaves there is checked for consistency.
# shellcheck shell=bash disable=SC2034 # the bats files use what is set here

bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${ALLOCREPORT_BUILD:-$root/build/release}
recorder=$build/liballocreport.so
allocreport=$build/allocreport
counter=$build/progs/count_preload.so
progs=$build/progs
examples=$build/examples
games=/usr/games

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS DEBUGINFOD_URLS NO_COLOR
    export HOME=$BATS_TEST_TMPDIR/home XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/home/run LC_ALL=C.UTF-8
    export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
    mkdir -p "$XDG_RUNTIME_DIR"
    chmod 700 "$XDG_RUNTIME_DIR"
}

teardown() {
    [ -z "${pid-}" ] || kill -KILL "$pid" 2>/dev/null || :
    check_dumps
}

# record [NAME=VALUE ...] PROGRAM [ARGUMENT ...]: under the recorder, with the counter behind it.
record() {
    env LD_PRELOAD="$recorder $counter" COUNT_OUT="$PWD/count.%p" ALLOCREPORT_QUIET=1 "$@"
}

# start [NAME=VALUE ...] PROGRAM [ARGUMENT ...]: the same in the background; sets pid.
start() {
    env LD_PRELOAD="$recorder $counter" COUNT_OUT="$PWD/count.%p" ALLOCREPORT_QUIET=1 "$@" \
        </dev/null 3>&- &
    pid=$!
}

look() {
    python3 "$root/tests/e2e/look.py" "$@"
}

# the_one FILE ...: its name, if it is one and exists.
the_one() {
    if [ $# != 1 ] || [ ! -e "$1" ]; then
        echo "not one dump:" >&2
        ls -l >&2
        return 1
    fi
    echo "$1"
}

# dump_of PID [SUFFIX]: the one dump of that process.
dump_of() {
    local found=(*."$1".alloc"${2-}")
    the_one "${found[@]}"
}

# only_dump: the one dump in the directory.
only_dump() {
    local found=(*.alloc)
    the_one "${found[@]}"
}

no_dumps() {
    if compgen -G '*.alloc*' >/dev/null; then
        ls -l >&2
        return 1
    fi
}

# report DUMP, sites DUMP: leave report.json, sites.json.
report() {
    "$allocreport" report --json "$1" >report.json
}
sites() {
    "$allocreport" sites --json "$1" >sites.json
}

# value PATH: of report.json.
value() {
    look field report.json "$1"
}

# inspect EXPRESSION: of report.json and sites.json, in Python.
inspect() {
    look value "$1"
}

# same WHAT SEEN WANTED
same() {
    [ "$2" = "$3" ] || { echo "$1 is $2, should be $3" >&2; return 1; }
}

# survives STATUS COMMAND ...: it ends with that status and prints the same with and without the
# recorder, process numbers apart; leaves plain, recorded and what stood on standard error, .err.
survives() {
    local wanted=$1 status=0
    shift
    "$@" >plain 2>plain.err || status=$?
    same "the status without the recorder" "$status" "$wanted"
    status=0
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$@" >recorded 2>recorded.err || status=$?
    same "the status" "$status" "$wanted" || { cat recorded recorded.err >&2; return 1; }
    diff <(sed 's/^expect: [0-9]* //' plain) <(sed 's/^expect: [0-9]* //' recorded)
}

# lossless DUMP: its sites are what `recorded` says, and nothing was lost but ends of stacks.
lossless() {
    check_expected "$1" recorded
    report "$1"
    same "losses of $1" "$(inspect '{k: v for k, v in report["losses"].items() if v and k != "unwind"}')" "{}"
}

# full SMALL FULL: the size of a test: SMALL, but FULL in `make survive FULL=1`.
full() {
    if [ "${ALLOCREPORT_FULL-}" = 1 ]; then echo "$2"; else echo "$1"; fi
}

# check_counted DUMP: the totals equal what the counter saw in that process.
check_counted() {
    report "$1" || return
    look counted report.json "count.$(value program.pid)" >&2
}

# check_expected DUMP LINES: the sites are what the program said.
check_expected() {
    sites "$1" || return
    look expected sites.json "$2" >&2
}

# check_dumps: each dump here adds up, by the reporter's own check and by the tests'.
check_dumps() {
    local dump
    for dump in *.alloc *.alloc.[0-9]*; do
        [ -f "$dump" ] || continue
        "$allocreport" info --json "$dump" >health.json || return
        same "$dump: health.sums_agree" "$(look field health.json health.sums_agree)" true || {
            look field health.json health.wrong >&2
            return 1
        }
        report "$dump" && sites "$dump" || return
        look sums report.json sites.json >&2 || { echo "in $dump" >&2; return 1; }
    done
}
