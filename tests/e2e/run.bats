#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# allocreport run: starting a program, staying with it, reporting on it.

load helpers

# go CODE ARGUMENT ...: `allocreport run ARGUMENT ...` ends with that code; leaves out and err.
go() {
    local wanted=$1 code=0
    shift
    "$allocreport" run "$@" >out 2>err </dev/null || code=$?
    same "exit code of 'run $*'" "$code" "$wanted" || { cat out err >&2; return 1; }
}

# script NAME: makes it of standard input.
script() {
    cat >"$1"
    chmod +x "$1"
}

# until_true COMMAND ...: waits for it; a minute is a failure.
until_true() {
    local i
    for ((i = 0; i < 600; i++)); do
        if "$@" 2>/dev/null; then return 0; fi
        sleep 0.1
    done
    echo "waited in vain: $*" >&2
    return 1
}

# terminal ARGUMENT ...: bash on a terminal, with the steps of standard input; leaves screen.
terminal() {
    echo "PS1='ready> '" >home/prompt
    TERM=xterm python3 "$root/tests/e2e/terminal.py" "$@" bash --rcfile home/prompt -i >screen
}

@test "the program's output, then the report; the dump stays" {
    go 0 "$progs/loops"
    head -n 2 out | grep -c '^expect: ' | grep -qx 2
    grep -q '^the steady loop allocates' out
    same "standard error" "$(cat err)" ""
    dump=$(only_dump)
    [[ $dump == loops.*.alloc ]]
    grep -qx "next .* $dump" out
    "$allocreport" "$dump" | diff - <(sed 1,2d out)
    report "$dump"
    same "polls" "$(value polls.count)" 101
}

@test "the program's exit status is passed on" {
    go 3 "$progs/ends" exit
    grep -q '^polls ' out
    go 4 "$progs/ends" _exit
    go 5 "$progs/ends" quick_exit
    go 7 sh -c 'exit 7'
    go 255 sh -c 'exit 255'
}

@test "a signal that ends the program: 128 and its number, and the report" {
    go 134 "$progs/ends" abort
    grep -q '^polls ' out
    grep -q "ended by signal 6 (Aborted)" err
    go 139 "$progs/ends" segv
    grep -q '^polls ' out
    go 137 sh -c 'kill -KILL $$'
}

@test "no such program: 127; one that cannot be run: 126; a clear line for each" {
    go 127 no-such-program
    same "standard error" "$(cat err)" "allocreport: there is no program 'no-such-program' in PATH"
    go 127 ./no-such-program
    same "standard error" "$(cat err)" "allocreport: there is no program './no-such-program'"
    echo 'no program' >a-text
    go 126 ./a-text
    same "standard error" "$(cat err)" "allocreport: cannot run './a-text': Permission denied"
    go 127 a-text
    grep -q "did you mean './a-text'?" err
    mkdir folder
    go 126 ./folder
    same "standard error" "$(cat err)" "allocreport: cannot run './folder': it is a directory"
    script interpreted <<<'#!/no/such/interpreter'
    go 126 ./interpreted
    same "standard error" "$(cat err)" \
        "allocreport: cannot run './interpreted': its interpreter is missing"
    same "standard output" "$(cat out)" ""
}

@test "nothing polled: said so, exit 4, unless the program failed itself" {
    go 4 "$progs/never_polls"
    grep -q "^allocreport: no dump was made of '$progs/never_polls' (no-sdl): no SDL was loaded" err
    same "lines" "$(wc -l <err)" 1
    grep -q '^expect: ' out
    go 9 sh -c 'exit 9'
    no_dumps
}

@test "options end at the program; -- ends them too" {
    go 4 echo --quiet --json
    same "output" "$(cat out)" "--quiet --json"
    go 4 -- echo -- -q
    same "output" "$(cat out)" "-- -q"
    go 4 -q -- printf '%s\n' '' 'a b'
    same "output" "$(cat out)" $'\na b'
    echo input | "$allocreport" run cat >out 2>err || [ $? = 4 ]
    same "standard input" "$(cat out)" input
}

@test "what is preloaded already stays there, behind the recorder" {
    code=0
    COUNT_OUT="$PWD/count.%p" LD_PRELOAD=$counter "$allocreport" run -q "$progs/loops" >out || code=$?
    same "exit code" "$code" 0
    check_counted "$(only_dump)"
    script show <<<$'#!/bin/sh\necho "$LD_PRELOAD"'
    go 4 ./show
    same "LD_PRELOAD" "$(cat out)" "$(realpath "$recorder")"
    LD_PRELOAD=$recorder:$counter go 4 ./show
    same "LD_PRELOAD" "$(cat out)" "$(realpath "$recorder"):$counter"
}

