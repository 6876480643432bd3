#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# SDL's waits: the report says what they cost, and ALLOCREPORT_PATCH=wait changes that and nothing
# else. No test here depends on how long anything takes, but for waits being never early.

load helpers

# patched [ARGUMENT ...]: of waits.c, leaves the dump.
patched() {
    rm -f ./*.alloc
    record ALLOCREPORT_PATCH=wait "$progs/waits" "$@"
}

@test "the same events, the same answers, in the same order, never early" {
    local what
    for what in same again signal; do
        "$progs/waits" "$what" >plain
        grep -v '^early' plain >wanted
        [ -s wanted ]
        for _ in 1 2 3; do
            patched "$what" >seen
            grep -v '^early' seen | diff wanted -
            [ "$what" = signal ] || same "early waits" "$(grep '^early' seen | sort -u)" "early 0"
            check_counted "$(only_dump)"
            [ "$what" = signal ] || [ "$(value waits.replaced)" -gt 100 ]
        done
        # Without the patch nothing is replaced.
        rm ./*.alloc
        record "$progs/waits" "$what" >/dev/null
        report "$(only_dump)"
        same "replaced waits of $what" "$(value waits.replaced)" 0
        rm ./*.alloc
    done
}

@test "what is allocated is the same, but for SDL's own" {
    record "$progs/waits" same >/dev/null
    report "$(only_dump)"
    plain=$(inspect '(report["polls"]["count"], report["polls"]["events"], report["polls"]["empty"])')
    patched same >/dev/null
    report "$(only_dump)"
    same "polls, with an event, empty" \
        "$(inspect '(report["polls"]["count"], report["polls"]["events"], report["polls"]["empty"])')" "$plain"
}

@test "a wait in steps is told of, with what it costs; a patched one is not in steps" {
    record "$progs/waits" idle 1000 >own
    report "$(only_dump)"
    same in_steps "$(value waits.in_steps)" true
    same waits "$(value waits.count)" 2
    # What the program itself saw of its last wait, and the steps of the one before.
    [ "$(value waits.wakeups)" -gt "$(cat own)" ]
    "$allocreport" report "$(only_dump)" >text
    grep -qE '^waits +SDL sleeps in steps: [0-9,.]+ wake-ups/s, [0-9.<]+ ms of processor time' text
    grep -q 'ALLOCREPORT_PATCH=wait' text
    "$allocreport" info "$(only_dump)" | grep -q '^waits  *SDL sleeps in steps'
    # Long enough for the 50 ms in which SDL's own wait is judged not to count.
    patched idle 3000 >own
    report "$(only_dump)"
    same in_steps "$(value waits.in_steps)" false
    same replaced "$(value waits.replaced)" 2
    "$allocreport" report "$(only_dump)" | grep -qE '^waits +patched, they block: [0-9,.]+ wake-ups/s'
    # In three seconds: one look every 100 ms, where SDL alone looks every millisecond or so.
    [ "$(cat own)" -le 60 ]
}

@test "polls that do not wait are no waits" {
    record "$examples/poll_once" 1000
    report "$(only_dump)"
    same waits "$(value waits.count)" 0
    run ! grep -q '^waits' <("$allocreport" report "$(only_dump)")
}

@test "a joystick's button, which comes by looking alone" {
    "$progs/waits" joystick 300 | tail -n 1 >plain
    grep -q '^wait 1 603' plain # SDL_JOYBUTTONDOWN
    patched joystick 300 | tail -n 1 | diff plain -
    report "$(only_dump)"
    [ "$(value waits.replaced)" -gt 0 ]
}

@test "x11 with a window blocks by itself, and is left alone; without one it is replaced" {
    export SDL_VIDEODRIVER=x11
    Xvfb -displayfd 5 -screen 0 320x240x24 5>display 2>/dev/null 3>&- &
    xvfb=$!
    trap 'kill "$xvfb"' EXIT
    while [ ! -s display ]; do sleep 0.1; done
    DISPLAY=:$(cat display)
    export DISPLAY
    patched window 500
    report "$(only_dump)"
    same "replaced with a window" "$(value waits.replaced)" 0
    same "in steps with a window" "$(value waits.in_steps)" false
    patched idle 500
    report "$(only_dump)"
    same "replaced without" "$(value waits.replaced)" "$(value waits.count)"
    kill "$xvfb"
    trap - EXIT
}
