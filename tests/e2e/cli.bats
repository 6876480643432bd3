#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The command line: help, usage errors, exit codes, man pages, completion, where output goes.

load helpers

example=$root/tests/dumps/example.alloc
shown=(run live report sites polls compare export html check budget fallback info dump) # commands; completion is not for people

# fails CODE ARGUMENT ...: that exit code, one line on standard error, nothing on standard output.
fails() {
    local wanted=$1 code=0
    shift
    "$allocreport" "$@" >out 2>err || code=$?
    same "exit code of '$*'" "$code" "$wanted"
    same "lines of '$*' on standard error" "$(wc -l <err)" 1
    same "standard output of '$*'" "$(cat out)" ""
    grep -q '^allocreport: ' err
}

# terminal STEPS PROGRAM [ARGUMENT ...]: leaves screen, and raw, which has the control sequences.
terminal() {
    local steps=$1
    shift
    TERM=${TERM_NAME-xterm} python3 "$root/tests/e2e/terminal.py" --raw raw "$@" \
        <<<"$steps" >screen
}

@test "help: of everything, of each command, always on standard output" {
    "$allocreport" help >all 2>err
    for command in "${shown[@]}"; do
        grep -q "^  $command  " all
        "$allocreport" "$command" --help >one 2>>err
        grep -q "^usage: allocreport $command " one
        "$allocreport" "$command" -h | cmp - one
        "$allocreport" help "$command" | cmp - one
    done
    "$allocreport" --help | cmp - all
    "$allocreport" -h | cmp - all
    same "standard error" "$(cat err)" ""
    same "commands in the help" "$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' all | xargs)" \
        "${shown[*]} help"
}

@test "help fits into 80 columns" {
    for command in "" "${shown[@]}"; do
        "$allocreport" help ${command:+"$command"} >text
        same "long lines of help $command" "$(grep -E '.{81}' text)" ""
    done
}

@test "--version: its own, the dump's, the libraries'" {
    "$allocreport" --version >version
    grep -Eq '^allocreport [0-9]+\.[0-9]+\.[0-9]+$' version
    grep -Eq '^dump format 2 ' version
    grep -Eq '^elfutils [0-9.]+, jansson [0-9.]+, libyaml [0-9.]+, zlib [0-9.]+$' version
    same "zlib" "$(sed -n 's/.*zlib //p' version)" "$(pkg-config --modversion zlib)"
    same "elfutils" "$(sed -n 's/^elfutils \([0-9.]*\),.*/\1/p' version)" "$(pkg-config --modversion libdw)"
    "$allocreport" -V | cmp - version
}

@test "wrong usage: one line, exit 2" {
    fails 2 nonsense
    fails 2 --nonsense
    fails 2 report
    fails 2 report "$example" "$example"
    fails 2 report --nonsense "$example"
    fails 2 report --limit "$example"
    fails 2 report --limit=many "$example"
    fails 2 report --limit= "$example"
    fails 2 report --json=yes "$example"
    fails 2 report -n -1 "$example"
    fails 2 report --color=red "$example"
    fails 2 report --loop=99 "$example"
    fails 2 report --loop='no such function' "$example"
    fails 2 sites --sort=nothing "$example"
    fails 2 sites --thread=nobody "$example"
    fails 2 sites "$example" one two
    fails 2 help nonsense
    fails 2 run
    fails 2 run --fork=perhaps -- true
    fails 2 run --stack-depth=65 -- true
    fails 2 run --recorder=/no/such/file -- true
    fails 2 completion fish
    code=0
    "$allocreport" 2>err >out || code=$?
    same "exit code without arguments" "$code" 2
    same "its standard output" "$(cat out)" ""
    grep -q '^usage: ' err
}

@test "what was probably meant is said" {
    fails 2 reprot
    grep -q "did you mean 'report'?" err
    fails 2 report --jsno "$example"
    grep -q "did you mean '--json'?" err
    fails 2 sites --sort=byte "$example"
    grep -q "did you mean 'bytes'?" err
    fails 2 entirely-wrong
    run ! grep -q "did you mean" err
}

