#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Budget files as people write them, and 'allocreport budget'. What is refused, word by word:
# tests/unit/test_budget_wrong.c; what the gate makes of budgets: gate_budget.bats.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets what is used here

load helpers

# check CODE BUDGET DUMP: 'check' ends with that code.
check() {
    local code=0
    "$allocreport" check -b "$2" "$3" >answer 2>messages || code=$?
    same "exit code with $2" "$code" "$1" || { cat "$2" answer messages >&2; return 1; }
}

# make_dump PROGRAM [ARGUMENT ...]: leaves game.alloc.
make_dump() {
    rm -f ./*.alloc
    record "$@"
    mv "$(only_dump)" game.alloc
}

# says CODE PATTERN ARGUMENT ...: the command ends so, prints one line of that pattern and no result.
says() {
    local wanted=$1 pattern=$2 code=0
    shift 2
    "$allocreport" "$@" >output 2>messages || code=$?
    same "exit code of $*" "$code" "$wanted"
    same "output of $*" "$(cat output)" ""
    same "lines of $*" "$(wc -l <messages)" 1
    grep -q -- "$pattern" messages || { cat messages >&2; return 1; }
}

@test "the file and the example of the man page are well written, and judge a run" {
    make_dump "$progs/gate_nothing"
    # Each displayed block that begins with one of the parts of a file.
    awk '/^\.Bd/ { inside = 1; text = ""; next }
         /^\.Ed/ { if (text ~ /^(budgets|require):/) { n++; printf "%s", text >("page" n ".yml") } inside = 0 }
         inside { text = text $0 "\n" }' "$root/cli/man/allocreport-budget.5"
    [ -s page1.yml ] && [ -s page2.yml ]
    same "lines of the smallest" "$(wc -l <page1.yml)" 3
    for page in page*.yml; do
        "$allocreport" budget lint "$page"
    done
    check 0 page1.yml game.alloc
    check 2 page2.yml game.alloc # it is relative to a baseline, and names a module that was not there
    same "what does not fit" "$(grep -c '^allocreport: page2.yml:' messages)" 2
}

@test "each word of a budget file stands in its man page" {
    MANWIDTH=200 man -l "$root/cli/man/allocreport-budget.5" >page
    # The reader's own lists, as it prints them.
    words() {
        printf '%s\n' "$1" >wrong.yml
        "$allocreport" budget lint wrong.yml 2>&1 | sed 's/.*there are: //; s/, /\n/g'
    }
    {
        words 'zzzzzzzz: 1'
        words 'budgets: {a: {zzzzzzzz: 1}}' | grep -v '^allocating share$' # 'allocating polls: 5 %' says it
        words 'budgets: {a: {bytes: {zzzzzzzz: 1}}}'
        words 'budgets: {a: {scope: zzzzzzzz}}'
        words 'budgets: {a: {where: zzzzzzzz}}'
        words 'budgets: {a: {per: zzzzzzzz}}'
        words 'budgets: {a: {cadence: zzzzzzzz}}'
        words 'budgets: {a: {when: {zzzzzzzz: 1}}}'
        words 'require: {zzzzzzzz: 1}'
        words 'allowances: [{zzzzzzzz: 1}]'
    } >listed
    [ "$(wc -l <listed)" -gt 60 ]
    while read -r word; do
        grep -qwF -- "$word" page || { echo "the page lacks '$word'" >&2; return 1; }
    done <listed
}

@test "a worker's allocations count for 'other threads', whatever 'thread' would be without" {
    make_dump "$progs/gate_worker"
    printf 'budgets:\n  a:\n    where: other threads\n    total bytes: 0 B\n' >budget.yml
    check 1 budget.yml game.alloc
    printf 'budgets:\n  a:\n    where: [in poll, between polls]\n    total bytes: 0 B\n' >budget.yml
    check 0 budget.yml game.alloc
    printf 'budgets:\n  a:\n    thread: loop\n    where: other threads\n    total bytes: 0 B\n' >budget.yml
    says 2 'budget.yml:4:12: .*leave out' budget lint budget.yml
    printf 'budgets:\n  a:\n    where: [in poll, other threads]\n    thread: loop\n    bytes: 0 B\n' >budget.yml
    says 2 'budget.yml:3:12: .*leave out' budget lint budget.yml
}

@test "a named thread in a place that it never is in: exit 2, since it would pass for ever" {
    make_dump "$progs/gate_worker"
    printf 'budgets:\n  a:\n    thread: worker\n    total bytes: 0 B\n' >budget.yml
    check 1 budget.yml game.alloc
    printf 'budgets:\n  a:\n    thread: worker\n    where: other threads\n    total bytes: 0 B\n' >budget.yml
    check 1 budget.yml game.alloc
    printf 'budgets:\n  a:\n    thread: worker\n    where: in poll\n    bytes: 0 B\n' >budget.yml
    check 2 budget.yml game.alloc
    grep -q "budget.yml:3:13: .*no thread 'worker' polls" messages
    printf 'budgets:\n  a:\n    thread: gate_worker\n    where: other threads\n    bytes: 0 B\n' >budget.yml
    check 2 budget.yml game.alloc
    grep -q "budget.yml:3:13: .*each thread 'gate_worker' polls" messages
}

@test "the whole process is counted once, not for each poll, unless that is said" {
    make_dump "$progs/gate_every"
    printf 'budgets:\n  a:\n    scope: process\n    allocations: 100\n' >budget.yml
    check 1 budget.yml game.alloc
    printf 'budgets:\n  a:\n    scope: process\n    per: poll\n    allocations: 100\n' >budget.yml
    check 0 budget.yml game.alloc
}

@test "only sites that grow: a leak is told from what is as large and let go" {
    make_dump "$progs/gate_leak"
    printf 'budgets:\n  a:\n    thread: all\n    growing: true\n    live growth: 0 B\n' >budget.yml
    check 1 budget.yml game.alloc
    make_dump "$progs/gate_every"
    check 0 budget.yml game.alloc
}

@test "budget init: writes to a file, never over one; comments say what was measured" {
    make_dump "$progs/gate_every"
    "$allocreport" budget init game.alloc >first.yml
    grep -q '^    allocations: 1  *# measured 1/drain; no headroom$' first.yml
    grep -q '^    peak live: .* # measured .* B; 10 % above it$' first.yml
    same "long lines" "$(grep -E '.{90}' first.yml)" ""
    "$allocreport" budget lint --dump game.alloc first.yml
    check 0 first.yml game.alloc
    "$allocreport" budget init -o second.yml game.alloc >output
    same "output" "$(cat output)" ""
    cmp first.yml second.yml
    echo mine >second.yml
    says 2 "cannot write 'second.yml': File exists" budget init -o second.yml game.alloc
    same "the file" "$(cat second.yml)" mine
    says 2 "no/such.yml" budget init -o no/such.yml game.alloc
    # No headroom: one allocation more for each poll is too much.
    sed -i 's/^    allocations: 1 /    allocations: 0.99 /' first.yml
    check 1 first.yml game.alloc
}

@test "budget init: what is measured passes, whatever the program does" {
    for program in gate_every gate_worker gate_lump gate_twice gate_thousandth gate_nothing gate_names; do
        make_dump "$progs/$program"
        "$allocreport" budget init game.alloc >first.yml
        "$allocreport" budget lint --dump game.alloc first.yml
        check 0 first.yml game.alloc
    done
}

@test "budget lint --dump: modules and threads that the run did not have" {
    make_dump "$progs/gate_worker"
    printf 'budgets:\n  a:\n    thread: wrker\n    bytes: 0 B\n' >budget.yml
    "$allocreport" budget lint budget.yml
    says 2 "budget.yml:3:13: a: no thread's name matches 'wrker'" budget lint --dump game.alloc budget.yml
    printf 'budgets:\n  a:\n    site: libGone*!*\n    bytes: 0 B\n' >budget.yml
    says 2 "budget.yml:3:11: a: no module's name matches 'libGone\*'" budget lint -d game.alloc budget.yml
    printf 'budgets:\n  a:\n    bytes: {max: 9 MB, change: +5 %%}\n    new sites: 0\n' >budget.yml
    "$allocreport" budget lint --dump game.alloc budget.yml # it needs no baseline
    cat >>budget.yml <<'END'
allowances:
  - {site: "libGone*!*", bytes: 1 B, reason: of a test, expires: 2999-12-31}
END
    says 2 "budget.yml:6:5: .*no module's name" budget lint --dump game.alloc budget.yml
    sed -i '/allowances/,$d' budget.yml
    says 3 "no-such.alloc" budget lint --dump no-such.alloc budget.yml
    run -3 "$allocreport" budget lint --dump "$root/tests/dumps/truncated.alloc" budget.yml
}

@test "budget: options of the other word, too many words, a file that is none" {
    printf 'budgets:\n  a:\n    bytes: 0 B\n' >budget.yml
    says 2 "'--output' is for 'budget init'" budget lint -o x.yml budget.yml
    says 2 "'--dump' is for 'budget lint'" budget init --dump x.alloc y.alloc
    says 2 "neither 'init' nor 'lint'" budget check budget.yml
    says 2 "cannot read 'none.yml': No such file" budget lint none.yml
    says 2 "cannot read '.': Is a directory" budget lint .
    says 2 "/dev/zero:1:1: .*larger than" budget lint /dev/zero
    says 2 "/dev/null:1:1: the file is empty" budget lint /dev/null
    "$allocreport" budget lint <(cat budget.yml)
    "$allocreport" budget lint budget.yml >/dev/full 2>messages && return 1
    [ -s messages ]
}

@test "an allowance that has expired is named by lint" {
    cat >budget.yml <<'END'
budgets: {a: {bytes: 0 B}}
allowances:
  - {site: f, bytes: 1 B, reason: of a test, expires: 2020-02-29}
  - {site: g, bytes: 1 B, reason: of a test, expires: 2999-12-31}
END
    "$allocreport" budget lint budget.yml >output 2>messages
    same "messages" "$(cat messages)" \
        "allocreport: warning: budget.yml:3:5: expired on 2020-02-29: 'f'"
    same "output" "$(cat output)" "1 budget, 2 allowances: well written"
}