@test "the recorder: found beside the program, by option, by environment; or said to be missing" {
    mkdir -p place/bin place/lib place/other "with space"
    cp "$allocreport" place/bin/
    cp "$recorder" place/lib/
    cp "$recorder" place/other/rec.so
    cp "$recorder" "with space/rec.so"
    script show <<<$'#!/bin/sh\necho "$LD_PRELOAD"'
    # shown ARGUMENT ...: what the installed one preloads.
    shown() {
        place/bin/allocreport run "$@" ./show 2>err || [ $? = 4 ]
    }
    same "beside" "$(shown)" "$PWD/place/lib/liballocreport.so"
    same "by option" "$(shown --recorder place/other/rec.so)" "$PWD/place/other/rec.so"
    same "by environment" "$(ALLOCREPORT_LIBRARY=place/other/rec.so shown)" "$PWD/place/other/rec.so"
    same "option first" \
        "$(ALLOCREPORT_LIBRARY=/none shown --recorder place/other/rec.so)" "$PWD/place/other/rec.so"
    go 2 --recorder /none/rec.so true
    grep -q "cannot use the recorder '/none/rec.so': No such file" err
    go 2 --recorder "with space/rec.so" true
    grep -q "takes no path with a space" err
}

@test "-o: where the dump goes; the option before ALLOCREPORT_OUT" {
    mkdir to '100%'
    go 0 -q -o 'to/%e-%p%%.dump' "$progs/loops"
    compgen -G 'to/loops-[0-9]*%.dump'
    no_dumps
    ALLOCREPORT_OUT=to/by-environment go 0 "$progs/loops"
    grep -q '^next .* to/by-environment$' out
    ALLOCREPORT_OUT=to/wrong go 0 --output=to/by-option "$progs/loops"
    [ -f to/by-option ]
    run ! test -e to/wrong
    go 0 -o to/by-option "$progs/loops" # a file that exists is left alone
    grep -q '^next .* to/by-option.1$' out
    cd 100%
    go 0 "$progs/loops"
    only_dump
    go 4 -o missing/dump "$progs/loops"
}

@test "--report, --json, --quiet, --keep" {
    go 0 --json --report report.json --keep none "$progs/loops"
    same "lines of output" "$(grep -vc '^expect: ' out)" 0
    same "polls" "$(value polls.count)" 101
    no_dumps
    go 0 --json -k none "$progs/loops"
    grep -v '^expect: ' out >report.json
    same "polls" "$(value polls.count)" 101
    go 0 -q "$progs/loops"
    same "lines of output" "$(grep -vc '^expect: ' out)" 0
    same "standard error" "$(cat err)" ""
    only_dump
    go 4 --report no/such/folder/report "$progs/loops"
    grep -q "cannot write 'no/such/folder/report': No such file" err
    code=0
    "$allocreport" run sh -c "'$progs/ends' >/dev/null" >/dev/full 2>err || code=$?
    same "exit code" "$code" 4
}

