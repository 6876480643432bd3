#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Real programs of the distribution: totals equal to the independent counter's, and names that the
# modules' own symbol tables confirm.

load helpers

# play STATUS SECONDS COMMAND ...: SECONDS > 0: ended by SIGTERM after so many.
play() {
    local status=0 wanted=$1 seconds=$2
    shift 2
    if [ "$seconds" = 0 ]; then
        record "$@" >game.log 2>&1 </dev/null || status=$?
    else
        start "$@" >game.log 2>&1
        sleep "$seconds"
        kill -TERM "$pid"
        wait "$pid" || status=$?
    fi
    same "exit status" "$status" "$wanted" || { tail game.log >&2; return 1; }
    dump=$(only_dump)
    check_counted "$dump"
    sites "$dump"
    look named sites.json 20
    [ "$(value polls.count)" -gt 100 ]
    same "broken stacks" "$(value losses.unwind)" 0
}

@test "a C game that polls: Chocolate Doom's timed demo" {
    # It ends by an error message with its times, by exit(-1).
    play 255 0 "$games/chocolate-doom" -iwad /usr/share/games/doom/freedoom1.wad -window -timedemo demo1
    grep -q 'timed [0-9]* gametics' game.log
    same frames.function "$(value frames.function)" SDL_RenderPresent
    [ "$(value polls.by_function.SDL_PollEvent)" -gt 1000 ]
    [ "$(value polls.by_function.SDL_PumpEvents)" -gt 1000 ]
}

@test "a C++ game: Blobby Volley" {
    play 0 4 "$games/blobby"
    grep -q 'libstdc++' <(inspect '[line["module"] for s in sites for line in s["stack"]]')
}

@test "a program that pumps and peeps: ffplay" {
    play 0 0 ffplay -hide_banner -loglevel warning -autoexit -f lavfi -i testsrc2=duration=3:size=320x180:rate=60
    [ "$(value polls.by_function.SDL_PumpEvents)" -gt 100 ]
    [ "$(value polls.peeps)" -gt 100 ]
    run -1 look field report.json polls.by_function.SDL_PollEvent
}
