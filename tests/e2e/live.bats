#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# allocreport live: what a running program allocates, from one reading of its dump to the next.

load helpers

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

# begin: a program that does batches of turns; sets pid and dump.
begin() {
    mkfifo orders
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$progs/batches" <orders >answers 3>&- &
    pid=$!
    exec 4>orders
    until_true grep -q ready answers
    dump=$(dump_of "$pid")
}

# turns N: lets it do so many, and waits for them.
turns() {
    local before
    before=$(grep -c 'done' answers || :)
    echo "$1" >&4
    until_true sh -c "[ \$(grep -c 'done' answers) -gt $before ]"
}

# ends: its input is over.
ends() {
    exec 4>&-
    wait "$pid" || :
    pid=
}

# keep NAME: what the two commands say of it now.
keep() {
    "$allocreport" report --json "$dump" >"$1.report"
    "$allocreport" sites --json "$dump" >"$1.sites"
}

# compare BEFORE AFTER LINES: the rates and sites of the lines of JSON are the differences.
compare() {
    python3 - "$@" <<'END'
import json, sys
before, after = ({part: json.load(open(f"{name}.{part}")) for part in ("report", "sites")}
                 for name in sys.argv[1:3])
lines = [json.loads(line) for line in open(sys.argv[3])]
wrong = []

def same(what, seen, wanted):
    if seen != wanted:
        wrong.append(f"{what} is {seen}, should be {wanted}")

def figures(report):
    return dict(report["rate"], frames=report["frames"]["count"])

old, new = figures(before["report"]), figures(after["report"])
for key in ("bytes", "allocations", "polls", "nanoseconds", "frames"):
    same(key, sum(line["rate"][key] for line in lines), new[key] - old[key])
    same(f"total {key}", lines[-1]["total"][key], new[key])
if sum(line["rate"]["polls"] for line in lines) == 0:
    wrong.append("nothing happened")
same("live_bytes", lines[-1]["live_bytes"], after["report"]["memory"]["live_bytes"])
same("live_change", sum(line["live_change"] for line in lines),
     after["report"]["memory"]["live_bytes"] - before["report"]["memory"]["live_bytes"])
for line in lines:
    product = line["per_poll"]["bytes"] * line["polls_per_second"]
    same("product", line["bytes_per_second"], product)
    if line["rate"]["polls"]:
        same("per_poll", line["per_poll"]["bytes"], line["rate"]["bytes"] / line["rate"]["polls"])
was = {site["id"]: site for site in before["sites"]["sites"]}
for site in after["sites"]["sites"]:
    for key, change in (("bytes", "bytes"), ("allocations", "allocations"),
                        ("live_bytes", "live_change")):
        seen = sum(row[change] for line in lines for row in line["sites"] if row["id"] == site["id"])
        same(f"site {site['id']} {key}", seen, site[key] - was.get(site["id"], {key: 0})[key])
print("\n".join(wrong))
sys.exit(bool(wrong))
END
}

# watch STEPS COMMAND ...: on a terminal, in a shell of its own; leaves screen.
watch() {
    local steps=$1
    shift
    echo "PS1='ready> '" >home/prompt
    TERM=xterm timeout 120 python3 "$root/tests/e2e/terminal.py" "$@" bash --rcfile home/prompt -i \
        >screen <<<"$steps"
}

@test "lines of JSON: each figure is the difference of two readings by report and sites" {
    begin
    turns 7
    keep before
    "$allocreport" live --json --limit 100000 --interval 300 "$pid" >lines 3>&- 4>&- &
    live=$!
    until_true test -s lines # it has read what stands in `before`
    turns 500
    turns 3
    keep after
    count=$(wc -l <lines)
    until_true sh -c "[ \$(wc -l <lines) -gt $((count + 1)) ]"
    kill "$live"
    compare before after lines
    same "turns" "$(python3 -c 'import json
print(sum(json.loads(line)["rate"]["frames"] for line in open("lines")))')" 503
    ends
}

