#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every way to bind SDL: its polls are seen, each once, and the program runs as it does without.

load helpers

bind=$progs/bind

# plays TIMES SDL PROGRAM [ARGUMENT ...]: a game of tests/progs/bind/game.c, that often in one
# process, on an SDL of that version; leaves report.json, and what it said without and with the
# recorder in plain.* and with.*
plays() {
    local times=$1 version=$2 code=0 plain=0
    shift 2
    timeout 60 "$@" >plain.out 2>plain.err </dev/null || plain=$?
    rm -f ./*.alloc
    record timeout 60 "$@" >with.out 2>with.err </dev/null || code=$?
    same "exit code of '$*', plain" "$plain" 3
    same "exit code of '$*'" "$code" 3
    same "output of '$*'" "$(cat with.out)" "$(cat plain.out)"
    report "$(only_dump)"
    same "polls of '$*'" "$(value polls.count)" $((31 * times))
    same "SDL_PollEvent" "$(value polls.by_function.SDL_PollEvent)" $((30 * times))
    same "SDL_WaitEventTimeout" "$(value polls.by_function.SDL_WaitEventTimeout)" "$times"
    same "with events" "$(value polls.events)" $((3 * times))
    same "presents" "$(value frames.presents.SDL_RenderPresent)" $((5 * times))
    same "SDL" "$(value sdl.version)" "$version"
}

# calmly PLAYS...: and it says nothing more on standard error.
calmly() {
    plays "$@"
    same "standard error" "$(cat with.err)" "$(cat plain.err)"
}

# polled_by FUNCTION: the loop that polled most was found to be the program's.
polled_by() {
    "$allocreport" polls --json "$(only_dump)" >polls.json
    same "the loop" "$(look field polls.json loops.0.stack.0.function)" "$1"
}

# Of Debian's SDL 2, dynamic and linked.
debian=$(pkg-config --modversion sdl2)

@test "dynamic: lazy, now, without a procedure linkage table, not position independent" {
    for program in lazy now no_plt no_pie; do
        calmly 1 "$debian" "$bind/$program"
        polled_by game_loop
        check_counted "$(only_dump)"
    done
}

@test "by dlopen and dlsym" {
    calmly 1 "$debian" "$bind/by_dlsym"
    polled_by game_loop
    check_counted "$(only_dump)"
}

@test "a plugin with SDL, in a scope of its own, and bound to itself first" {
    calmly 1 "$debian" "$bind/host" "$bind/plugin.so" local
    polled_by game_loop
    calmly 1 "$debian" "$bind/host" "$bind/plugin.so" deepbind
    polled_by game_loop
}

@test "linked into the program: whole, stripped, with its names exported" {
    for program in static static_stripped static_exported; do
        calmly 1 "$debian" "$bind/$program"
        check_counted "$(only_dump)"
    done
    polled_by game_loop
}

@test "linked into a plugin: exported, bound to itself, hidden" {
    for plugin in exported symbolic local; do
        for how in local deepbind; do
            calmly 1 2.30.7 "$bind/host" "$bind/$plugin.so" "$how"
            polled_by game_loop
        done
    done
}

@test "linked into a plugin, hidden and stripped: SDL is refused, and warns" {
    for how in local deepbind; do
        plays 1 2.30.7 "$bind/host" "$bind/hidden.so" "$how"
        same "plain" "$(cat plain.err)" ""
        grep -qx 'SDL Dynamic API Failure!' with.err
        grep -q "^allocreport: SDL is going to warn" with.err
        same "lines" "$(wc -l <with.err)" 2
    done
}

@test "several in one process, one after the other" {
    calmly 3 "$debian" "$bind/host" "$bind/plugin.so" local "$bind/symbolic.so" local \
        "$bind/local.so" deepbind
}

@test "one that is unloaded and loaded again, more often than there are places" {
    args=()
    for ((i = 0; i < 12; i++)); do args+=("$bind/exported.so" again); done
    calmly 12 2.30.7 "$bind/host" "${args[@]}"
}

@test "SDL 3: dynamic, by dlsym, linked and stripped" {
    for program in dynamic3 by_dlsym3 static3; do
        calmly 1 3.4.14 "$bind/$program"
    done
}

@test "SDL 2 on top of SDL 3: what it calls there is not counted" {
    for program in compat compat_by_dlsym; do
        calmly 1 2.30.7 "$bind/$program"
        polled_by game_loop
    done
}

@test "SDL 2.0.9 and 2.0.10, which wait for ever when refused" {
    calmly 1 2.30.7 "$bind/old"
    # In a plugin nobody can be asked: the system's takes its place.
    plays 1 "$debian" "$bind/host" "$bind/old.so" local
    grep -q "takes its place" with.err
    # They do wait: without one that takes its place, and without the recorder.
    cat >refuses.c <<<'int SDL_DYNAPI_entry(unsigned v, void *t, unsigned n);
        int SDL_DYNAPI_entry(unsigned v, void *t, unsigned n) { return (void)v, (void)t, (void)n, -1; }'
    cc -shared -fPIC -o refuses.so refuses.c
    code=0
    SDL_DYNAMIC_API=$PWD/refuses.so timeout 2 "$bind/old" >out || code=$?
    same "exit code" "$code" 124
}

@test "an SDL without a table, by name" {
    calmly 1 2.30.7 "$bind/plain"
    polled_by game_loop
}

@test "an SDL without a table, by dlsym: on request" {
    code=0
    record "$bind/plain_by_dlsym" >out || code=$?
    same "exit code" "$code" 3
    no_dumps
    export ALLOCREPORT_DLSYM=1
    calmly 1 2.30.7 "$bind/plain_by_dlsym"
    polled_by game_loop
    check_counted "$(only_dump)"
    # What goes through a table is not counted twice.
    calmly 1 "$debian" "$bind/by_dlsym"
    calmly 1 3.4.14 "$bind/by_dlsym3"
    calmly 1 2.30.7 "$bind/compat_by_dlsym"
}

@test "SDL 3 runs the loop: one poll for each SDL_AppIterate, which is a frame if nothing presents" {
    for how in loop present; do
        rm -f ./*.alloc
        code=0
        record "$bind/only3" "$how" >out || code=$?
        same "exit code" "$code" 3
        same "output" "$(cat out)" "12 iterations, 3 events, result 1"
        report "$(only_dump)"
        same "polls" "$(value polls.by_function)" '{"SDL_AppIterate": 12}'
        same "frames" "$(value frames.count)" 12
        [ $how = loop ] && frame=SDL_AppIterate || frame=SDL_RenderPresent
        same "by" "$(value frames.function)" "$frame"
        sites "$(only_dump)"
        # What SDL_AppEvent allocates is in a poll, what SDL_AppIterate does is between.
        same "app_event" "$(inspect 'sum(s["allocations"] for s in sites
            if s["where"] == "in_poll" and "app_event" in str(s["stack"]))')" 3
        same "app_iterate" "$(inspect 'sum(s["allocations"] for s in sites
            if s["where"] == "between_polls" and "app_iterate" in str(s["stack"]))')" 12
    done
}

@test "SDL 3's GPU: a frame for each command buffer that shows a window, none for others" {
    code=0
    record "$bind/only3" gpu || code=$?
    same "exit code" "$code" 3
    report "$(only_dump)"
    same "frames" "$(value frames.presents)" '{"SDL_SubmitGPUCommandBuffer": 10}'
}

@test "presents by EGL and GLX, called by the program itself, not inside SDL's" {
    code=0
    record "$bind/swaps" >out || code=$?
    same "exit code" "$code" 3
    same "swaps" "$(cat out)" 9
    report "$(only_dump)"
    same "polls" "$(value polls.count)" 7
    same "frames" "$(value frames.presents)" \
        '{"SDL_RenderPresent": 2, "eglSwapBuffers": 4, "glXSwapBuffers": 3}'
}

@test "the user's own SDL_DYNAMIC_API is asked first, and what it names is what plays" {
    export SDL_DYNAMIC_API=$bind/override.so
    plays 1 2.30.7 "$bind/lazy"
    same "path" "$(basename "$(value sdl.path)")" override.so
    plays 1 2.30.7 "$bind/static_stripped"
    same "path" "$(basename "$(value sdl.path)")" override.so
    # A library that stands in front of the program's SDL is not the one that answers.
    SDL_DYNAMIC_API=$progs/count_polls.so plays 1 "$debian" "$bind/lazy"
    same "path" "$(basename "$(value sdl.path)")" libSDL2-2.0.so.0
    rm -f ./*.alloc
    code=0
    "$allocreport" run --json "$bind/lazy" >run.json 2>err || code=$?
    same "exit code" "$code" 3
    same "SDL" "$(sed 1d run.json >report.json; value sdl.version)" 2.30.7
    # What cannot be loaded is passed by, as SDL does.
    SDL_DYNAMIC_API=/no/such/file plays 1 "$debian" "$bind/by_dlsym"
    # SDL 3 takes a list.
    unset SDL_DYNAMIC_API
    SDL3_DYNAMIC_API=/no/such/file,$bind/libSDL3.so.0 plays 1 3.4.14 "$bind/static3"
}

@test "run names the recorder to SDL, for programs that run before it is loaded" {
    cat >show <<'END'
#!/bin/sh
env | grep DYNAMIC_API | sort
END
    chmod +x show
    library=$(realpath "$recorder")
    code=0
    env -u SDL_DYNAMIC_API SDL3_DYNAMIC_API=mine "$allocreport" run ./show >out 2>err || code=$?
    same "exit code" "$code" 4
    same "environment" "$(cat out)" "ALLOCREPORT_SDL3_DYNAMIC_API=mine
SDL3_DYNAMIC_API=$library
SDL_DYNAMIC_API=$library"
}

@test "loaded by SDL without having been preloaded: it says so, and records nothing" {
    library=$(realpath "$recorder")
    for program in lazy by_dlsym static static3; do
        code=0
        SDL_DYNAMIC_API=$library SDL3_DYNAMIC_API=$library "$bind/$program" >out 2>err || code=$?
        same "exit code" "$code" 3
        same "output" "$(cat out)" "3 events"
        grep -q "was not preloaded: nothing is recorded" err
    done
    no_dumps
    # Nor from another namespace, which has a libc of its own.
    code=0
    record "$bind/host" "$bind/exported.so" namespace >out 2>err || code=$?
    same "exit code" "$code" 3
    same "output" "$(cat out)" "3 events"
    no_dumps
}
