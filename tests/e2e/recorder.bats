#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What the recorder counts, in small programs that know what they allocate.

load helpers

# counts PROGRAM [ARGUMENT ...]: the program does the same with and without the recorder, and what it
# says about its functions is what was recorded, and all of it what the counter saw.
counts() {
    "$@" >plain 2>plain.err
    record ALLOCREPORT_ALWAYS=1 "$@" >recorded 2>recorded.err
    diff <(sed 's/^expect: [0-9]* //' plain) <(sed 's/^expect: [0-9]* //' recorded)
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
}

@test "each function of the malloc family, and what it does when it fails" {
    counts "$progs/family"
    same "standard error" "$(cat recorded.err)" "free_sized: there, free_aligned_sized: there"
    same "losses.unknown" "$(value losses.unknown)" 0
    rm "$dump"
    # Without a counter behind: libc's own reallocarray calls realloc by name.
    env LD_PRELOAD="$recorder" ALLOCREPORT_ALWAYS=1 ALLOCREPORT_QUIET=1 "$progs/family" >recorded
    check_expected "$(only_dump)" recorded
}

@test "operator new and delete in all forms, and bad_alloc passes through" {
    counts "$progs/family_cxx"
    diff plain.err recorded.err
}

@test "operator new counts once also with an allocator behind that has its own" {
    local jemalloc
    jemalloc=$(ldconfig -p | sed -n 's/.*libjemalloc\.so\.2.*=> //p' | head -n 1)
    [ -n "$jemalloc" ]
    env LD_PRELOAD="$recorder $jemalloc" ALLOCREPORT_ALWAYS=1 ALLOCREPORT_QUIET=1 \
        "$progs/family_cxx" >recorded
    dump=$(only_dump)
    check_expected "$dump" recorded
}

@test "threads, and blocks that another thread frees" {
    counts "$progs/threads"
    same "the threads' own" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("thread_makes", s) and s["where"] == "other_threads")')" 4000
    same "the main thread's own" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("main_makes", s) and s["where"] == "between_polls")')" 10
}

@test "two plugins that come to lie at the same address" {
    counts "$progs/plugins" "$progs/plugin_first.so" "$progs/plugin_second.so"
    grep -qx 'at the same address: yes' recorded
}

@test "SDL that a plugin brings, in a scope of its own" {
    counts "$progs/late" "$progs/late_plugin.so"
    same polls.count "$(value polls.count)" 9
}

@test "blocks of before the recorder's own start" {
    counts "$progs/early"
    same polls.count "$(value polls.count)" 1
}

@test "a program that never polls leaves no dump" {
    record "$progs/never_polls" >recorded
    no_dumps
}

@test "a program that never polls leaves a dump when it is asked for" {
    counts "$progs/never_polls"
    same polls.count "$(value polls.count)" 0
    same startup.bytes "$(value startup.bytes)" "$(value total.bytes)"
}

@test "a child that does not poll leaves no dump" {
    record "$progs/forks" silent >recorded
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
    same polls.count "$(value polls.count)" 44
}

@test "a child that polls has a dump of its own" {
    local child mode
    for mode in polls threads; do
        record "$progs/forks" "$mode" >recorded
        child=$(sed -n 's/^child: //p' recorded)
        check_counted "$(dump_of "$child")"
        same "the child's polls" "$(value polls.count)" 8
        check_expected "$(dump_of "$child")" recorded
        dump=$(echo forks.*.alloc | tr ' ' '\n' | grep -v "\.$child\.")
        check_counted "$dump"
        same "the parent's polls" "$(value polls.count)" 44
        check_expected "$dump" recorded
        "$allocreport" info --json "$(dump_of "$child")" >info.json
        same "the child's parent" "$(look field info.json program.parent_pid)" "$(value program.pid)"
        check_dumps
        rm -- *.alloc
    done
}

@test "fork and exec, vfork and exec: the parent's numbers stay its own" {
    local mode
    for mode in exec vfork; do
        record "$progs/forks" "$mode" "$progs/never_polls" >recorded
        dump=$(only_dump)
        check_counted "$dump"
        check_expected "$dump" recorded
        same polls.count "$(value polls.count)" 44
        check_dumps
        rm "$dump"
    done
}