@test "lines of text: the figures of the report's differences; time, rates, the site with most" {
    begin
    turns 10
    keep before
    "$allocreport" live --interval 5000 --count 1 "$dump" >lines 3>&- 4>&- &
    live=$!
    until_true test -s lines
    turns 200
    keep after
    wait "$live"
    same "lines" "$(wc -l <lines)" 3
    grep -q "^batches, pid $pid, SDL 2.*: $dump\$" lines
    grep -q '^ *time  *B/poll  *polls/s  *B/s  *B/frame  *allocs  *in use  most at$' lines
    # 200 turns: 100 bytes in each, 24 in each fifth
    per_poll=$(python3 -c 'import json
old, new = (json.load(open(f"{n}.report"))["rate"] for n in ("before", "after"))
print("%.2f" % ((new["bytes"] - old["bytes"]) / (new["polls"] - old["polls"])))')
    same "bytes per poll" "$per_poll" "104.80"
    tail -n 1 lines | grep -Eq "^ +[0-9.]+ m?s +104\.80 +[0-9.,]+ +[0-9.]+ k?B +104\.80 +1\.20 +[0-9.]+ [kM]?B  each_turn\$" ||
        { cat lines >&2; return 1; }
    ends
}

@test "the program ends, or is killed: the last figures, how it went, exit 0" {
    for how in ended killed; do
        begin
        turns 5
        "$allocreport" live --json --limit 100000 --interval 300 "$pid" >lines 3>&- 4>&- &
        live=$!
        "$allocreport" live --interval 3600000 "$pid" >text 3>&- 4>&- &
        text=$!
        until_true test -s lines
        until_true test -s text
        keep before
        turns 40
        if [ "$how" = killed ]; then kill -KILL "$pid"; fi
        ends
        wait "$live"
        wait "$text"
        [ -f "$dump" ] && [ ! -L "$dump" ]
        keep after
        compare before after lines
        grep -q "^$how after [0-9.]* " text
        rm -f orders answers "$dump"
    done
}

@test "the program replaces itself: the view goes on with the one that it became" {
    begin
    turns 5
    "$allocreport" live --json --interval 100 "$pid" >lines 3>&- 4>&- &
    live=$!
    until_true test -s lines
    echo exec >&4
    until_true sh -c "[ \$(grep -c ready answers) = 2 ]"
    dump=$(dump_of "$pid" .1)
    turns 30
    until_true grep -q '"total":{[^}]*"frames":30}' lines
    grep -q "\"dump\":\"$PWD/$dump\"" lines
    ends
    wait "$live"
}

@test "its dump is removed, under its feet: it goes on being watched" {
    begin
    turns 5
    "$allocreport" live --json --interval 100 "$dump" >lines 3>&- 4>&- &
    live=$!
    until_true test -s lines
    rm "$(readlink "$dump")" "$dump"
    turns 30
    until_true grep -q '"total":{[^}]*"frames":35}' lines
    ends
    wait "$live"
    tail -n 1 lines | grep -q '"state":"ended"'
}

@test "the process is left alone: its memory map is read once, and nothing else of it" {
    begin
    turns 5
    strace -o trace -e trace=%file,process_vm_readv,ptrace,kill "$allocreport" live --count 5 \
        --interval 100 "$dump" >lines 3>&- 4>&-
    same "lines" "$(wc -l <lines)" 7
    same "looks" "$(grep "/proc/$pid" trace | sed 's/.*\(".*"\).*/\1/')" "\"/proc/$pid/maps\""
    same "calls" "$(grep '^\(ptrace\|kill\|process_vm\)' trace | grep -cv '^kill([0-9]*, 0) ')" 0
    ends
}

@test "without an argument: the only one; several are listed" {
    begin
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_DIRECT=1 \
        ALLOCREPORT_OUT="$PWD/any name" "$progs/ends" wait </dev/null >/dev/null 3>&- 4>&- &
    other=$!
    until_true test -s "any name"
    run -2 --separate-stderr "$allocreport" live
    grep -q 'programs are being recorded; say which: allocreport live PID' <<<"$stderr"
    grep -qx "$pid  batches  $PWD/$dump" <<<"$output"
    grep -qx "$other  ends  $PWD/any name" <<<"$output"
    kill -KILL "$other"
    wait "$other" || :
    # Only where nobody else on this machine is being recorded is it the only one.
    code=0
    "$allocreport" live --count 1 --interval 100 >out 2>err || code=$?
    if [ "$code" = 0 ]; then
        grep -q "^batches, pid $pid," out
    else
        same "exit code" "$code" 2
        grep -q "^$pid  batches  " out
    fi
    ends
}

@test "what cannot be watched: no such process, not recorded, ended, no dump" {
    run -4 --separate-stderr "$allocreport" live 2147483646
    same "message" "$stderr" "allocreport: no process 2147483646 is being recorded"
    run -4 --separate-stderr "$allocreport" live $$
    same "message" "$stderr" "allocreport: no process $$ is being recorded"
    run -4 --separate-stderr "$allocreport" live "$root/tests/dumps/example.alloc"
    grep -q 'has ended; .allocreport report. shows what it did' <<<"$stderr"
    run -3 "$allocreport" live missing.alloc
    run -3 "$allocreport" live .
    run -2 "$allocreport" live --interval 99
}

@test "on a terminal: rates, course, sites; keys sort, pause and quit; the last view stays" {
    start "$examples/game"
    until_true dump_of "$pid"
    watch "see ready>
send '$allocreport' live --interval 200 $pid\\n
see ^game, pid $pid: runs for [0-9.]+ m?s, SDL 2
see ^[0-9.,]+ bytes in [0-9.]+ allocations per frame; [0-9.]+ frames/s\$
see ^[0-9.,]+ bytes/poll x [0-9.]+ polls/s = [0-9,]+ bytes/s
see ^B/frame [▁-█]+ [0-9.]+ m?s, at most
bottom ^q quit  space pause
see ^B/frame  allocs +in use  +change  site \\(.* by bytes\\)\$
see 1\\.00  +0 B  +0 B  waste_each_frame  game_waste.c:22
send a
see by allocations\\)\$
send s
see by live\\)\$
send \\x20
see ^game, .*\\(paused\\)\$
bottom space go on
send p
gone \\(paused\\)
send \\x1b[A\\x1bOP
resize 9 44
gone allocs +in use
bottom ^q quit
resize 5 30
gone ^q quit
resize 24 80
see allocs +in use
send q
see ^ready>
gone ^q quit
send echo still he''re\\n
see ^still here
send exit\\n
end"
    grep -q '^game, pid .*: runs for' screen
}

