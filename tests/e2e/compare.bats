#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# compare: rebuilt programs match, what is worse is named, what cannot be read or told is said.

load helpers

# make_program PATH [FLAG ...]: tests/progs/rebuilt.c, built with these flags.
make_program() {
    local path=$1
    shift
    # shellcheck disable=SC2046 # flags are words
    gcc -std=gnu11 -I"$root" -D_GNU_SOURCE -O1 -g -fno-builtin -fno-optimize-sibling-calls \
        -Wl,--build-id "$@" $(pkg-config --cflags sdl2) "$root/tests/progs/rebuilt.c" -o "$path" \
        -Wl,--as-needed $(pkg-config --libs sdl2) -pthread
}

# dump NAME PROGRAM [ARGUMENT ...]: records it, leaves NAME.alloc.
dump() {
    local name=$1
    shift
    ALLOCREPORT_OUT=$PWD/$name.alloc record "$@" >"$name.out"
    [ -s "$name.alloc" ]
}

# compared CODE ARGUMENT ...: that exit code; leaves text, and compare.json.
compared() {
    local wanted=$1 code=0
    shift
    "$allocreport" compare "$@" >text || code=$?
    [ "$code" = "$wanted" ] || { cat text; same "exit code of 'compare $*'" "$code" "$wanted"; }
    code=0
    "$allocreport" compare --json "$@" >compare.json || code=$?
    same "exit code of 'compare --json $*'" "$code" "$wanted"
    code=0
    "$allocreport" compare --markdown "$@" >markdown || code=$?
    same "exit code of 'compare --markdown $*'" "$code" "$wanted"
}

field() {
    look field compare.json "$1"
}

# changed CHANGE: the functions of these sites that count, in one line.
changed() {
    python3 -c 'import json, sys
print(*sorted(s["function"] for s in json.load(open("compare.json"))["sites"]
      if s["change"] == sys.argv[1] and s["counts"]))' "$1"
}

@test "a rebuilt, moved, renamed program is the same" {
    make_program before
    mkdir elsewhere
    make_program elsewhere/after -DMOVED -O0
    run ! cmp -s before elsewhere/after
    dump a ./before
    dump b elsewhere/after
    compared 0 --threshold 0 --all a.alloc b.alloc
    same verdict "$(field verdict)" same
    same gone "$(field changes.gone)" 0
    same new "$(field changes.new)" 0
    same "sites that are the same" "$(field changes.same)" "$(grep -c '^same ' text)"
    grep -q '^same .* every_makes ' text
    python3 -c 'import json
runs = json.load(open("compare.json"))
assert runs["before"][0]["build_id"] != runs["after"][0]["build_id"] != None'
}

@test "a stripped program: its functions are told apart by offset in the same build, else added up" {
    make_program before
    make_program after -DMOVED
    strip before after
    cp before copy
    dump a ./before
    dump b ./copy
    dump c ./after
    compared 0 --all a.alloc b.alloc
    same "sites of the same build" "$(field changes.same)" 3
    compared 0 --all a.alloc c.alloc
    same "sites of another build" "$(field changes.same)" 1
    grep -q 'same build' text
}

@test "one byte more in each poll is worse, and its function is named" {
    make_program before
    make_program after -DMOVED -DEXTRA=1
    dump a ./before
    dump b ./after
    compared 1 a.alloc b.alloc
    same worse "$(changed worse)" every_makes
    same new "$(field changes.new)" 0
    grep -q '^worse: ' text
    grep -q '^worse .* every_makes ' text
    grep -qx 'next *allocreport sites --phase steady --stacks b.alloc every_makes' text
    compared 0 b.alloc a.alloc
    same better "$(changed better)" every_makes
    compared 0 --threshold 7 a.alloc b.alloc
    compared 1 --threshold 5.5% a.alloc b.alloc
    compared 0 --slack 1 a.alloc b.alloc
}

@test "a new site counts, however little it allocates; one that is called otherwise is not new" {
    make_program before
    make_program added -DADDED
    make_program caller -DCALLER
    dump a ./before
    dump b ./added
    dump c ./caller
    compared 1 a.alloc b.alloc
    same new "$(changed new)" added_makes
    compared 0 b.alloc a.alloc
    same gone "$(changed gone)" added_makes
    compared 0 --threshold 0 a.alloc c.alloc
    same "changes" "$(field changes.new) $(field changes.gone)" "0 0"
}

@test "a thread that allocates beside the loop is a new site of other threads" {
    make_program before
    make_program after -DWORKER
    dump a ./before
    dump b ./after
    compared 1 a.alloc b.alloc
    same new "$(changed new)" worker_makes
    grep -q '^new .* other: worker_makes' text
}

