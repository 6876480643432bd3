#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Programs that make processes, in each way there is, and processes of each kind: each that polls
# has a dump of its own with its own counts, and all end as without the recorder.

load helpers

many=$(full 24 200)

# without_numbers: lines of standard input, without process numbers.
without_numbers() {
    sed 's/^expect: [0-9]* //' | sort
}

# processes DUMPS PROGRAM [ARGUMENT ...]: the same is printed with and without the recorder, so
# many dumps are left, and each of them has what its process said. The recorder says nothing, or one
# line that begins with the word `processes_said`.
processes() {
    local wanted=$1
    shift
    "$@" | without_numbers >plain
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$@" >recorded 2>messages
    without_numbers <recorded | diff plain -
    same messages "$(sed 's/ .*//' messages)" "${processes_said-}"
    same dumps "$(find . -name '*.alloc*' | wc -l)" "$wanted"
    for dump in *.alloc*; do
        check_expected "$dump" recorded
        report "$dump"
        same "losses of $dump" "$(inspect '{k: v for k, v in report["losses"].items() if v}')" "{}"
    done
}

# polls: of each dump, in order.
polls() {
    for dump in *.alloc*; do
        report "$dump"
        value polls.count
    done | sort -n | paste -sd ' '
}

@test "a child by the bare system call clone, by _Fork, by posix_spawn" {
    local how
    for how in raw _Fork spawn; do
        rm -f -- *.alloc
        processes 2 "$progs/survive_processes" "$how"
        same "$how: polls" "$(polls)" "8 8"
    done
}

@test "many children at once, each of which polls" {
    processes $((many + 1)) "$progs/survive_processes" children "$many"
    same "polls of all" "$(polls | tr ' ' '\n' | awk '{ sum += $1 } END { print sum }')" \
        "$(awk -v n="$many" 'BEGIN { for (i = 0; i < n; i++) sum += 3 + i % 5; print sum + 8 }')"
    same "left behind" "$(ls "$XDG_RUNTIME_DIR")" ""
}

@test "a chain of programs that replace each other in one process: a dump of each" {
    "$progs/survive_processes" chain 11 | without_numbers >plain
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_OUT=dump.alloc \
        "$progs/survive_processes" chain 11 2>&1 | without_numbers | diff plain -
    local number suffix=
    for ((number = 12; number > 0; number--)); do
        report "dump.alloc$suffix"
        sites "dump.alloc$suffix"
        same "$number: what it is" "$(value polls.count) $(value program.state) $(inspect \
            '[sum(s[key] for s in sites if stands("child_makes", s))
              for key in ("allocations", "bytes", "frees")]')" \
            "4 $([ "$number" = 1 ] && echo ended || echo "replaced by another program") [$number, $((50 * number)), $number]"
        suffix=.$((13 - number))
    done
    same dumps "$(find . -name '*.alloc*' | wc -l)" 12
}

@test "a child whose environment is empty is not recorded, and its parent is" {
    processes 1 "$progs/survive_processes" bare
    same "polls" "$(polls)" 8
}

@test "a daemon: two forks, no descriptor left, another directory" {
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$progs/survive_processes" daemon >recorded
    for ((i = 0; i < 200; i++)); do
        [ "$(grep -c '^expect: ' recorded)" = 2 ] && compgen -G '*.alloc' >/dev/null && [ ! -L "$(only_dump)" ] && break
        sleep 0.05
    done
    dump=$(only_dump)
    check_expected "$dump" recorded
    report "$dump"
    same polls "$(value polls.count)" 7
}

@test "a program that enters a user namespace, which a second thread would forbid" {
    processes 1 "$progs/survive_processes" user
    same polls "$(polls)" 8
    same "with and without" "$(sort -u plain | grep -c namespace)" 1
}

@test "a program that gives up root's rights" {
    [ "$(id -u)" = 0 ] || skip "it has none to give up"
    # It may not write here any more: the dump stays where it was, and one line says so.
    processes_said=allocreport: processes 1 "$progs/survive_processes" drop
    grep -q 'the dump stays in memory, behind its link: .*: permission denied$' messages
    same polls "$(polls)" 8
    same "the dump, which was read" "$(stat -c %F "$(only_dump)")" "regular file"
}

