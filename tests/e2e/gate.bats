#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The gate: each thing that it promises, with a small program that does just that.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets what is used here

load helpers

# gate CODE PROGRAM [ARGUMENT ...]: run --check ends with that code; leaves answer.json and messages.
gate() {
    local wanted=$1 code=0
    shift
    "$allocreport" run --check --json "${options[@]}" -- "$@" >answer.json 2>messages || code=$?
    same "exit code of '$*'" "$code" "$wanted" || { cat messages answer.json >&2; return 1; }
    same "exit_code" "$(look field answer.json exit_code)" "$wanted"
}
options=()

# check CODE [OPTION ...] DUMP: the same of a dump.
check() {
    local wanted=$1 code=0
    shift
    "$allocreport" check --json "$@" >answer.json 2>messages || code=$?
    same "exit code of 'check $*'" "$code" "$wanted" || { cat messages answer.json >&2; return 1; }
}

# checked NAME EXPRESSION: of the check of that name, in Python; `c` is the check.
checked() {
    python3 - "$1" "$2" <<'END'
import json, sys
checks = [c for c in json.load(open("answer.json"))["checks"] if c["name"] == sys.argv[1]]
assert len(checks) == 1, f"{len(checks)} checks are named {sys.argv[1]}"
c = checks[0]
print(eval(sys.argv[2]))
END
}

recurring='recurring: allocations per poll'
growth='growth: live growth per poll'
rare='rare: total allocations'

@test "one byte in every poll: exceeded, exactly 1 of each, with function, file and line" {
    gate 1 "$progs/gate_every"
    same "allocations" "$(checked "$recurring" 'c["actual"]["most"]["value"]')" 1.0
    same "exact" "$(checked "$recurring" 'c["actual"]["exact"]')" True
    same "site" "$(checked "$recurring" '[(s["function"], s["file"].split("/")[-1], s["line"])
        for s in c["sites"]]')" "[('every_makes', 'gate_every.c', $(grep -n 'malloc(1)' "$root/tests/progs/gate_every.c" | cut -d: -f1))]"
    same "bytes" "$(checked "$recurring" '[s["bytes"] == s["allocations"] for s in c["sites"]]')" "[True]"
}

@test "an allocation in every 1000th poll: seen, though a thousandth" {
    gate 1 "$progs/gate_thousandth"
    same "status" "$(checked "$recurring" 'c["status"]')" fail
    same "its share" "$(checked "$recurring" '0.0008 < c["actual"]["most"]["value"] < 0.0013')" True
    same "not rounded away" "$(checked "$recurring" 'c["actual_text"] not in ("0/poll", "")')" True
    same "cadence" "$(checked "$recurring" 'c["sites"][0]["cadence"]')" periodic
}

@test "one lump in 10000 polls: warns, passes; fails under --strict" {
    gate 0 "$progs/gate_lump"
    same "status" "$(checked "$rare" 'c["status"], c["sites"][0]["function"]')" "('warn', 'lump_makes')"
    options=(--strict)
    gate 1 "$progs/gate_lump"
}

@test "a doubling array: warns as growth, passes" {
    gate 0 "$progs/gate_doubling"
    same "status" "$(checked "$rare" 'c["status"], c["sites"][0]["cadence"]')" "('warn', 'growth')"
    same "growth" "$(checked "$growth" 'c["status"]')" pass
}

@test "a worker that allocates while the loop does not: passes" {
    gate 0 "$progs/gate_worker"
    same "warnings" "$(look field answer.json counts.warn)" 0
    report "$(only_dump)"
    sites "$(only_dump)"
    same "the worker was seen" "$(inspect 'sum(s["allocations"] for s in sites if s["where"] == "other_threads") > 1000')" True
}

@test "a leak of 16 bytes a second: live bytes grow" {
    gate 1 "$progs/gate_leak" 6
    same "status" "$(checked "$growth" 'c["status"], c["sites"][0]["function"]')" "('fail', 'leak_makes')"
}