@test "a dump that cannot be read: one line with the offset, exit 3" {
    for dump in empty foreign newer short text-mode; do
        for command in "${shown[@]:1}"; do
            files=("$root/tests/dumps/$dump.alloc")
            [ "$command" != compare ] || files+=("$example")
            [ "$command" != budget ] || files=(init "${files[@]}")
            [ "$command" != export ] || files=(csv "${files[@]}")
            fails 3 "$command" "${files[@]}"
            grep -q "offset [0-9]" err
        done
    done
    fails 3 report missing.alloc
    grep -q "cannot open 'missing.alloc': No such file" err
    fails 3 missing.alloc
    mkdir directory.alloc
    fails 3 report directory.alloc
    grep -qi "directory" err
    fails 3 report /dev/null
    printf 'bell \a' >"bell"$'\a'.alloc
    fails 3 report "bell"$'\a'.alloc
    run ! grep -q $'\a' err
    rm -r ./*.alloc
}

@test "a damaged dump: its sound part, with a warning" {
    for dump in damaged truncated; do
        for command in report sites polls dump; do
            "$allocreport" "$command" "$root/tests/dumps/$dump.alloc" >out 2>err
            [ -s out ]
            same "lines" "$(wc -l <err)" 1
            grep -q "warning: .* at offset [0-9]" err
        done
    done
}

@test "DUMP alone is short for report DUMP" {
    "$allocreport" report "$example" >text
    [ -s text ]
    "$allocreport" "$example" | cmp - text
    "$allocreport" --json "$example" >one
    "$allocreport" report --json "$example" | cmp - one
    cp "$example" polls # a file by the name of a command is the command
    fails 2 polls
    "$allocreport" ./polls >out
}

@test "man page and -h name the same options, commands, usage" {
    # heads: "-j, --json", "--limit N" of lines that begin with them.
    heads() {
        sed -nE 's/^ *((-[a-zA-Z], )?--[a-z-]+( [A-Z]+)?)( .*)?$/\1/p' | LC_ALL=C sort
    }
    for command in "${shown[@]}"; do
        page=$root/cli/man/allocreport-$command.1
        MANWIDTH=80 man -l "$page" | sed -n '/^OPTIONS/,/^[A-Z]/p' | heads >in-page
        "$allocreport" "$command" -h | heads >in-help
        [ -s in-help ]
        diff in-help in-page
        summary=$("$allocreport" help | sed -n "s/^  $command  *//p")
        same "summary of $command" "$(sed -n 's/^\.Nd //p' "$page")" "$summary"
        grep -q "^\.Xr allocreport-$command 1" "$root/cli/man/allocreport.1"
        usage=$("$allocreport" "$command" -h | sed -n '1s/usage: //p' | tr -d '. ' )
        MANWIDTH=200 man -l "$page" | sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | tr -d '. ' >synopsis
        grep -qxF "$usage" synopsis
    done
    # The choices of an option are those that the page names.
    for choice in allocations live temporary polls growth frees largest warm-up shutdown; do
        grep -q "$choice" "$root/cli/man/allocreport-sites.1"
    done
}

@test "man pages: no warnings, no dead references" {
    for page in "$root"/cli/man/*.[157]; do
        man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>warnings >/dev/null
        same "warnings of $page" "$(cat warnings)" ""
        sed -n 's/^\.Xr \([a-z.-]*\) \([0-9]\).*/\1.\2/p' "$page" | grep -v '^ld.so.8$' >references
        while read -r reference; do
            [ -f "$root/cli/man/$reference" ] || { echo "$page: $reference" >&2; false; }
        done <references
        [ -s references ]
    done
    printf '.Dd x\n.Dt X 1\n.Os\n.Sh NAME\n.nonsense\n' >wrong.1 # the check itself works
    man --warnings -E UTF-8 -l -Tutf8 -Z wrong.1 2>warnings >/dev/null || :
    [ -s warnings ]
}

