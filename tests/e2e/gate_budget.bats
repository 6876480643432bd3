#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The gate with budget files and baselines, and the CI jobs that are shown.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets what is used here

load helpers

# check CODE [OPTION ...] DUMP: 'check' ends with that code; leaves answer.json and messages.
check() {
    local wanted=$1 code=0
    shift
    "$allocreport" check --json "$@" >answer.json 2>messages || code=$?
    same "exit code of 'check $*'" "$code" "$wanted" || { cat messages answer.json >&2; return 1; }
}

# status NAME: of the check of that name.
status() {
    python3 - "$1" <<'END'
import json, sys
print(*[c["status"] for c in json.load(open("answer.json"))["checks"] if c["name"] == sys.argv[1]])
END
}

# make_dump PROGRAM [ARGUMENT ...]: leaves game.alloc.
make_dump() {
    rm -f ./*.alloc
    record "$@"
    mv "$(only_dump)" game.alloc
}

# budget LINE ...: leaves budget.yml with one budget, 'test', of these lines.
budget() {
    { printf 'budgets:\n  test:\n'; printf '    %s\n' "$@"; } >budget.yml
}

@test "a limit that is equal to the value passes; a little less fails" {
    make_dump "$progs/gate_every"
    budget "bytes: 1 B" "allocations: 1.0"
    check 0 -b budget.yml game.alloc
    budget "bytes: 0.999999999 B"
    check 1 -b budget.yml game.alloc
    grep -q 'game.alloc' answer.json
    budget "bytes: {max: 1 B, min: 1 B}"
    check 0 -b budget.yml --strict game.alloc
    budget "bytes: {min: 1.000000001 B}"
    check 0 -b budget.yml game.alloc
    check 5 -b budget.yml --strict game.alloc
}

@test "polls twice per event: the frame's budget is unchanged" {
    for empty in 1 2 7; do
        make_dump "$progs/gate_twice" $empty
        budget "per: frame" "bytes: {max: 48 B, min: 48 B}" "allocations: {max: 1, min: 1}"
        check 0 -b budget.yml --strict game.alloc
        budget "bytes: 48 B" "site: '*!frame_makes'" "per: frame"
        check 0 -b budget.yml game.alloc
        budget "bytes: 47 B" "site: '*!frame_makes'" "per: frame"
        check 1 -b budget.yml game.alloc
    done
}

@test "the scope: start-up is not the loop's; threads and places are told apart" {
    make_dump "$progs/gate_every"
    budget "scope: startup" "bytes: 1 B"
    check 1 -b budget.yml game.alloc
    budget "where: in poll" "bytes: 0 B"
    check 0 -b budget.yml game.alloc
    budget "where: [in poll, between polls]" "bytes: 0 B"
    check 1 -b budget.yml game.alloc
    budget "site: 'gate_every!main > every_makes'" "bytes: 1 B" "sites: {max: 1, min: 1}"
    check 0 -b budget.yml --strict game.alloc
    budget "site: 'gate_every!main >> nobody'" "bytes: 0 B"
    check 0 -b budget.yml game.alloc
    make_dump "$progs/gate_worker"
    budget "thread: loop" "bytes: 0 B"
    check 0 -b budget.yml game.alloc
    budget "thread: all" "bytes: 0 B"
    check 1 -b budget.yml game.alloc
}

@test "an allowance: holds, is exceeded, has expired, expires soon, is not needed" {
    make_dump "$progs/gate_every"
    allow() {
        budget "bytes: 0 B"
        cat >>budget.yml <<END
allowances:
  - site: "$1"
    bytes: $2
    reason: of a test
    expires: $3
END
    }
    allow 'gate_every!every_makes' '1 B' 2999-12-31
    check 0 -b budget.yml --strict game.alloc
    allow 'gate_every!every_makes' '0.99 B' 2999-12-31
    check 1 -b budget.yml game.alloc
    allow 'gate_every!every_makes' '1 B' 2020-02-29
    check 1 -b budget.yml game.alloc
    same "status" "$(status 'allowance: gate_every!every_makes')" fail
    allow 'gate_every!every_makes' '1 B' "$(date -u -d '+20 days' +%F)"
    check 0 -b budget.yml game.alloc
    check 1 -b budget.yml --strict game.alloc
    sed -i 's/bytes: 0 B/bytes: 1 B/; s/every_makes/nobody/' budget.yml
    check 0 -b budget.yml game.alloc
    same "status" "$(status 'allowance: gate_every!nobody')" warn
    check 1 -b budget.yml --strict game.alloc
}

@test "what never was in the process: exit 2, with the place" {
    make_dump "$progs/gate_every"
    budget "thread: audio*" "bytes: 1 B"
    check 2 -b budget.yml game.alloc
    grep -q "budget.yml:3:13: .*no thread's name matches 'audio\*'" messages
    budget "site: libGone.so*!f" "bytes: 1 B"
    check 2 -b budget.yml game.alloc
    grep -q "budget.yml:3:11: .*no module's name matches 'libGone.so\*'" messages
    budget "bytes: +5 %"
    check 2 -b budget.yml game.alloc
    grep -q "budget.yml:3:5: .*--baseline" messages
}

@test "conditions: a budget that does not apply is skipped; if none applies, nothing passes" {
    make_dump "$progs/gate_every"
    budget "when: {video: dummy, sdl: '2.*'}" "bytes: 0 B"
    check 1 -b budget.yml game.alloc
    budget "when: {video: x11}" "bytes: 0 B"
    check 4 -b budget.yml game.alloc
    printf '  other:\n    bytes: 1 B\n' >>budget.yml
    check 0 -b budget.yml game.alloc
    same "status" "$(status test)" skipped
}

@test "times warn, and fail if they are made to" {
    make_dump "$progs/gate_every"
    budget "polls per second: 1000000000000"
    check 0 -b budget.yml --strict game.alloc
    same "status" "$(status 'test: polls per second, at least')" warn
    budget "polls per second: {min: 1000000000000, fails: true}"
    check 1 -b budget.yml game.alloc
    budget "poll time p99: 1 s"
    check 0 -b budget.yml game.alloc
    same "status" "$(status 'test: poll time p99')" pass
}

@test "budget init: the run passes what was made of it, one that allocates more does not" {
    make_dump "$examples/game" --frames 2000 --fast --tidy
    "$allocreport" budget init game.alloc >first.yml
    "$allocreport" budget lint first.yml
    check 0 -b first.yml game.alloc
    make_dump "$examples/game" --frames 2000 --fast --tidy --regression
    check 1 -b first.yml game.alloc
    make_dump "$progs/gate_short"
    run -4 "$allocreport" budget init game.alloc
    make_dump "$progs/gate_unsteady"
    run -4 "$allocreport" budget init game.alloc
}

@test "a wrong budget file: exit 2 with file, line, column and what was meant" {
    # wrong PLACE WORDS LINE ...
    wrong() {
        local place=$1 words=$2 code=0
        shift 2
        printf '%s\n' "$@" >wrong.yml
        "$allocreport" budget lint wrong.yml >output 2>messages || code=$?
        same "exit code of $*" "$code" 2
        same "output" "$(cat output)" ""
        grep -q "^allocreport: wrong.yml:$place: .*$words" messages || { echo "$*: $(cat messages)" >&2; return 1; }
        same "lines" "$(wc -l <messages)" 1
    }
    a='budgets: {a: {'
    wrong 2:1 "empty" ''
    wrong 1:1 "'budgets:'" '[]'
    wrong 1:10 "empty" 'budgets: {}'
    wrong 2:6 "empty" 'budgets:' '  a: {}'
    wrong 2:3 "limits nothing" 'budgets:' '  a: {per: frame}'
    wrong 1:15 "did you mean 'bytes'" "${a}byte: 1 B}}"
    wrong 1:1 "did you mean 'budgets'" 'budget: {}'
    wrong 1:27 "here twice; first in line 1" "${a}bytes: 1 B, bytes: 2 B}}"
    wrong 3:3 "here twice" 'budgets:' '  a: {bytes: 1 B}' '  a: {bytes: 1 B}'
    wrong 1:22 "has no unit" "${a}bytes: 12}}"
    wrong 1:22 "has no unit" "${a}bytes: 0}}"
    wrong 1:22 "kB (1000 bytes) or KiB (1024 bytes)" "${a}bytes: 4 KB}}"
    wrong 1:28 "wrong unit" "${a}allocations: 4 B}}"
    wrong 1:22 "no decimal point" "${a}bytes: '1,5 B'}}"
    wrong 1:22 "no number" "${a}bytes: many}}"
    wrong 1:22 "sign" "${a}bytes: -4 B}}"
    wrong 1:22 "too large" "${a}bytes: 99999999999999999999 B}}"
    wrong 1:22 "empty" "${a}bytes: {}}}"
    wrong 1:22 "'min' is more than 'max'" "${a}bytes: {min: 2 B, max: 1 B}}}"
    wrong 1:22 "anchors" "${a}bytes: &x 4 B}}"
    wrong 1:22 "tags" "${a}bytes: !!str 4 B}}"
    wrong 1:22 "aliases" "${a}bytes: *x}}"
    wrong 1:22 "did you mean 'steady'" "${a}scope: steddy, bytes: 1 B}}"
    wrong 1:21 "line or an offset" "${a}site: 'game.c:12', bytes: 1 B}}"
    wrong 1:15 "of polls" "${a}p99: 1 B, scope: startup}}"
    wrong 2:1 "'budgets:'\|did you mean\|no part" "${a}bytes: 1 B}}" 'other: 1'
    wrong 2:1 "second document" "${a}bytes: 1 B}}" '--- {}'
    wrong 2:14 "lacks reason" "${a}bytes: 1 B}}" 'allowances: [{site: f, bytes: 1 B, expires: 2030-01-01}]'
    wrong 2:14 "lacks expires" "${a}bytes: 1 B}}" 'allowances: [{site: f, bytes: 1 B, reason: so}]'
    wrong 2:14 "lacks bytes" "${a}bytes: 1 B}}" 'allowances: [{site: f, reason: so, expires: 2030-01-01}]'
    wrong 2:14 "lacks site" "${a}bytes: 1 B}}" 'allowances: [{bytes: 1 B, reason: so, expires: 2030-01-01}]'
    wrong 2:59 "no day" "${a}bytes: 1 B}}" 'allowances: [{site: f, bytes: 1 B, reason: so, expires:   2030-02-30}]'
    wrong 2:13 "empty\|list" "${a}bytes: 1 B}}" 'allowances: []'
    wrong 2:18 "whole number" "${a}bytes: 1 B}}" 'require: {polls: many}'
    run -2 "$allocreport" budget lint no-such.yml
    run -2 "$allocreport" budget lint .
    run -2 "$allocreport" budget check x
}

# run_steps FILE: the commands of the job that do not build, in a directory that looks like a checkout.
run_steps() {
    ln -sfn "$root/examples" examples
    mkdir -p build
    ln -sfn "$allocreport" build/allocreport
    ln -sfn "$recorder" build/liballocreport.so
    ln -sfn "$examples" build/examples
    python3 - "$1" >steps.sh <<'END'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))
if "jobs" in job:
    steps = [s["run"] for s in job["jobs"]["allocations"]["steps"] if "run" in s]
    env = job["jobs"]["allocations"]["env"]
else:
    steps = job["allocations"]["script"]
    env = job["allocations"]["variables"]
print("set -e")
for name, value in env.items():
    print(f"export {name}='{value}'")
for step in steps:
    if not step.startswith(("make", "sudo")):
        print(step)
END
    same "steps" "$(grep -c allocreport steps.sh)" 2
}

@test "examples/ci: the GitHub workflow passes, and names the line of a regression" {
    run_steps "$root/examples/ci/github.yml"
    export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$PWD/summary.md GITHUB_WORKSPACE=$root CI=true
    bash steps.sh >output
    grep -q '^### allocreport: game passes' summary.md
    grep -q '<testsuite ' allocations.xml
    sed -i 's/--tidy/--tidy --regression/' steps.sh
    run -1 bash steps.sh
    line=$(awk '/^static.* draw_score/ { inside = 1 } inside && /malloc/ { print NR; exit }' "$root/examples/game.c")
    grep -q "^::error file=examples/game.c,line=$line,title=" <<<"$output"
    grep -q '<failure ' allocations.xml
}

@test "examples/ci: the GitLab job passes, and fails for a regression" {
    run_steps "$root/examples/ci/gitlab.yml"
    export GITLAB_CI=true CI=true
    bash steps.sh >output
    sed -i 's/--tidy/--tidy --regression/' steps.sh
    run -1 bash steps.sh
    grep -q '<failure ' allocations.xml
}

@test "a baseline: made, kept, compared with, refused in CI" {
    unset CI
    make_dump "$progs/gate_every"
    budget "bytes: {max: 4 B, change: +5 %}" "new sites: 0"
    check 3 -b budget.yml --baseline base.json game.alloc
    "$allocreport" check -b budget.yml --baseline base.json --update game.alloc >difference
    [ -s base.json ]
    check 0 -b budget.yml --baseline base.json game.alloc
    cp base.json before.json
    CI=true run -2 "$allocreport" check -b budget.yml --baseline base.json --update game.alloc
    cmp base.json before.json
    CI=true "$allocreport" check -b budget.yml --baseline base.json --update --ci game.alloc >difference
    make_dump "$progs/gate_unsteady"
    run -4 "$allocreport" check -b budget.yml --baseline base.json --update game.alloc
    cmp base.json before.json
    make_dump "$progs/gate_names"
    check 1 -b budget.yml --baseline base.json game.alloc
    same "more than the baseline" "$(status 'test: bytes per poll, to the baseline')" fail
    same "new sites" "$(status 'test: new sites')" fail
    make_dump "$progs/gate_nothing"
    check 0 -b budget.yml --baseline base.json game.alloc
    same "less than the baseline" "$(status 'test: bytes per poll, to the baseline')" better
    check 5 -b budget.yml --baseline base.json --strict game.alloc
    "$allocreport" check -b budget.yml --baseline base.json --tighten game.alloc >difference
    check 0 -b budget.yml --baseline base.json --strict game.alloc
    echo '{' >base.json
    check 3 -b budget.yml --baseline base.json game.alloc
}