# ends MODE STATUS STATE: the program ends as without the recorder, and the dump is whole.
ends() {
    run -"$2" --separate-stderr "$progs/ends" "$1"
    run -"$2" --separate-stderr record "$progs/ends" "$1"
    same "standard error" "$stderr" ""
    echo "$output" >recorded
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
    same polls.count "$(value polls.count)" 12
    same program.state "$(value program.state)" "$3"
}

@test "return from main, exit, _exit, quick_exit: the dump is whole" {
    ends return 0 ended
    rm -- *.alloc
    ends exit 3 ended
    rm -- *.alloc
    ends _exit 4 'exited at once'
    rm -- *.alloc
    ends quick_exit 5 'exited at once'
}

@test "abort and a segmentation fault: the dump is whole" {
    ulimit -c 0
    ends abort 134 killed
    rm -- *.alloc
    ends segv 139 killed
}

@test "SIGKILL: the dump is whole, and readable before" {
    local status=0
    start "$progs/ends" wait >recorded
    while kill -0 "$pid" && [ ! -s recorded ]; do sleep 0.05; done
    dump=$(dump_of "$pid")
    check_counted "$dump"
    check_expected "$dump" recorded
    same program.state "$(value program.state)" running
    same "descriptors of the dump" "$(find "/proc/$pid/fd" -lname '*.alloc')" ""
    kill -KILL "$pid"
    wait "$pid" || status=$?
    same status "$status" 137
    check_counted "$dump"
    check_expected "$dump" recorded
    same polls.count "$(value polls.count)" 12
    same program.state "$(value program.state)" killed
}

@test "a program that replaces itself leaves a dump of each" {
    record "$progs/ends" exec "$progs/ends" >recorded
    local replaced
    replaced=$(sed -n '1s/^expect: \([0-9]*\) .*/\1/p' recorded)
    check_expected "$(dump_of "$replaced")" recorded
    check_expected "$(dump_of "$replaced" .1)" recorded
    check_counted "$(dump_of "$replaced" .1)"
    same polls.count "$(value polls.count)" 12
}

@test "descriptors are the program's: it closes all and uses their numbers" {
    counts "$progs/descriptors"
}

@test "a dump that exists is never overwritten" {
    echo mine >fixed.alloc
    record ALLOCREPORT_OUT=fixed.alloc "$progs/ends" >one
    record ALLOCREPORT_OUT=fixed.alloc "$progs/ends" >two
    same fixed.alloc "$(cat fixed.alloc)" mine
    check_expected fixed.alloc.1 one
    check_expected fixed.alloc.2 two
    rm fixed.alloc
}

@test "%e and %p in ALLOCREPORT_OUT" {
    record ALLOCREPORT_OUT='here-%p-%e.alloc' "$progs/ends" >recorded
    [ -f "here-$(sed -n 's/^expect: \([0-9]*\) .*/\1/p' recorded)-ends.alloc" ]
}

@test "the default name is program.pid.alloc, readable by its owner alone" {
    umask 0
    record "$progs/ends" >recorded
    dump=ends.$(sed -n 's/^expect: \([0-9]*\) .*/\1/p' recorded).alloc
    same mode "$(stat -c %a "$dump")" 600
}

@test "one line at the end says what was written and what to type next" {
    env LD_PRELOAD="$recorder" "$progs/ends" >recorded 2>message
    same "lines" "$(wc -l <message)" 1
    grep -qF "$(only_dump)" message
    grep -qw 12 message
    grep -qF 'allocreport report' message
}

@test "ALLOCREPORT_QUIET=1 is quiet" {
    run -0 --separate-stderr env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$progs/ends"
    same stderr "$stderr" ""
}

# unchanged MESSAGES COMMAND ...: prints what the program prints, and at most so many lines more.
unchanged() {
    local more=$1
    shift
    "$progs/ends" | sed 's/^expect: [0-9]* //' >plain
    "$@" 2>message | sed 's/^expect: [0-9]* //' >recorded
    same status "${PIPESTATUS[0]}" 0
    diff plain recorded
    same "lines of messages" "$(wc -l <message)" "$more"
    no_dumps
}