@test "each command shown in a man page runs" {
    mkdir home/bin
    printf '#!/bin/sh\nexec "%s" --frames 90 --fast\n' "$examples/game" >game
    chmod +x game
    record "$examples/game" --frames 3000 --fast
    mv "$(only_dump)" game.1234.alloc
    for copy in old new old.1 old.2 new.1 new.2; do
        cp game.1234.alloc "$copy.alloc"
    done
    "$allocreport" check --baseline baseline.json --update --ci game.1234.alloc >out || :
    [ -s baseline.json ]
    sed -n 's/^\.Dl //p' "$root"/cli/man/*.[157] |
        sed -e "s|/tmp/|$PWD/home/|" -e "s|=liballocreport.so|=$recorder|" >commands
    [ "$(wc -l <commands)" -gt 15 ]
    export PATH=${allocreport%/*}:$PATH
    while read -r line; do
        sh -ec "$line" </dev/null >out 2>err || { echo "$line" >&2; cat err >&2; false; }
    done <commands
    rm -f home/*.alloc
}

@test "liballocreport(7) names exactly the recorder's options" {
    sed -n 's/^ *{"\([A-Z_]*\)", OPTION_.*/ALLOCREPORT_\1/p' "$root/preload/config.c" | sort >table
    sed -n "s/^\.It Ev \(ALLOCREPORT_[A-Z_]*\).*/\1/p" "$root/cli/man/liballocreport.7" | sort >page
    [ -s table ]
    diff table page
}

@test "the completion script is what the option tables make, and completes" {
    "$allocreport" completion bash | diff "$root/cli/completion/allocreport.bash" -
    completes() {
        bash --norc -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            _allocreport 2>/dev/null; echo "${COMPREPLY[*]}"' - \
            "$root/cli/completion/allocreport.bash" "$@"
    }
    touch game.1.alloc game.1.alloc.1 other
    same "commands" "$(completes allocreport inf)" info
    same "first word" "$(completes allocreport ga)" "game.1.alloc game.1.alloc.1"
    same "options" "$(completes allocreport sites --s)" "--sort= --stacks --source-path="
    same "values" "$(completes allocreport sites --sort = l)" "live largest"
    same "values" "$(completes allocreport sites --sort l)" "live largest"
    same "values" "$(completes allocreport run -k r)" reported
    same "dumps" "$(completes allocreport report o)" ""
    same "dumps" "$(completes allocreport report g)" "game.1.alloc game.1.alloc.1"
    same "help" "$(completes allocreport help pol)" polls
    same "programs" "$(completes allocreport run ot)" other
    rm game.1.alloc game.1.alloc.1
}

@test "in a pipe: no control sequences, at most 80 columns, one screen" {
    record "$examples/game" --frames 300 --keys 10 --fast
    "$allocreport" "$(only_dump)" | cat >report
    run ! grep -q $'\033' report
    same "long lines" "$(grep -E '.{81}' report | grep -v '^next')" ""
    [ "$(wc -l <report)" -le 30 ]
    "$allocreport" "$(only_dump)" --color=always | grep -q $'\033\[1'
    LC_ALL=C "$allocreport" polls "$(only_dump)" >ascii
    run ! grep -q '[^ -~]' ascii
    "$allocreport" polls "$(only_dump)" | grep -q █
}

@test "colours on a terminal alone, and not where they are not wanted" {
    terminal end "$allocreport" "$example"
    grep -q $'\033\[' raw
    NO_COLOR=1 terminal end "$allocreport" "$example"
    run ! grep -q $'\033' raw
    NO_COLOR='' terminal end "$allocreport" "$example"
    grep -q $'\033\[' raw
    TERM_NAME=dumb terminal end "$allocreport" "$example"
    run ! grep -q $'\033' raw
    NO_COLOR=1 terminal end "$allocreport" --color=always "$example"
    grep -q $'\033\[' raw
    terminal end "$allocreport" --color=never "$example"
    run ! grep -q $'\033' raw
    grep -q '^exit 0$' screen
}