@test "a longer run is not worse, and what grows with its length is not judged" {
    make_program before
    make_program after -DPOLLS=6000
    dump a ./before
    dump b ./after
    compared 0 a.alloc b.alloc
    same "as long" "$(field as_long)" false
    grep -q 'not equally long' text
    grep -q 'largest poll.*not judged' text
}

@test "the example game: its waste is found when it comes, and gone when it goes" {
    mkdir clean waste
    cp "$root"/examples/game*.[ch] clean
    cp "$root"/examples/game*.[ch] waste
    sed -i 's/^ *waste_slow_leak(.*/(void)0;/' clean/game.c
    run ! cmp -s clean/game.c waste/game.c
    for build in clean waste; do
        mkdir -p "$build/src/examples"
        mv "$build"/*.[ch] "$build/src/examples"
        # shellcheck disable=SC2046 # flags are words
        gcc -std=gnu11 -O2 -g -D_GNU_SOURCE -I"$build/src" $(pkg-config --cflags sdl2) \
            "$build"/src/examples/game*.c -o "$build/game" $(pkg-config --libs sdl2) -lm
        dump "$build" "$build/game" --frames 3000 --keys 20 --fast
    done
    compared 1 clean.alloc waste.alloc
    same new "$(changed new)" waste_slow_leak
    grep -q '^new .* waste_slow_leak' text
    compared 0 waste.alloc clean.alloc
    same gone "$(changed gone)" waste_slow_leak
}

@test "several runs a side: times are tested from four, and count only when asked" {
    make_program program
    for i in 1 2 3 4; do
        dump "a$i" ./program
        dump "b$i" ./program
    done
    compared 0 a?.alloc vs b?.alloc
    same "runs" "$(field before | grep -o '\.alloc' | wc -l)" 4
    python3 -c 'import json
whole = json.load(open("compare.json"))
assert all(0 < t["p"] <= 1 and not t["counts"] and len(t["before"]["runs"]) == 4 for t in whole["times"])
assert all(t["before"]["low"] <= t["before"]["median"] <= t["before"]["high"] for t in whole["times"])
assert all(len(m["after"]["runs"]) == 4 for m in whole["metrics"])'
    compared 0 --times off a?.alloc vs b?.alloc
    same "times" "$(field times)" "[]"
    compared 0 a1.alloc a2.alloc vs b1.alloc
    python3 -c 'import json
assert all(t["p"] is None for t in json.load(open("compare.json"))["times"])'
    grep -q 'four runs a side' text
}

@test "a baseline is its dump, through its file" {
    make_program program
    dump a ./program
    "$allocreport" check --baseline base.json --update --ci a.alloc >made
    compared 0 --threshold 0 --all base.json a.alloc
    compared 0 --threshold 0 --all a.alloc base.json
    same verdict "$(field verdict)" same
    python3 -c 'import json
whole = json.load(open("compare.json"))
assert whole["metrics"] and whole["sites"] and whole["times"]
assert all(m["before"] == m["after"] for m in whole["metrics"])
assert all(s["bytes_before"] == s["bytes_after"] for s in whole["sites"])
assert all(t["before"] == t["after"] for t in whole["times"])'
    cp base.json copy.json
    "$allocreport" check --baseline base.json --update --ci a.alloc >again
    cmp base.json copy.json
}

@test "a baseline is rewritten whole or not at all, and not where CI is set" {
    make_program program
    make_program more -DEXTRA=8
    dump a ./program
    dump b ./more
    "$allocreport" check --baseline base.json --update --ci a.alloc >out
    cp base.json copy.json
    code=0
    CI=true "$allocreport" check --baseline base.json --update b.alloc >out 2>err || code=$?
    same "exit code" "$code" 2
    same "lines" "$(wc -l <err)" 1
    cmp base.json copy.json
    "$allocreport" check --baseline base.json --tighten --ci b.alloc >out
    compared 0 --threshold 0 copy.json base.json
    same "sites that are better or worse" "$(field changes.better) $(field changes.worse)" "0 0"
    make_program longer -DPOLLS=2100
    dump c ./longer
    "$allocreport" check --baseline base.json --tighten --ci c.alloc >out
    diff <(grep '"place"' copy.json) <(grep '"place"' base.json)
    CI=true "$allocreport" check --baseline base.json --update --ci b.alloc >out
    grep -q '^worse .* every_makes' out
    compared 1 copy.json base.json
    "$allocreport" check --baseline base.json --tighten --ci a.alloc >out
    compared 0 copy.json base.json
    same "other files" "$(compgen -G 'base.json?*')" ""
}

@test "hostile baselines: one line, exit 3" {
    make_program program
    dump a ./program
    "$allocreport" check --baseline good.json --update --ci a.alloc >out
    mkdir bad
    printf '' >bad/empty.json
    printf '{}' >bad/nothing.json
    printf '[]' >bad/list.json
    printf '{"allocreport_baseline": 2}' >bad/newer.json
    printf '{"allocreport_baseline": 1, "allocreport_baseline": 1}' >bad/twice.json
    head -c 1000 good.json >bad/cut.json
    head -c 200000 /dev/zero | tr '\0' '[' >bad/deep.json
    { printf '{'; head -c 500000 /dev/zero | tr '\0' ' '; } >bad/blank.json
    { printf '{'; head -c 40000000 /dev/zero | tr '\0' ' '; printf '}'; } >bad/large.json
    sed 's/"polls": [0-9]*/"polls": NaN/' good.json >bad/nan.json
    sed 's/"polls": [0-9]*/"polls": -1/' good.json >bad/negative.json
    sed 's/"polls": [0-9]*/"polls": 1e999/' good.json >bad/huge.json
    sed 's/"polls": [0-9]*/"polls": 184467440737095516160/' good.json >bad/larger.json
    sed 's/"polls": [0-9]*/"polls": []/' good.json >bad/type.json
    sed 's/"stack":\[/"stack":[{},/' good.json >bad/stack.json
    sed 's/"sites": \[/"sites": [[],/' good.json >bad/sites.json
    sed 's/"lost"/"l\\u001b[31mst"/' good.json >bad/escape.json
    sed 's/"lost"/"\xff\xfe"/' good.json >bad/utf8.json
    for file in bad/*; do
        code=0
        "$allocreport" compare "$file" a.alloc >out 2>err || code=$?
        same "exit code of $file" "$code" 3
        same "lines of $file" "$(wc -l <err)" 1
        same "output of $file" "$(cat out)" ""
        run ! grep -q $'\e' err
    done
    code=0
    "$allocreport" check --baseline bad/newer.json a.alloc >out 2>err || code=$?
    same "exit code" "$code" 3
    grep -q 'definition 2' err
}

@test "names that mean something in Markdown or on a terminal do nothing there" {
    make_program program
    dump a ./program
    "$allocreport" check --baseline base.json --update --ci a.alloc >out
    # shellcheck disable=SC2016 # as it stands
    sed 's/every_makes/<b>|`x` \\u001b[31m](http:\/\/y)/' base.json >named.json
    run ! cmp -s base.json named.json
    compared 1 base.json named.json
    run ! grep -q '<b>' markdown
    same "rows of the table" "$(grep -c '^| .* | new |' markdown)" 1
    same "columns" "$(grep '^| .* | new |' markdown | tr -cd '|' | wc -c)" 5
    run ! grep -q $'\e' text
    run ! grep -q $'\e' markdown
}

@test "nothing can be compared: exit 4, said why" {
    make_program program
    make_program short -DPOLLS=40
    dump a ./program
    dump b ./short
    compared 4 a.alloc b.alloc
    same verdict "$(field verdict)" unknown
    grep -q 'too few steady polls' text
    grep -q 'too few steady polls' markdown
    ALLOCREPORT_ALWAYS=1 dump c "$progs/never_polls"
    compared 4 c.alloc a.alloc
    grep -q 'polled nothing' text
    compared 4 "$root/tests/dumps/truncated.alloc" a.alloc 2>err
    grep -q 'damaged' text
}

@test "which is before and which is after must be clear: exit 2" {
    make_program program
    dump a ./program
    cp a.alloc b.alloc
    cp a.alloc c.alloc
    for words in 'a.alloc' 'a.alloc b.alloc c.alloc' 'a.alloc vs' 'vs a.alloc' 'a.alloc vs b.alloc vs c.alloc' \
        '--threshold x a.alloc b.alloc' '--threshold -1 a.alloc b.alloc' '--threshold 1. a.alloc b.alloc' \
        '--time-threshold 1e3 a.alloc b.alloc' '--json --markdown a.alloc b.alloc'; do
        code=0
        # shellcheck disable=SC2086 # words
        "$allocreport" compare $words >out 2>err || code=$?
        same "exit code of '$words'" "$code" 2
        same "lines of '$words'" "$(wc -l <err)" 1
        same "output of '$words'" "$(cat out)" ""
    done
    cp a.alloc vs
    compared 0 a.alloc vs ./vs
}