@test "a child that is stopped at each of its system calls" {
    processes 2 "$progs/survive_processes" traced
    same polls "$(polls)" "8 8"
}

@test "under gdb" {
    gdb -q -batch -nx -ex "set exec-wrapper env LD_PRELOAD=$recorder ALLOCREPORT_QUIET=1" \
        -ex 'break exit' -ex run -ex 'call (void *)malloc(77)' -ex continue \
        --args "$progs/survive_processes" successor >gdb.out 2>&1 </dev/null
    grep -a '^expect: ' gdb.out >recorded
    grep -qa 'exited normally' gdb.out
    dump=$(only_dump)
    check_expected "$dump" recorded
    report "$dump"
    same polls "$(value polls.count)" 8
}

@test "gdb comes to a program that runs, and goes" {
    start ALLOCREPORT_OUT=dump.alloc "$progs/survive_quiet" wait
    while kill -0 "$pid" && [ ! -e polled ]; do sleep 0.05; done
    gdb -q -batch -nx -p "$pid" -ex 'call (void *)malloc(4321)' -ex detach >gdb.out 2>&1 </dev/null
    # shellcheck disable=SC2016 # gdb's
    grep -q '^\$1 = (void \*) 0x' gdb.out || skip "this user may not trace: $(tail -n 1 gdb.out)"
    touch go
    wait "$pid"
    check_counted dump.alloc
    sites dump.alloc
    same "gdb's block" "$(inspect '[(s["allocations"], s["live_blocks"]) for s in sites
        if s["bytes"] == 4321]')" "[(1, 1)]"
}

# Valgrind puts its own malloc in the place of each that it finds, the recorder's too.
@test "under valgrind: counted where it leaves the recorder's malloc alone, else said" {
    LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 valgrind -q --error-exitcode=99 \
        --soname-synonyms=somalloc=nouserintercepts "$progs/survive_processes" successor >recorded
    dump=$(only_dump)
    check_expected "$dump" recorded
    report "$dump"
    same polls "$(value polls.count)" 8
    rm "$dump"
    LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 valgrind -q --error-exitcode=99 \
        "$progs/survive_processes" successor >recorded
    run -4 "$allocreport" report "$(only_dump)"
    grep -q '^polls  *8 by SDL_PollEvent' <<<"$output"
    grep -q 'not one allocation was seen' <<<"$output"
    rm "$(only_dump)"
}

# sanitised SANITIZER LIBRARY ENVIRONMENT ...: the program, built with it, ends as without the
# recorder, and has its counts.
sanitised() {
    local kind=$1
    shift
    # shellcheck disable=SC2046 # flags are words
    cc -O1 -g -fno-builtin -fno-optimize-sibling-calls "-fsanitize=$kind" -o "$kind" -I"$root" \
        -D_GNU_SOURCE $(pkg-config --cflags sdl2) "$root/tests/progs/survive_processes.c" \
        $(pkg-config --libs sdl2)
    env "$@" "./$kind" successor | without_numbers >plain
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$@" "./$kind" successor >recorded
    without_numbers <recorded | diff plain -
}

@test "programs that are built with sanitizers" {
    sanitised address ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
    dump=$(only_dump)
    check_expected "$dump" recorded
    rm "$dump"
    sanitised undefined
    check_expected "$(only_dump)" recorded
}

@test "programs that nothing can be loaded into: static, static-pie" {
    local flag
    for flag in -static -static-pie; do
        cc -O1 -o "still$flag" "$flag" -I"$root" -D_GNU_SOURCE "$root/tests/progs/survive_secure.c"
        same "$flag" "$(LD_PRELOAD=$recorder ALLOCREPORT_ALWAYS=1 "./still$flag" 2>&1)" "secure: 0"
        no_dumps
        run -4 --separate-stderr "$allocreport" run "./still$flag"
        grep -q static <<<"$stderr"
    done
}