@test "the width is the terminal's" {
    record "$examples/game" --frames 300 --keys 10 --fast
    terminal end --columns 120 "$allocreport" --color=never "$(only_dump)"
    grep -qE '.{81}' screen
    same "long lines" "$(grep -E '.{121}' screen)" ""
}

@test "what a dump says cannot command the terminal" {
    cp "$examples/game" $'evil\033[31m\xff\nname'
    record $'./evil\033[31m\xff\nname' --frames 100 --fast
    dump=$(echo evil*.alloc)
    for command in report sites info polls dump; do
        "$allocreport" "$command" "$dump" >out
        run ! grep -q $'\033' out
    done
    "$allocreport" report "$dump" | grep -qF 'evil\x1b[31m\xff\x0aname'
    report "$dump"
    same "program.name" "$(value program.name)" $'evil\033[31m\xef\xbf\xbd\nname'
    mv "$dump" good.alloc
}

@test "output that cannot be written: a message, exit 4; a closed pipe: silence" {
    for command in report sites polls info dump "report --json"; do
        code=0
        # shellcheck disable=SC2086 # a command and perhaps an option
        "$allocreport" $command "$example" >/dev/full 2>err || code=$?
        same "exit code of $command" "$code" 4
        grep -q '^allocreport: cannot write standard output: No space left on device$' err
        code=0
        # shellcheck disable=SC2086
        "$allocreport" $command "$example" >&- 2>err || code=$?
        same "exit code of $command" "$code" 4
        grep -q '^allocreport: cannot write standard output: Bad file descriptor$' err
    done
    code=0
    { "$allocreport" dump "$example" 2>err || code=$?; } | head -n 1 >/dev/null
    same "standard error" "$(cat err)" ""
    "$allocreport" report "$example" <&- 2>&- >out
    [ -s out ]
    cmp "$example" "$root/tests/dumps/example.alloc"
}

@test "JSON everywhere, with a schema number and the names that scripts rely on" {
    record "$examples/game" --frames 300 --keys 10 --fast
    dump=$(only_dump)
    for command in report sites polls info dump; do
        "$allocreport" "$command" --json "$dump" >json
        same "schema of $command" "$(look field json schema)" 1
    done
    report "$dump"
    for name in program.name program.pid polls.count polls.null polls.empty frames.count \
        frames.kind seconds total.bytes total.allocations total.reallocations total.frees \
        total.live_bytes per_poll.bytes per_poll.allocations polls_per_second bytes_per_second \
        losses; do
        [ "$(value "$name")" != null ]
    done
    for part in in_poll between_polls other_threads startup steady; do
        for name in bytes allocations reallocations frees live_bytes; do
            [ "$(value "$part.$name")" != null ]
        done
    done
    sites "$dump"
    for name in bytes allocations frees live_bytes live_blocks temporary polls cadence thread stack; do
        same "$name of a site" "$(inspect "'$name' in sites[0]")" True
    done
    for name in module build_id offset function file line inlined; do
        same "$name of a stack's line" "$(inspect "'$name' in sites[0]['stack'][0]")" True
    done
    same "innermost first" \
        "$(inspect '[s["stack"][0]["function"] for s in sites if stands("waste_lump", s)]')" "['waste_lump']"
}

