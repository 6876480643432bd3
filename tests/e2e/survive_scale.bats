#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Large numbers of what a recorder keeps: exact counts, in bounded memory and a bounded dump.
# `make survive FULL=1` runs them in full size.

load helpers

# scaled [NAME=VALUE ...] MODE NUMBER: the same end and the same output as without the recorder, and
# the counts that the program says. Losses go to `lost`.
scaled() {
    local variables=()
    while [[ $1 == *=* ]]; do variables+=("$1"); shift; done
    rm -f -- *.alloc
    "$progs/survive_scale" "$@" | sed 's/^expect: [0-9]* //' >plain
    env "${variables[@]}" LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 "$progs/survive_scale" "$@" >recorded
    sed 's/^expect: [0-9]* //' recorded | diff plain -
    dump=$(only_dump)
    check_expected "$dump" recorded
    report "$dump"
    lost=$(inspect '{k: v for k, v in report["losses"].items() if v}')
}

@test "distinct stacks, as many as there is room for: each is a site" {
    scaled paths 12
    same losses "$lost" "{}"
    same "the stacks" "$(inspect 'sum(stands("path_makes", s) for s in sites)')" 4096
}

@test "distinct stacks beyond the room (in full: a million): booked to their call site, and counted" {
    local bits
    bits=$(full 14 20)
    scaled ALLOCREPORT_MAX_SIZE="$(full 2 64)" paths "$bits"
    same losses "$(inspect 'sorted(k for k, v in report["losses"].items() if v)')" "['stacks']"
    same "blocks of no whole stack" "$(inspect 'sum(s["allocations"] for s in sites
        if stands("path_makes", s) and not stands("main", s)) == report["losses"]["stacks"] > 0')" True
    same "the call site's function" "$(inspect 'max(sites,
        key=lambda s: s["allocations"])["stack"][0]["function"]')" path_makes
    [ "$(stat -c %s "$dump")" -le $(($(full 2 64) << 20)) ]
}

@test "a recursion of 100,000 frames: its inner frames, and that it is cut" {
    scaled deep 100000
    same losses "$lost" "{}"
    same "the stack" "$(inspect '[(len(s["stack"]), s["stack_complete"], s["allocations"])
        for s in sites if stands("bottom_makes", s)]')" "[(64, False, 10)]"
}

@test "a million blocks in use at once (in full: fifty million)" {
    local number
    number=$(full 1000003 50000017)
    scaled live "$number"
    same losses "$lost" "{}"
    "$allocreport" info --json "$dump" >info.json
    # 16 bytes for each 32 of heap, and what is there anyway.
    [ "$(look field info.json recorder_bytes)" -lt $((number * 17 + (8 << 20))) ]
}

@test "blocks of four gigabytes and more" {
    scaled large 5
    same losses "$lost" "{}"
    same "the largest poll" "$(inspect 'report["total"]["bytes"] > 5 * 14 << 30')" True
}

@test "counters past 2^32: bytes (in full: allocations, too)" {
    local millions
    millions=$(full 2 4300)
    scaled often "$millions"
    same losses "$lost" "{}"
    same "bytes" "$(inspect 'sum(s["bytes"] for s in sites if stands("often_makes", s)) > 1 << 32')" True
}