@test "options reach the recorder" {
    # info ARGUMENT ...: of the dump that a run with them leaves.
    info() {
        rm -f ./*.alloc
        go 0 -q "$@"
        "$allocreport" info --json "$(only_dump)" >info.json
    }
    info --stack-depth 3 "$progs/loops"
    same "stack depth" "$(look field info.json stack_depth)" 3
    info "$progs/loops"
    same "stack depth" "$(look field info.json stack_depth)" 64
    info --always "$progs/never_polls"
    same "program" "$(look field info.json program.name)" never_polls
    rm ./*.alloc
    go 0 -q --fork stop "$progs/forks" polls
    same "dumps" "$(compgen -G '*.alloc' | wc -l)" 1
    rm ./*.alloc
    go 0 -q --fork follow "$progs/forks" polls
    same "dumps" "$(compgen -G '*.alloc' | wc -l)" 2
    rm ./*.alloc
    go 0 --verbose --max-size=8 "$progs/loops"
    grep -q 'recording to' err
    script show <<<$'#!/bin/sh\nenv | grep "^ALLOCREPORT_[^BC]" | sort'
    ALLOCREPORT_STACK_DEPTH=9 go 4 ./show # what is set already stays
    same "environment" "$(cat out)" "ALLOCREPORT_OUT=$PWD/%e.%p.alloc
ALLOCREPORT_QUIET=1
ALLOCREPORT_STACK_DEPTH=9"
}

@test "a script starts the game: its dump is found; of several, the one with most polls" {
    script outer <<<$'#!/bin/sh\n./inner\nexit 6'
    script inner <<<"#!/bin/sh
$progs/loops"
    go 6 ./outer
    grep -q '^loops' out
    same "standard error" "$(cat err)" ""
    rm ./*.alloc
    script two <<<"#!/bin/sh
$progs/loops
$progs/ends"
    go 0 ./two
    grep -q '^loops' out
    grep -q "2 processes were recorded; the report is of 'loops.[0-9]*.alloc'" err
    grep -q "also recorded: 'ends.[0-9]*.alloc', 12 polls" err
    rm ./*.alloc
    go 0 --keep reported ./two
    [[ $(only_dump) == loops.* ]]
}

@test "dumps of others in the same place are left alone" {
    record "$progs/loops"
    others=$(only_dump)
    go 0 --keep none "$progs/ends"
    grep -q '^ends' out
    same "standard error" "$(cat err)" ""
    same "dumps" "$(only_dump)" "$others"
}

@test "a game that its starter leaves behind: reported while it runs" {
    script starter <<<"#!/bin/sh
$progs/ends wait >/dev/null & echo \$! >child
while ! grep -q poll /proc/\$!/wchan 2>/dev/null && ! ls ends.\$!.alloc 2>/dev/null; do sleep 0.1; done
sleep 0.5"
    go 0 ./starter
    pid=$(cat child)
    grep -q "^allocreport: warning: process $pid still runs" err
    grep -q "^ran .* running; pid $pid" out
    kill -KILL "$pid"
}

@test "signals are passed on, each once" {
    script catcher <<'END'
#!/bin/bash
for name in INT TERM HUP QUIT USR1 USR2 WINCH TSTP CONT; do
    trap "echo $name >>caught" "$name"
done
echo ready >caught
while [ ! -e stop ]; do sleep 0.05; done
exit 11
END
    env --default-signal=INT,QUIT "$allocreport" run ./catcher >out 2>err </dev/null 3>&- &
    run_pid=$!
    until_true grep -q ready caught
    for name in INT TERM HUP QUIT USR1 USR2 WINCH TSTP CONT; do
        kill -s "$name" "$run_pid"
        until_true grep -qx "$name" caught
    done
    touch stop
    code=0
    wait "$run_pid" || code=$?
    same "exit code" "$code" 11
    same "caught" "$(sort caught | uniq -c | awk '{print $1 $2}' | xargs)" \
        "1CONT 1HUP 1INT 1QUIT 1TERM 1TSTP 1USR1 1USR2 1WINCH 1ready"
}

@test "ended by SIGHUP, by SIGKILL: the dump is whole" {
    for name in HUP KILL; do
        "$allocreport" run "$progs/ends" wait >out 2>err </dev/null 3>&- &
        run_pid=$!
        until_true compgen -G 'ends.*.alloc' >/dev/null
        child=$(echo ends.*.alloc | tr -dc 0-9)
        until_true grep -q 'State:.*S (sleeping)' "/proc/$child/status"
        sleep 0.3
        if [ "$name" = HUP ]; then kill -HUP "$run_pid"; else kill -KILL "$child"; fi
        code=0
        wait "$run_pid" || code=$?
        same "exit code" "$code" $((128 + $(kill -l "$name")))
        grep -q '^polls  *12 ' out
        grep -q 'killed; pid' out
        rm ./*.alloc
    done
}

@test "on a terminal: a status line while it runs, none before, none after" {
    terminal <<END
see ready>
send '$allocreport' run '$examples/game' --frames 250; echo code \$?\n
bottom allocreport: [0-9,]+ polls, [0-9,]+/s; [0-9.]+ k?B/poll
see ^code 0
gone allocreport: [0-9,]+ polls
send exit\n
end
END
    grep -q '^the steady loop allocates' screen
    grep -q '^frames  *250 by SDL_RenderPresent' screen
    run ! grep -q 'allocreport: [0-9,]* polls' screen
}

@test "no status line with --quiet, nor with TERM=dumb, nor where standard error is no terminal" {
    for how in "run -q" "TERM=dumb run" "run 2>err"; do
        redirection=${how#"${how%2>err}"} variable=${how%%run*}
        option=${how#*run}
        option=${option%2>err}
        terminal --raw raw <<END
see ready>
send $variable '$allocreport' run $option '$examples/game' --frames 90 $redirection && echo do''ne\n
see ^done
send exit\n
end
END
        run ! grep -q 'allocreport: [0-9,]* polls' raw
        run ! grep -q 'has not polled' raw
    done
}

@test "on a terminal: Control-Z stops all, fg goes on, another size, Control-C ends" {
    terminal <<END
see ready>
send '$allocreport' run '$examples/game'\n
bottom allocreport: [0-9,]+ polls
send \x1a
see Stopped
gone allocreport: [0-9,]+ polls
send echo he''llo\n
see ^hello
send fg\n
bottom allocreport: [0-9,]+ polls
resize 30 100
bottom allocreport: [0-9,]+ polls
send \x03
see ^next
send echo code \$?\n
see ^code 0
gone allocreport: [0-9,]+ polls
send exit\n
end
END
    grep -q '^frames .* by SDL_RenderPresent' screen
    report "$(only_dump)"
    [ "$(value polls.events)" -ge 1 ] # SDL made a quit event of Control-C
}

@test "on a terminal: the program reads what is typed" {
    script asks <<'END'
#!/bin/bash
read -r -p "name: " name
echo "hello $name"
exit 5
END
    terminal <<END
see ready>
send '$allocreport' run ./asks; echo code \$?\n
see ^name:
send world\n
see ^hello world
see ^code 5
send exit\n
end
END
}