@test "bytes per poll x polls per second = bytes per second: to the last bit" {
    for frames in 70 211 300; do
        record "$examples/game" --frames "$frames" --keys 10 --fast
        report "$(only_dump)"
        same "bytes per second" "$(value bytes_per_second)" \
            "$(inspect 'report["per_poll"]["bytes"] * report["polls_per_second"]')"
        same "bytes per poll" "$(value per_poll.bytes)" \
            "$(inspect 'report["rate"]["bytes"] / report["rate"]["polls"]')"
        same "polls" "$(value polls.count)" \
            "$(inspect 'round(report["polls_per_second"] * report["seconds"], 6)' | sed 's/\.0$//')"
        # As the text shows it, the integers first.
        "$allocreport" "$(only_dump)" | tr -d , >text
        read -r bytes seconds < <(sed -n 's/^all polls *\([0-9]*\) bytes in \([0-9.]*\) s.*/\1 \2/p' text)
        same "exact bytes" "$bytes" "$(value rate.bytes)"
        same "exact time" "${seconds/./}" "$(inspect '"%010d" % report["rate"]["nanoseconds"]')"
        read -r per_poll per_second product < <(
            sed -n 's|^\([0-9.]*\) bytes/poll x \([0-9.]*\) polls/s = \([0-9]*\) bytes/s.*|\1 \2 \3|p' text)
        same "as shown" "$(inspect "abs($per_poll * $per_second / $product - 1) < 1e-5")" True
        rm ./*.alloc
    done
}

@test "a loop's polls per second: from its first poll to its last, whatever polls between" {
    record "$progs/gate_twice"
    report "$(only_dump)"
    same "loops" "$(inspect 'len(report["loops"]) > 1')" True
    same "each one's time" "$(inspect '[one["nanoseconds"] for one in report["loops"] if one["polls"] > 1]')" \
        "$(inspect '[one["last_ns"] - one["first_ns"] for one in report["loops"] if one["polls"] > 1]')"
}

@test "the first screen: the places add up, also to the bytes of all polls; what is live, twice" {
    record "$examples/game" --frames 2500 --keys 10 --fast
    "$allocreport" "$(only_dump)" | tr -d , >text
    amount() {
        sed -n "s/^$1  *[0-9]*  *\([0-9]*\).*/\1/p" text
    }
    loop=$(($(amount 'in poll') + $(amount 'between polls')))
    same "all polls" "$(sed -n 's/^all polls *\([0-9]*\) .*/\1/p' text)" "$loop"
    other=$(amount 'other threads')
    after=$(amount 'after the last poll')
    same "in all" "$(amount 'in all')" $(($(amount startup) + loop + ${other:-0} + ${after:-0}))
    # The lump is released when the game ends.
    grep -Eq '^memory  *live 5\.[0-9]* MB at the last poll [0-9.]* k?B at the end peak 5' text
}

@test "--loop: one of several, by number or by function" {
    record "$progs/loops"
    dump=$(only_dump)
    report "$dump"
    same "loops" "$(inspect 'sorted(loop["polls"] for loop in report["loops"])')" "[1, 30, 70]"
    id=$(inspect '[loop["id"] for loop in report["loops"] if loop["polls"] == 70][0]')
    "$allocreport" report --json --loop "$id" "$dump" >report.json
    same "polls" "$(value polls.count)" 70
    same "bytes per poll" "$(value per_poll.bytes)" 200.0
    same "the program's total" "$(inspect 'report["total"]["allocations"] > 140')" True
    "$allocreport" report --json --loop 'menu_*' "$dump" >report.json
    same "polls" "$(value polls.count)" 30
    same "bytes per poll" "$(value per_poll.bytes)" 10.0
    "$allocreport" report --loop game_loop "$dump" | grep -q "^only loop *$id: "
    "$allocreport" sites --json --loop game_loop "$dump" >sites.json
    same "its sites" "$(inspect 'sum(s["allocations"] for s in sites if stands("game_loop", s))')" 140
    same "other's sites" "$(inspect 'any(stands("menu_loop", s) for s in sites)')" False
    fails 2 report --loop '*_loop' "$dump"
    grep -q "several loops" err
    fails 2 report --loop 0 "$dump"
}

@test "sites: the filters part all that there is" {
    record "$examples/game" --frames 300 --keys 10 --fast
    dump=$(only_dump)
    # total ARGUMENT ...: bytes of the sites chosen.
    total() {
        "$allocreport" sites --json "$@" "$dump" >sites.json
        inspect 'sum(s["bytes"] for s in sites)'
    }
    all=$(total)
    [ "$all" -gt 0 ]
    same "places" "$(($(total --in-poll) + $(total --between) + $(total --other)))" "$all"
    same "places together" "$(total --in-poll --between --other)" "$all"
    sum=0
    for phase in startup warm-up steady shutdown; do
        sum=$((sum + $(total --phase "$phase")))
    done
    same "phases" "$sum" "$all"
    same "all phases" "$(total --phase all)" "$all"
    same "threads" "$(total --thread '*')" "$all"
    same "by function" "$("$allocreport" sites --json "$dump" waste_lump | grep -c '"cadence":')" 1
    same "by module" "$("$allocreport" sites --json "$dump" 'game!waste_lump' | grep -c '"cadence":')" 1
    same "another module" "$("$allocreport" sites --json "$dump" 'libc*!waste_lump' | grep -c '"cadence":')" 0
    same "limit" "$("$allocreport" sites --json --limit 3 "$dump" | grep -c '"cadence":')" 3
    "$allocreport" sites "$dump" nothing-has-this-name | grep -qx 'no site matches'
}