@test "halves that differ: inconclusive, though every poll allocates" {
    gate 4 "$progs/gate_unsteady"
    same "status" "$(checked steady 'c["status"], c["sites"][0]["function"]')" "('unknown', 'unsteady_makes')"
}

@test "a run too short: inconclusive" {
    gate 4 "$progs/gate_short"
    same "status" "$(checked 'steady polls' 'c["status"]')" unknown
}

@test "nothing allocates: passes; a program that fails or crashes: 6, whatever it allocated" {
    gate 0 "$progs/gate_nothing"
    gate 6 "$progs/gate_nothing" 3
    same "text" "$(checked program 'c["text"]')" "it exited with 3"
    gate 6 "$progs/gate_crash"
    same "text" "$(checked program 'c["text"].startswith("it was ended by signal 11")')" True
    same "the rest is told" "$(checked "$recurring" 'c["status"]')" pass
    run -6 "$allocreport" run --check -- ./no-such-program
}

@test "the dump of a crashed program warns; a truncated one is not judged" {
    record "$progs/gate_crash" || :
    mv "$(only_dump)" crashed.alloc
    check 0 crashed.alloc
    same "status" "$(checked recording 'c["status"]')" warn
    head -c 20000 crashed.alloc >"part"
    check 3 part
    grep -q "is damaged at byte" messages
    : >empty
    check 3 empty
    check 3 "$root/README.md"
    rm -f crashed.alloc
}

@test "a program that never polls, or whose allocations are not seen, does not pass" {
    run -4 "$allocreport" run --check -- "$progs/never_polls"
    record ALLOCREPORT_ALWAYS=1 "$progs/never_polls"
    check 4 "$(only_dump)"
    same "status" "$(checked recording 'c["status"]')" unknown
}

