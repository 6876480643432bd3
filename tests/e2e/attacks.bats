#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Programs that attack what the recorder does to be fast: the stacks that it recognises without
# walking them, the table of live blocks without locks, threads' states that are taken over, the
# dump that is whole at every instant.

load helpers

compilers=${ALLOCREPORT_COMPILERS:-$(for c in gcc clang; do command -v "$c" || :; done)}
jemalloc=$(ldconfig -p | sed -n 's/.*libjemalloc\.so\.2.*=> //p' | head -n 1)

# attacked PROGRAM [ARGUMENT ...]: recorded, and checked by itself too, its functions have just the
# counts that it says, no stack was recognised wrongly, and nothing was lost but ends of stacks that
# no table describes. `behind` is what is loaded behind the recorder.
attacked() {
    local verify
    for verify in 0 1; do
        rm -f -- *.alloc
        env LD_PRELOAD="$recorder ${behind-}" ALLOCREPORT_VERIFY="$verify" ALLOCREPORT_QUIET=1 \
            ALLOCREPORT_ALWAYS=1 "$@" >recorded
        dump=$(only_dump)
        check_expected "$dump" recorded
        report "$dump"
        same "losses with verify=$verify" "$(inspect '{k: v for k, v in report["losses"].items()
            if v and k != "unwind"}')" "{}"
    done
}

# build COMPILER FLAGS NAME: the attack in other words of the compiler, as ./NAME.
build() {
    # shellcheck disable=SC2046,SC2086 # flags are words
    "$1" -std=gnu11 -I"$root" -D_GNU_SOURCE -Wall -Wextra -g -fno-builtin $2 -o "$3" \
        "$root/tests/progs/attack_$3.c" -pthread
}

# in_other_words NAME FLAGS ... -- COMMAND ...: the command for each compiler and word of flags.
in_other_words() {
    local name=$1 compiler flags variants=()
    shift
    while [ "$1" != -- ]; do variants+=("$1"); shift; done
    shift
    [ -n "$compilers" ]
    for compiler in $compilers; do
        for flags in "${variants[@]}"; do
            echo "$compiler $flags" >&2
            build "$compiler" "$flags" "$name"
            "$@"
        done
    done
}

# Each stack, frame by frame, is one of the paths that the program took.
walks() {
    local verify
    for verify in 0 1; do
        rm -f -- *.alloc
        env LD_PRELOAD="$recorder" ALLOCREPORT_VERIFY="$verify" ALLOCREPORT_QUIET=1 \
            ALLOCREPORT_ALWAYS=1 "$@" >recorded
        dump=$(only_dump)
        sites "$dump"
        report "$dump"
        python3 "$root/tests/e2e/attack_paths.py" sites.json recorded >&2
        same losses.verify "$(value losses.verify)" 0
    done
}

@test "rooms that make up for each other, realigned frames, jumps: each path is what it was" {
    walks "$progs/attack_walks" 400 150 1
    walks "$progs/attack_walks" 1500 20 2
}

@test "the same, compiled with and without frame pointers, by each compiler" {
    in_other_words walks '-O0' '-O2 -fomit-frame-pointer' '-O2 -fno-omit-frame-pointer' \
        '-O3 -mavx2' -- walks ./walks 300 60
}

@test "the same inner frames at the same height behind other callers; too deep to be kept" {
    attacked "$progs/attack_callers"
    same "sites of what is too deep" "$(inspect 'sum(stands("bottom_makes", s) for s in sites)')" 1
    in_other_words callers '-O2 -fomit-frame-pointer' '-O2 -fno-omit-frame-pointer' -- \
        attacked ./callers
}

@test "code without unwind tables, with frame pointers: whole stacks" {
    in_other_words callers \
        '-O2 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables' -- \
        attacked ./callers
}

# The innermost function alone is known then.
frameless() {
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_ALWAYS=1 ./callers | grep makes >recorded
    dump=$(only_dump)
    check_expected "$dump" recorded
    report "$dump"
    same "notes of where the stacks end" "$(inspect 'sum("of them in callers, where code seems" in n["text"]
        for n in report["notes"])')" 1
    rm "$dump"
}

@test "code without unwind tables and without frame pointers: the allocating function" {
    in_other_words callers \
        '-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables' -- frameless
}

@test "coroutines on stacks from the heap, on mapped ones of changing sizes, longjmp" {
    attacked "$progs/attack_stacks" heap
    same "stacks that end early" "$(inspect 'report["losses"]["unwind"]')" 0
    attacked "$progs/attack_stacks" ended
    attacked "$progs/attack_stacks" mapped
    attacked "$progs/attack_stacks" jumps
}

@test "a stack that has become shorter since" {
    attacked "$progs/attack_stacks" shrunk
    attacked "$progs/attack_stacks" replaced
}

@test "exceptions through frames that allocate on their way" {
    attacked "$progs/attack_throws"
}

@test "operator new of an allocator behind, from frames that only the frame pointer tells" {
    [ -n "$jemalloc" ]
    attacked "$progs/attack_new"
    same "stacks that end early" "$(inspect 'report["losses"]["unwind"]')" 0
    behind=$jemalloc attacked "$progs/attack_new"
    same "the same with an allocator behind" "$(inspect 'report["losses"]["unwind"]')" 0
}

