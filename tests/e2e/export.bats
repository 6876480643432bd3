#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Exports: each is read by a program, or held against a schema, that is not of this project, and
# compared with the reporter's JSON of the same dump.

load helpers

view=/usr/libexec/valgrind/dh_view.js

# A game that wastes memory in its loop; leaves game.alloc and its JSON.
setup_game() {
    record "$examples/game" --frames 900 --keys 20 --fast
    mv "$(only_dump)" game.alloc
    describe game.alloc
}

describe() {
    report "$1"
    sites "$1"
    "$allocreport" polls --json --limit 100 "$1" >polls.json
}

compare() {
    python3 "$root/tests/e2e/export.py" "$@"
}

# export FORMAT [ARGUMENT ...]: leaves `exported`, and no word on standard error.
export_as() {
    "$allocreport" export "$@" game.alloc >exported 2>err
    same "standard error" "$(cat err)" ""
}

# pprof OPTION ...: Go's viewer of the file.
pprof() {
    PPROF_TMPDIR=$PWD go tool pprof "$@" exported 2>pprof.err || { cat pprof.err >&2; return 1; }
}

@test "pprof: go tool pprof reads values, stacks, names, modules and build-ids" {
    setup_game
    export_as pprof
    gzip -t exported
    pprof -raw >raw
    compare pprof raw sites.json report.json
    pprof -tags >tags
    grep -q 'cadence: Total' tags
    grep -q 'between polls' tags
}

@test "pprof: bytes per frame, by the options that its comment names" {
    setup_game
    export_as pprof
    pprof -comments >comments
    options=$(sed -n 's/^bytes per frame: pprof //p' comments)
    frames=$(value frames.steady)
    same "options" "$options" "-sample_index=steady_space -divide_by=$frames"
    # shellcheck disable=SC2086 # words
    pprof -top -unit=B -nodecount=100 -nodefraction=0 $options >top
    each=$(inspect 'sum(s["phases"]["steady"]["bytes"] for s in sites if s["stack"][0]["function"] == "waste_each_frame") // report["frames"]["steady"]')
    [ "$each" -ge 280 ]
    grep -Eq "^ +${each}B .* waste_each_frame\$" top
}

@test "pprof: the same dump makes the same file, and a terminal is not written to" {
    setup_game
    export_as pprof
    "$allocreport" export pprof -o again game.alloc
    cmp exported again
    python3 "$root/tests/e2e/terminal.py" "$allocreport" export pprof game.alloc <<<end >screen
    grep -q "is not for a terminal; write it to a file by -o FILE" screen
    grep -q '^exit 2$' screen
}

@test "collapsed: a line for each stack, of each value and phase" {
    setup_game
    export_as collapsed
    compare collapsed exported sites.json bytes
    export_as collapsed --value allocations
    compare collapsed exported sites.json allocations
    export_as collapsed --value live
    compare collapsed exported sites.json live_bytes
    export_as collapsed --value temporary
    compare collapsed exported sites.json temporary_bytes
    "$allocreport" sites --json --phase steady game.alloc >sites.json
    export_as collapsed --phase steady
    compare collapsed exported sites.json bytes
    grep -q ';draw_frame;draw_exhaust;waste_each_frame [0-9]*$' exported
}

@test "speedscope: as its schema says, with all values" {
    setup_game
    export_as speedscope
    compare speedscope exported "$root/tests/schemas/speedscope.json" sites.json report.json
    sed 's/"sampled"/"sampling"/' exported >wrong
    run ! compare speedscope wrong "$root/tests/schemas/speedscope.json" sites.json report.json
    [[ $output == *ValidationError* ]]
}

@test "trace: counters over time add up, the worst polls are slices that nest" {
    setup_game
    export_as trace
    compare trace exported report.json polls.json
    sed 's/"name":"bytes per frame"/"name":"bytes"/' exported >wrong
    run ! compare trace wrong report.json polls.json
}

