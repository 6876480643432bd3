#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# With the patched poll a program receives the same events, in the same order, with the same
# contents.

load helpers
load patch_x

teardown() {
    stop_x
    [ -z "${pid-}" ] || kill -KILL "$pid" 2>/dev/null || :
    check_dumps
}

@test "bursts of 1, 100, 10,000 and 65,000 events, a joystick, a watch and a filter that allocate" {
    "$progs/patch_events" bursts >plain
    [ "$(grep -c '^user' plain)" -gt 100000 ]
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_PATCH=poll "$progs/patch_events" bursts >patched
    cmp plain patched
    report "$(only_dump)"
    [ "$(value patch.requests)" -gt 1000 ]
    same "heap calls in polls" "$(value patch.heap_allocations) $(value patch.heap_releases)" "0 0"
}

@test "a real game with real input calls the heap in no steady poll" {
    python3 -B "$root/tests/games/patched.py" --work "$PWD" chocolate-doom >printed
    grep -q '^chocolate-doom' printed
}

# under_x OUT [NAME=VALUE ...]: what patch_events receives of the same input.
under_x() {
    local out=$1
    shift
    start_x
    : >"$out"
    env "$@" ALLOCREPORT_QUIET=1 stdbuf -oL "$progs/patch_events" window >"$out" 2>ready 3>&- &
    pid=$!
    for _ in $(seq 200); do grep -q ready ready && break; sleep 0.05; done
    input "$out"
    wait "$pid"
    pid=
    stop_x
}

@test "motion, clicks, keys, text, a file drop, the clipboard, a stall of 2.5 s under a flood" {
    under_x plain
    under_x patched LD_PRELOAD="$recorder" ALLOCREPORT_PATCH=poll
    # Each kind of input came through.
    for kind in motion button wheel key text drop clipboard; do grep -q "^$kind" plain; done
    grep -qF "'/tmp/two words.txt'" plain
    same "the clipboard" "$(grep '^clipboard' plain | paste -sd ' ')" "clipboard 'pasted' clipboard 'taken'"
    [ "$(grep -c '^motion' plain)" -gt 3000 ]
    diff plain patched
    report "$(only_dump)"
    [ "$(value patch.requests)" -gt 5000 ]
    same "releases that reached the heap" "$(value patch.heap_releases)" 0
    same "spilled for another reason than a flood never seen before" \
        "$(inspect 'report["patch"]["heap_allocations"] - report["patch"]["spilled"]["empty_class"]')" 0
}
