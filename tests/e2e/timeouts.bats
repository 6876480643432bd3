#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The timeouts of examples/timeouts: what the recorder sees of an operation, and the bench's table.

load helpers

timeouts=$examples/timeouts/timeouts

# counted CASE WAY OPERATIONS: records so many operations; leaves report.json.
counted() {
    rm -f ./*.alloc count.*
    record "$timeouts" count "$1" "$2" "$3" >output || { cat output >&2; return 1; }
    same "operations" "$(sed -n 's/^operations //p' output)" "$3"
    check_counted "$(only_dump)"
    same polls.count "$(value polls.count)" "$3"
}

@test "the heap's and the pool's timeouts allocate nothing in an operation, in each case" {
    local way one wanted
    for way in pool event futex loop; do
        for one in willTimeout:20 wontTimeout:1000 externalException:2 nestedTimeouts:1 ladder1000:100; do
            counted "${one%:*}" "$way" "${one#*:}"
            wanted=0
            case $way,$one in
            pool,nested* | pool,ladder*) wanted=2 ;; # one more helper, once: below
            esac
            same "$way, $one: in operations" "$(value in_poll.allocations)" "$wanted"
            same "$way, $one: by other threads" "$(value other_threads.allocations)" 0
        done
    done
    for way in event futex loop; do
        counted ladder100000 "$way" 100
        same "$way: with 100,000 others" "$(value in_poll.allocations)" 0
    done
}

@test "the pool allocates for each helper, and never again" {
    counted nestedTimeouts pool 2
    sites "$(only_dump)"
    # The first operation's second helper, and its thread's vector.
    same "allocations" "$(inspect 'sum(s["allocations"] for s in sites if stands("add_helper", s)
        and s["where"] == "in_poll")')" 2
    same "in operations" "$(value in_poll.allocations)" 2
}

@test "SDL_AddTimer's two allocations: one freed when it is removed, one kept until its deadline" {
    counted wontTimeout sdl 1000
    sites "$(only_dump)"
    same "allocations" "$(value in_poll.allocations)" 2000
    # [(allocations, bytes, cadence, growth in the steady phase), ...] below sdl_arm
    inspect 'sorted((s["allocations"], s["bytes"] // s["allocations"], s["cadence"]) for s in sites
        if stands("sdl_arm", s))' >seen
    same "sites" "$(cat seen)" "[(1000, 24, 'every poll'), (1000, 48, 'every poll')]"
    # 48 bytes each stay, until a deadline that is a second away.
    same "left" "$(value in_poll.live_bytes)" 48000
    same "left blocks" "$(value in_poll.live_blocks)" 1000
    steady=$(value steady.polls)
    [ "$steady" -gt 0 ]
    same "growth" "$(value steady.live_bytes)" $((steady * 48))
    "$allocreport" "$(only_dump)" >text
    grep -q '^ *48.00 *1.00 *0 % *every poll *+[0-9.]* kB *in poll: sdl_arm' text
    grep -q '^ *24.00 *1.00 *100 % *every poll *0 B *in poll: sdl_arm' text
    # The page shows these lines.
    grep 'in poll: sdl_arm\|^    the steady loop allocates: ' "$root/examples/timeouts/README.md" | sed 's/^ *//' >shown
    same "lines on the page" "$(wc -l <shown)" 3
    while IFS= read -r line; do
        grep -qF -- "$line" text || { echo "the report lacks: $line" >&2; return 1; }
    done <shown
}

