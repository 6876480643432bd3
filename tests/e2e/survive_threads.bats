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

# handlers SIGNALS [MORE]: leaves dump and recorded.
handlers() {
    cc -O2 -g -fPIC -shared -fno-builtin -Wl,-Bsymbolic -Wall -Wextra -o safe.so \
        "$root/tests/progs/attack_safe_plugin.c"
    env LD_PRELOAD="$recorder $counter $PWD/safe.so" COUNT_OUT="$PWD/count.%p" ALLOCREPORT_QUIET=1 \
        "$progs/survive_handlers" "$@" >recorded
    dump=$(only_dump)
}

# Wherever the recorder is interrupted: blocks of malloc, calloc, realloc and new, some of them
# released by the other side.
@test "a timer's handler that allocates 10,000 times a second in a loop that allocates and polls" {
    handlers "$(full 5000 100000)"
    check_counted "$dump"
    lossless "$dump"
    same "the loop's blocks" "$(inspect '"loop: " + " ".join(str(sum(s[key] for s in sites
        if stands("loop_makes", s) and not stands("handler_makes", s)))
        for key in ("allocations", "bytes", "reallocations", "live_blocks"))')" \
        "$(grep '^loop: ' recorded)"
}

@test "a handler that makes more blocks than can wait until the recorder goes on: the rest is told as lost" {
    handlers 200 100
    report "$dump"
    sites "$dump"
    same "some were lost" "$(inspect 'report["losses"]["nested"] > 0')" True
    same "the handler's blocks" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("handler_makes", s)) + report["losses"]["nested"]')" $((200 * 106))
    same "their releases" "$(inspect '(report["total"]["frees"] + report["losses"]["live"]
        + report["losses"]["unknown"])')" "$(look counts "count.$(value program.pid)" frees)"
}