@test "sites: sorted by what is asked for" {
    record "$examples/game" --frames 300 --keys 10 --fast
    dump=$(only_dump)
    for key in bytes allocations live:live_bytes temporary polls growth:growth_bytes frees \
        largest:most_bytes; do
        "$allocreport" sites --json --sort "${key%:*}" "$dump" >sites.json
        same "sorted by $key" "$(inspect "[s['${key#*:}'] for s in sites]")" \
            "$(inspect "sorted((s['${key#*:}'] for s in sites), reverse=True)")"
        [ "$(inspect "sites[0]['${key#*:}']")" -gt 0 ]
        "$allocreport" sites --sort "${key%:*}" "$dump" >/dev/null
    done
    "$allocreport" sites "$dump" --stacks waste_slow_leak >stack
    grep -q '^    waste_slow_leak at .*game_waste\.c:[0-9]*$' stack
    grep -q '^    main at ' stack
}

@test "dump prints FORMAT.md's worked example" {
    (cd "$root" && "$allocreport" dump tests/dumps/example.alloc) >printed
    # shellcheck disable=SC2016 # the backquotes are Markdown's
    sed -n '/^What `allocreport dump/,$p' "$root/preload/FORMAT.md" |
        sed -n '/^```text$/,/^```$/p' | sed '1d;$d' >shown
    [ -s shown ]
    diff shown printed
    (cd "$root" && LC_ALL=C "$allocreport" dump tests/dumps/example.alloc) | cmp - printed
}

@test "polls and info show what they promise" {
    record "$examples/game" --frames 300 --keys 10 --fast
    dump=$(only_dump)
    "$allocreport" polls "$dump" >text
    for text in 'steady polls .*p50 .*p99' '^bytes ' '^time in poll' 'steady frames' 'time line:' \
        '^polls/s' '^live bytes' 'where it polls' 'worst steady polls' 'waste_lump'; do
        grep -q "$text" text || { echo "no: $text" >&2; cat text >&2; false; }
    done
    "$allocreport" info "$dump" >text
    for text in 'format 2' "^program  *$examples/game" '--frames 300' '^SDL  *2\.' 'libSDL2' \
        "^process  *pid" '^health: all sums agree' 'x86-64\|aarch64' 'build-id' 'primary'; do
        grep -q -- "$text" text || { echo "no: $text" >&2; cat text >&2; false; }
    done
    id=$(readelf -n "$examples/game" | sed -n 's/.*Build ID: //p')
    grep -q " $id " text
}

@test "polls and not one allocation: nothing can be told, and it does not pass" {
    # An allocator that comes before the recorder takes all of the program's allocations.
    jemalloc=$(find /usr/lib -name libjemalloc.so.2 | head -n 1)
    [ -n "$jemalloc" ]
    env LD_PRELOAD="$jemalloc $recorder" ALLOCREPORT_OUT=blind.alloc ALLOCREPORT_QUIET=1 "$examples/poll_each" 300
    run -4 "$allocreport" blind.alloc
    [[ $output == *'nothing can be told: not one allocation was seen'* ]]
    [[ $output != *'allocates nothing'* ]]
    run -4 "$allocreport" report --json blind.alloc
    rm blind.alloc # its report is no success, as that of the checks after each test must be
    same verdict "$(sed -n 's/.*"loop": "\(blind\)".*/\1/p' <<<"$output")" blind
}