# A shell that is interactive puts the terminal's modes right by itself: so another one looks.
@test "on a terminal: Control-Z gives it back, fg goes on; Control-C, SIGTERM, q end it; all is as before" {
    start "$examples/game"
    until_true dump_of "$pid"
    cat >look <<END
trap : INT
stty -a >modes
\$2 '$allocreport' live --interval 200 $pid
echo \$1 code \$?
stty -a | diff modes - && echo \$1 same modes
END
    watch "see ready>
send '$allocreport' live $pid\\n
bottom ^q quit
send \\x1a
see Stopped
gone ^q quit
send echo he''llo\\n
see ^hello
send fg\\n
bottom ^q quit
send q
gone ^q quit
send bash look first\\n
bottom ^q quit
send q
see ^first code 0
see ^first same modes
send bash look second\\n
bottom ^q quit
send \\x03
gone ^q quit
see ^second code 130
see ^second same modes
send bash look third 'timeout --foreground 1'\\n
bottom ^q quit
see ^third code 124
see ^third same modes
send exit\\n
end"
}

@test "on a terminal: colours, unless NO_COLOR; ASCII alone where the locale has no more" {
    start "$examples/game"
    until_true dump_of "$pid"
    for how in "" NO_COLOR=1 LC_ALL=C; do
        watch "see ready>
send $how '$allocreport' live --count 4 --interval 200 $pid\\n
bottom ^q quit
see ^ready> *\$
gone ^q quit
send exit\\n
end" --raw "raw$how"
    done
    grep -q $'\033\\[1;31m' raw
    LC_ALL=C grep -q $'\342\226' raw
    LC_ALL=C grep -q $'\342\226' rawNO_COLOR=1
    run ! grep -q $'\033\\[[0-9;]*m' rawNO_COLOR=1
    grep -q 'B/frame [_.:=+*#-]* ' rawLC_ALL=C
    run ! env LC_ALL=C grep -q $'[\200-\377]' rawLC_ALL=C
}

# talker: a program that prints on both streams and asks, then is the game.
talker() {
    printf '#!/bin/sh\necho to its output\necho to its error >&2\nread -r name || echo no input\nexec "%s" %s\n' \
        "$examples/game" "$1" >talker
    chmod +x talker
}

@test "run --live: the view while it runs, what it printed afterwards, then the report" {
    talker '--frames 200'
    watch "see ready>
send stty -a >modes; '$allocreport' run --live -- ./talker; echo code \$?\\n
see ^game, pid [0-9]+: runs for
gone to its
bottom ^q quit
send a
see by allocations\\)\$
see ^code 0
gone ^q quit
send stty -a | diff modes - && echo same mo''des\\n
see ^same modes
send exit\\n
end" --rows 50
    grep -n '^to its output$\|^to its error$\|^no input$\|^game --frames 200$\|^the steady loop allocates' screen |
        cut -d: -f2 >order
    same "order" "$(head -n 4 order | xargs)" "to its output to its error no input game --frames 200"
    grep -q '^the steady loop' order
    run ! grep -q 'runs for' screen
}

@test "run --live: q leaves the view for the status line, Control-Z and fg, Control-C ends the game" {
    talker ''
    watch "see ready>
send '$allocreport' run --live -- ./talker\\n
bottom ^q quit
send \\x1a
see Stopped
gone ^q quit
send echo he''llo\\n
see ^hello
send fg\\n
bottom ^q quit
send q
bottom allocreport: [0-9,]+ polls
gone ^q quit
send \\x03
see ^next
gone allocreport: [0-9,]+ polls
send exit\\n
end" --rows 50
    grep -q 'to its output$' screen
}

@test "run --live without a terminal: a line for each reading on standard error, its output left alone" {
    "$allocreport" run --live --report report.txt -- "$examples/game" --frames 200 >out 2>err </dev/null
    same "output" "$(cat out)" ""
    grep -q '^the steady loop allocates' report.txt
    grep -q "^game, pid [0-9]*, SDL 2.*: game\.[0-9]*\.alloc\$" err
    [ "$(grep -c ' waste_each_frame$' err)" -ge 2 ]
}