@test "the seeded regression of examples/game: fails and names its line; passes without it" {
    gate 0 "$examples/game" --frames 2000 --fast --tidy
    gate 1 "$examples/game" --frames 2000 --fast --tidy --regression
    line=$(awk '/^static.* draw_score/ { inside = 1 } inside && /malloc/ { print NR; exit }' "$root/examples/game.c")
    same "site" "$(checked "$recurring" '[(s["function"], s["file"].split("/")[-1], s["line"]) for s in c["sites"]]')" \
        "[('draw_score', 'game.c', $line)]"
    rm -f ./*.alloc
    record "$examples/game" --frames 2000 --fast --tidy --regression
    run -1 "$allocreport" check "$(only_dump)"
    grep -q "draw_score (.*game.c:$line)" <<<"$output"
    grep -q "main at .*game.c" <<<"$output"
}

@test "the site that was added is named, also where others alone exceed the limit" {
    printf 'require:\n  steady: false\nbudgets:\n  loop:\n    bytes: 200 B\n' >budget.yml
    run -1 "$allocreport" run --check --budget budget.yml -- "$examples/game" --frames 2000 --keys 20 --fast
    grep -q '^      also counted' <<<"$output"
    for site in waste_each_frame waste_growing_trail waste_slow_leak; do
        grep -q "^      $site (.*game_waste.c:[0-9]*): " <<<"$output"
    done
}

@test "--self-test: reads exactly one and one; a dead instrument is exit 3" {
    "$allocreport" check --self-test >text
    grep -q '1.00 allocations and 1.00 bytes' text
    cp "$progs/count_preload.so" dead.so
    run -3 env ALLOCREPORT_LIBRARY="$PWD/dead.so" "$allocreport" check --self-test
    run -2 "$allocreport" check --self-test x.alloc
    same "left behind" "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'allocreport-self-test-*' -newer text)" ""
}

@test "names with & < > \" % newline: exact in XML, annotations and Markdown" {
    name=$'a&b<c>"d%e\nf|g'
    cp "$progs/gate_names" "$name"
    GITHUB_STEP_SUMMARY=$PWD/summary.md GITHUB_ACTIONS=true GITHUB_WORKSPACE=$root \
        "$allocreport" run --check --junit unit.xml --markdown note.md -- "./$name" >actions 2>messages || code=$?
    same "exit code" "$code" 1
    cmp note.md summary.md
    python3 - "$name" <<'END'
import re, sys, xml.etree.ElementTree as tree
name = sys.argv[1]
suite = tree.parse("unit.xml").getroot().find("testsuite")
assert suite.get("name") == "allocreport." + name, suite.get("name")
text = "".join(suite.itertext())
for wanted in ("operator<", "operator>", "operator%", "operator/", 'operator"" _quoted'):
    assert wanted in text, wanted

lines = open("actions", encoding="utf-8").read().split("\n")
commands = [l for l in lines if l.startswith("::error")]
assert len(commands) == 1, commands
match = re.fullmatch(r"::error file=([^,:]*),line=(\d+),title=([^,:]*)::(.*)", commands[0])
assert match, commands[0]
decode = lambda s: s.replace("%3A", ":").replace("%2C", ",").replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
assert match[1] == "tests/progs/gate_names.cpp", match[1]
for wanted in ("operator<", "operator>", "operator% (", "operator/", 'operator"" _quoted'):
    assert wanted in decode(match[4]), wanted
assert all(code in ("%25", "%0A", "%0D", "%3A", "%2C") for code in re.findall("%..", commands[0]))

# No line of the text is a command: it stands between two lines with a word of their own.
start = [l for l in lines if l.startswith("::stop-commands::")]
assert len(start) == 1
word = start[0].split("::")[2]
assert lines.count(f"::{word}::") == 1

import html
note = open("note.md", encoding="utf-8").read()
head = note.split("\n")[0]
assert html.unescape(head).startswith("### allocreport: " + name.replace("\n", " ")), head
assert not re.search(r"[<>\"|%]", head.replace("%", "")), head
assert "<" not in note.split("Look further")[0]
END
}

@test "JUnit: escaped, whole, and read by a parser" {
    record "$progs/gate_every"
    code=0
    "$allocreport" check --format junit "$(only_dump)" >unit.xml || code=$?
    same "exit code" "$code" 1
    python3 - <<'END'
import xml.etree.ElementTree as tree
suite = tree.parse("unit.xml").getroot().find("testsuite")
cases = suite.findall("testcase")
assert int(suite.get("tests")) == len(cases)
assert int(suite.get("failures")) == len(suite.findall("testcase/failure")) == 1
assert int(suite.get("errors")) == len(suite.findall("testcase/error")) == 0
END
}

@test "a locale with decimal commas changes nothing" {
    mkdir locales
    localedef -i de_DE -f UTF-8 "$PWD/locales/de_DE.UTF-8"
    record "$progs/gate_thousandth"
    dump=$(only_dump)
    for format in text json junit github markdown; do
        "$allocreport" check --format $format "$dump" >plain || :
        LOCPATH=$PWD/locales LC_ALL=de_DE.UTF-8 "$allocreport" check --format $format "$dump" >other || :
        cmp plain other
    done
    # The locale is one with commas indeed.
    same "comma" "$(LOCPATH=$PWD/locales LC_ALL=de_DE.UTF-8 locale decimal_point)" ","
}

@test "run --check: options that do not go together are refused before the program starts" {
    touch target
    for wrong in "--budget x.yml" "--baseline x.json" "--strict" "--junit x" "--markdown x" "--format json"; do
        # shellcheck disable=SC2086 # words
        run -2 "$allocreport" run $wrong -- rm target
    done
    run -2 "$allocreport" run --check --quiet -- rm target
    run -2 "$allocreport" run --check --budget no-such.yml -- rm target
    run -3 "$allocreport" run --check --baseline no-such.json -- rm target
    [ -e target ]
}
