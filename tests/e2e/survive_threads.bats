#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Threads in large numbers, on small stacks, that end in unusual ways: exact counts. attacks.bats
# has those that come and go, and signals that interrupt the recorder.

load helpers

# threads MODE NUMBER: ends and prints as without the recorder; its counts are exact, nothing is lost.
threads() {
    survives 0 "$progs/survive_threads" "$@"
    dump=$(only_dump)
    cat recorded.err >>recorded
    check_expected "$dump" recorded
    report "$dump"
    same losses "$(inspect '{k: v for k, v in report["losses"].items() if v}')" "{}"
}

@test "many threads alive at once, on the least stacks there are (in full: 4,000)" {
    local number
    number=$(full 600 4000)
    threads alive "$number"
    "$allocreport" info --json "$dump" >info.json
    same "threads" "$(python3 -c 'import json
print(len(json.load(open("info.json"))["threads"]))')" $((number + 1))
}

@test "64 threads whose first malloc comes at one barrier" {
    threads barrier 64
}

@test "threads that are cancelled while they allocate" {
    threads cancel 64
}

@test "destructors of thread-local data that allocate, in rounds" {
    threads locals 200
}

@test "handlers that allocate on the least alternate stack" {
    threads handler 2000
}