@test "a directory where nothing can be written: one line, the program runs on" {
    unchanged 1 env LD_PRELOAD="$recorder" ALLOCREPORT_OUT=/proc/no/such/place.alloc "$progs/ends"
    unchanged 1 env -C /proc LD_PRELOAD="$recorder" "$progs/ends"
}

@test "a limit on the size of files: one line, the program runs on" {
    # shellcheck disable=SC2016 # the inner shell's
    unchanged 1 bash -c 'ulimit -f 4; exec env LD_PRELOAD="$1" ALLOCREPORT_OUT="$2/%p.out" "$3"' - \
        "$recorder" "$PWD" "$progs/ends"
}

@test "temporary blocks: freed in the poll, in the frame, later" {
    counts "$progs/temporary"
    same frames.kind "$(value frames.kind)" present
    same frames.count "$(value frames.count)" 21
    same polls.count "$(value polls.count)" 61
}

@test "each loop is a line of its own" {
    counts "$progs/loops"
    same polls.count "$(value polls.count)" 101
    same "the loops" "$(inspect '[(loop["polls"], loop["bytes"], loop["allocations"])
        for name in ("menu_loop", "game_loop") for loop in report["loops"] if stands(name, loop)]')" \
        "[(30, 300, 30), (70, 14000, 140)]"
    "$allocreport" report --json --loop menu_loop "$dump" >report.json
    same "the menu's polls" "$(value polls.count)" 30
    same "the menu's bytes per poll" "$(value per_poll.bytes)" 10.0
}

@test "each way to fetch events" {
    "$progs/kinds" >plain
    record "$progs/kinds" >recorded
    diff plain recorded
    check_counted "$(only_dump)"
    same polls.count "$(value polls.count)" 23
    same polls.null "$(value polls.null)" 5
    same polls.empty "$(value polls.empty)" 9
    same polls.events "$(value polls.events)" 8
    same SDL_PollEvent "$(value polls.by_function.SDL_PollEvent)" 12
    same SDL_WaitEvent "$(value polls.by_function.SDL_WaitEvent)" 2
    same SDL_WaitEventTimeout "$(value polls.by_function.SDL_WaitEventTimeout)" 3
    same SDL_PumpEvents "$(value polls.by_function.SDL_PumpEvents)" 6
    same polls.events_peeped "$(value polls.events_peeped)" 4
    same polls.peeps "$(value polls.peeps)" 6
}

@test "a poll inside a poll is none of its own" {
    counts "$progs/nested"
    same polls.count "$(value polls.count)" 10
    same "the watch's in polls" "$(inspect 'sum(s["allocations"] for s in sites
        if s["in_poll"] and stands("watch_makes", s))')" 9
}

@test "presents on another thread than the polls" {
    record "$progs/presents"
    check_counted "$(only_dump)"
    same polls.count "$(value polls.count)" 40
    same frames.elsewhere "$(value frames.elsewhere)" 25
}

@test "stacks are cut at 64 frames, or where ALLOCREPORT_STACK_DEPTH says" {
    local frames='sorted((len(s["stack"]), s["stack_complete"]) for s in sites if stands("bottom_makes", s))'
    counts "$progs/recursion"
    same "the deep stack" "$(inspect "${frames}[1]")" "(64, False)"
    same "the other's own frames" "$(inspect 'sum(line["function"] in ("bottom_makes", "descend", "main")
        for s in sites if s["stack_complete"] and stands("bottom_makes", s) for line in s["stack"])')" 12
    rm "$dump"
    record ALLOCREPORT_STACK_DEPTH=8 "$progs/recursion" >recorded
    dump=$(only_dump)
    check_expected "$dump" recorded
    same "the stacks" "$(inspect "$frames")" "[(8, False)]"
}

@test "in which polls a site allocates: the eight cadences" {
    counts "$progs/cadence"
    same polls.count "$(value polls.count)" 2000
}