@test "a thread for each timeout: the vector of each new stack, and the detached one's block" {
    counted ladder10 thread 1
    sites "$(only_dump)"
    # Ten threads wait and the operation's is the eleventh: eleven stacks, each with a vector.
    same "vectors" "$(inspect 'sum(s["allocations"] for s in sites if stands("thread_arm", s))')" 11
    "$allocreport" sites --stacks "$(only_dump)" >stacks
    grep -q '^ *allocate_dtv\|^ *_dl_allocate_tls\|^ *pthread_create' stacks
    # The stacks themselves are mapped by libc inside itself, as the kernel sees.
    strace -f -qq -e trace=mmap -o calls "$timeouts" count ladder10 thread 1 >output
    same "stacks" "$(grep -c 'MAP_STACK' calls)" 11
    counted wontTimeout thread 1000
    sites "$(only_dump)"
    same "vectors that are kept" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("thread_arm", s))')" 1
    counted wontTimeout detached 1000
    sites "$(only_dump)"
    same "blocks" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("detached_arm", s) and s["bytes"] == 24 * s["allocations"])')" 1000
}

@test "libuv's and libevent's timers are built, and allocate once" {
    local way
    for way in libuv libevent; do
        counted wontTimeout "$way" 1000
        [ "$(value in_poll.allocations)" -le 2 ]
        same "$way, steady" "$(value steady.allocations)" 0
    done
}

@test "an event loop's wait for SDL events knows the deadlines, and makes no system call to set them" {
    strace -f -qq -c -o few "$timeouts" time wontTimeout loop 100 >output
    strace -f -qq -c -o many "$timeouts" time wontTimeout loop 10100 >output
    calls_of() {
        awk '$NF == "total" { print $4 }' "$1"
    }
    [ "$(calls_of few)" -gt 0 ]
    same "system calls of 10,000 operations" $(($(calls_of many) - $(calls_of few))) 0
}

@test "the program refuses what it does not know" {
    run -2 "$timeouts"
    run -2 "$timeouts" time wontTimeout event
    run -2 "$timeouts" time wontTimeout event -1
    run -2 "$timeouts" count wontTimeout event 1 2
    run -2 "$timeouts" near event 0
    run -1 "$timeouts" time wontTimeout nothing 1
    grep -qx "timeouts: no way 'nothing': No such file or directory" <<<"$output"
    run -1 "$timeouts" time nothing event 1
    run -1 "$timeouts" time ladder100000 thread 1
    grep -qx "timeouts: 'thread' is not asked for 100000 timeouts at once" <<<"$output"
}

@test "the bench prints its tables, and fails for counts alone" {
    run -0 python3 -B "$root/examples/timeouts/bench.py" --quick --cases wontTimeout,willTimeout \
        --ways thread,event,sdl "$build"
    echo "$output" >tables
    for one in willTimeout wontTimeout; do
        for way in thread event sdl; do
            grep -q "^$one/$way .* x .* \.\. " tables || { echo "no $one/$way" >&2; cat tables >&2; return 1; }
        done
    done
    # Allocations and bytes of an operation, and then the system calls: none, but for a look of the
    # manager at a deadline that is gone, now and then.
    grep -q '^wontTimeout/event .* 0  *0  *0\(\.0[0-9]*\)\{0,1\}  *-  *-  *0$' tables
    grep -q '^wontTimeout/sdl .* 2  *72  *[0-9.]*  *-  *-  *0$' tables
    grep -q '^event against thread, wontTimeout: [0-9.,]* x, 100 x \(NOT \)\?reached$' tables
    grep -q '^sdl .* [1-9][0-9]* of 10 ' tables # SDL 2 sleeps by the system's time
    same "wrong" "$(grep -c '^WRONG' tables)" 0
    mkdir -p broken/examples/timeouts
    cp "$recorder" "$allocreport" broken
    cp "$examples"/timeouts/* broken/examples/timeouts
    # A manager that allocates is found out.
    # shellcheck disable=SC2016 # the script's
    printf '#!/bin/sh\nif [ "$3" = event ]; then set -- "$1" "$2" sdl "$4"; fi\nexec "%s" "$@"\n' "$timeouts" \
        >broken/examples/timeouts/timeouts
    run -1 python3 -B "$root/examples/timeouts/bench.py" --quick --cases wontTimeout --ways event broken
    grep -q '^WRONG: wontTimeout event: 2 allocations an operation$' <<<"$output"
}