@test "dhat: the viewer of valgrind shows it, with the same sums" {
    setup_game
    export_as dhat
    compare dhat-page exported "$view" >page.html
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" \
        --virtual-time-budget=5000 --dump-dom "file://$PWD/page.html" >dom 2>dom.err
    compare dhat dom sites.json
    sed 's/"dhatFileVersion":2/"dhatFileVersion":1/' exported >wrong
    compare dhat-page wrong "$view" >page.html
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" \
        --virtual-time-budget=5000 --dump-dom "file://$PWD/page.html" >dom 2>dom.err
    run ! compare dhat dom sites.json
    [[ $output == *"data file has version number 1"* ]]
}

@test "csv: rows and columns, the same numbers" {
    setup_game
    export_as csv
    compare csv exported sites.json report.json
    export_as csv --limit 3 --sort allocations
    same "lines" "$(wc -l <exported)" 4
}

@test "markdown: a reader of GitHub's kind sees the tables" {
    setup_game
    export_as markdown
    cmark-gfm -e table exported >page.html
    compare markdown page.html sites.json report.json
}

@test "every format: of one loop, one thread, one function, of nothing" {
    setup_game
    for format in pprof collapsed speedscope trace dhat csv markdown; do
        "$allocreport" export "$format" --loop 1 --thread game game.alloc >one
        [ -s one ]
        "$allocreport" export "$format" game.alloc 'no such function' >none 2>err
        same "standard error of $format" "$(cat err)" ""
        "$allocreport" export "$format" "$root/tests/dumps/example.alloc" >example
        [ -s example ]
    done
    "$allocreport" export collapsed game.alloc waste_each_frame >one
    same "stacks" "$(grep -vc waste_each_frame one)" 0
    "$allocreport" export collapsed game.alloc 'no such function' >none
    same "of nothing" "$(cat none)" ""
}

@test "-o: a file, never the dump; what cannot be written is said" {
    setup_game
    "$allocreport" export csv game.alloc >wanted
    echo old >file
    "$allocreport" export csv -o file game.alloc >out
    same "standard output" "$(cat out)" ""
    cmp wanted file
    "$allocreport" export csv -o - game.alloc | cmp - wanted
    ln game.alloc link
    for path in game.alloc link ./game.alloc; do
        run -4 "$allocreport" export csv -o "$path" game.alloc
        same "message" "$output" "allocreport: cannot write '$path': it is the dump itself"
    done
    rm link
    run -4 "$allocreport" export csv -o /dev/full game.alloc
    same "message" "$output" "allocreport: cannot write '/dev/full': No space left on device"
    run -4 "$allocreport" export csv -o no/such/file game.alloc
    run -2 "$allocreport" export cvs game.alloc
    same "message" "$output" "allocreport: export: no format 'cvs'; did you mean 'csv'?"
    run -2 "$allocreport" export csv --value live game.alloc
}

@test "a site of which more was freed than was seen made: left out of charts, and counted; in tables" {
    cp "$root/tests/dumps/example.alloc" damaged
    chmod u+w damaged
    python3 - <<'EOF'
import struct
with open("damaged", "r+b") as file:
    dump = file.read()
    at = 4096
    while True:
        magic, type_, size, record = struct.unpack_from("<IIQI", dump, at)
        if type_ == 6: # counters; see dump_format.h: a tally, and in it an amount
            break
        at += size
    file.seek(at + 64 + 8 + 16 + 32)
    file.write(struct.pack("<Q", 100000))
EOF
    for format in collapsed dhat; do
        "$allocreport" export "$format" --value live damaged >out 2>err
        same "$format" "$(cat err)" "allocreport: warning: 1 site is left out: more was freed of it than was seen made"
    done
    "$allocreport" export speedscope damaged >out 2>err
    grep -q 'warning: 1 site is left out' err
    "$allocreport" export csv damaged >out 2>err
    same "csv" "$(cat err)" ""
    grep -Eq ',-9[0-9]{4},' out
    mv damaged damaged.pb # for the viewer's sake, not a dump's name
    "$allocreport" export pprof damaged.pb >exported
    pprof -raw | grep -Eq ' -9[0-9]{4} '
}