@test "machine code made at run time" {
    attacked "$progs/attack_code" kinds
    same "notes of where the stacks end" "$(inspect 'sum("of them in no module: code made" in n["text"]
        for n in report["notes"])')" 1
}

@test "machine code whose frame pointer points to where a stack was" {
    attacked "$progs/attack_code" guarded
    attacked "$progs/attack_code" mapped
}

@test "a plugin where machine code was" {
    attacked "$progs/attack_code" replaced "$progs/plugin_first.so"
    grep -qx 'at the same address: yes' recorded
}

@test "another plugin at the same address, when the first one's stacks are well known" {
    attacked "$progs/attack_unload" names "$progs/plugin_first.so" "$progs/plugin_second.so"
    grep -qx 'at the same address: yes' recorded
    attacked "$progs/attack_unload" threads "$progs/plugin_first.so" "$progs/plugin_second.so"
    attacked "$progs/attack_unload" pointer "$progs/plugin_first.so" "$progs/plugin_second.so"
    grep -qx 'at the same address: yes' recorded
}

@test "another plugin of the same name at the same address" {
    attacked "$progs/attack_unload" rebuilt "$progs/plugin_first.so" "$progs/plugin_second.so"
    grep -qx 'at the same address: yes' recorded
}

@test "blocks of all kinds, none left at the end, by two allocators" {
    attacked "$progs/attack_blocks"
    [ -n "$jemalloc" ]
    behind=$jemalloc attacked "$progs/attack_blocks"
}

@test "jemalloc behind: stacks, threads, exceptions" {
    [ -n "$jemalloc" ]
    behind=$jemalloc attacked "$progs/attack_callers"
    behind=$jemalloc attacked "$progs/attack_threads" churn 1000
    behind=$jemalloc attacked "$progs/attack_throws"
    same "the allocator" "$("$allocreport" info --json "$dump" >info.json &&
        look field info.json allocator)" "$jemalloc"
}

@test "10,000 threads (in full: 100,000), one after the other" {
    attacked "$progs/attack_threads" churn "$(full 10000 100000)"
    "$allocreport" info --json "$dump" >info.json
    [ "$(stat -c %s "$dump")" -lt 2000000 ]
}

@test "threads with the least stack there is" {
    attacked "$progs/attack_threads" small 50
}

# forked VERIFY: each child's dump has what the child says, the parent's what the parent says.
forked() {
    env LD_PRELOAD="$recorder" ALLOCREPORT_VERIFY="$1" ALLOCREPORT_QUIET=1 \
        "$progs/attack_threads" fork 6 >recorded
    same "dumps" "$(compgen -G '*.alloc' | wc -l)" 7
    for dump in *.alloc; do
        check_expected "$dump" recorded
        report "$dump"
        same "losses of $dump" "$(inspect '{k: v for k, v in report["losses"].items() if v}')" "{}"
    done
}

@test "children made while four threads' stacks are well known" {
    forked 0
}

@test "children made while four threads check their stacks" {
    forked 1
}

# Handlers' blocks are counted, or lost and counted as lost; nothing is lost in silence.
interrupted() {
    rm -f -- *.alloc
    env LD_PRELOAD="$recorder $PWD/safe.so" ALLOCREPORT_QUIET=1 ALLOCREPORT_ALWAYS=1 \
        "$progs/attack_signals" "$1" 4000 >recorded
    dump=$(only_dump)
    report "$dump"
    sites "$dump"
    same losses "$(inspect '{k: v for k, v in report["losses"].items() if v}')" "{}"
    wanted=$(sed -n 's/^handler_blocks: //p' recorded)
    same "the handlers' blocks" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("handler_makes", s))')" "$wanted"
    same "the interrupted blocks" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("interrupted_makes", s) and not stands("handler_makes", s))')" \
        "$(sed -n 's/^interrupted_blocks: //p' recorded)"
    same "live blocks" "$(inspect 'sum(s["live_blocks"] for s in sites
        if stands("handler_makes", s) or stands("interrupted_makes", s))')" 0
}

@test "a storm of signals whose handlers allocate" {
    cc -O2 -g -fPIC -shared -fno-builtin -Wall -Wextra -o safe.so \
        "$root/tests/progs/attack_safe_plugin.c"
    interrupted ordinary
    interrupted alternate
}

# calls_of N: the system calls that five threads made between their marks, each N allocations and
# one of them N polls.
calls_of() {
    strace -f -o trace env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 \
        "$progs/attack_threads" warm "$1" >recorded
    dump=$(only_dump)
    check_expected "$dump" recorded
    rm "$dump"
    same "marks" "$(grep -c 'getsid(' trace)" 10
    awk '/getsid\(/ { inside[$1] = !inside[$1]; next }
        inside[$1] && !/ resumed>/ { sub(/\(.*/, "", $2); print $2 }' trace >calls
    # The one that is made now and then, so many times a second at most.
    [ "$(grep -c '^getrusage$' calls)" -lt $(($1 / 100)) ]
    grep -v '^getrusage$' calls || :
}

@test "known stacks and polls make no system call, however many there are" {
    same "system calls" "$(calls_of 20000)" ""
    same "system calls" "$(calls_of 40000)" ""
}

@test "killed at 50 instants (in full: 500): each dump is whole, and holds what was done" {
    python3 "$root/tests/e2e/attack_kill.py" "$build" "$(full 50 500)" 1 >&2
    no_dumps
}
