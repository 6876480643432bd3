#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The patched poll: what is allocated inside polls reaches the heap no more, every block is one of
# the allocator's, and what is counted is the same as without it.

load helpers

# patched [NAME=VALUE ...] PROGRAM [ARGUMENT ...]: as `record`, with the patched poll.
patched() {
    record ALLOCREPORT_PATCH=poll "$@"
}

# beneath DUMP: the allocator, as the counter behind the recorder saw it, was called for what was
# not served, for the reserve, and for nothing else.
beneath() {
    report "$1"
    "$allocreport" info --json "$1" >info.json
    python3 - "count.$(value program.pid)" <<'PYTHON'
import json
import struct
import sys
report = json.load(open("report.json"))
total, patch = report["total"], report["patch"]
with open(sys.argv[1], "rb") as file:
    allocations, _, reallocations, frees = struct.unpack("<4Q", file.read(32))
wanted = total["allocations"] - patch["served"] + patch["refilled_blocks"]
if allocations != wanted:
    sys.exit(f"{allocations} allocations beneath, should be {wanted}")
wanted = total["frees"] + report["losses"]["unknown"] - patch["releases"] + patch["heap_releases"] \
    + patch["given_back_blocks"]
if frees != wanted:
    sys.exit(f"{frees} releases beneath, should be {wanted}")
PYTHON
}

# patch KEY ...: these members of report.json's patch, in one line.
patch() {
    python3 - "$@" <<'PYTHON'
import json
import sys
patch = json.load(open("report.json"))["patch"]
print(*((patch["spilled"][key[8:]] if key.startswith("spilled.") else patch[key]) for key in sys.argv[1:]))
PYTHON
}

# sites_of DUMP: its sites by the names in their stacks, with all counts that are the program's.
sites_of() {
    "$allocreport" sites --json --limit 100000 "$1" >all.json
    python3 - <<'PYTHON'
import json
rows = []
for site in json.load(open("all.json"))["sites"]:
    names = "/".join(line["function"] or "?" for line in site["stack"])
    rows.append((site["where"], names,
                 *(site[key] for key in ("allocations", "bytes", "reallocations", "frees", "freed_bytes",
                                         "temporary", "polls", "most_bytes"))))
for row in sorted(rows, key=str):
    print(*row)
PYTHON
}

@test "each way to allocate in a poll is served, or counted with its reason" {
    patched "$progs/patch" kinds >said
    read -r _ requests served aligned large releases <said
    report "$(only_dump)"
    same "what was counted" \
        "$(patch requests served spilled.alignment spilled.size spilled.empty_class spilled.other releases)" \
        "$requests $served $aligned $large 0 0 $releases"
    same "the modes" "$(value patch.modes)" '["poll"]'
    beneath "$(only_dump)"
    record "$progs/patch" kinds >plain
    diff plain said
}

@test "the same sites with the same counts as without the patch" {
    local mode
    for mode in "events poll" "events null" "events peep" "events wait" "patch kinds" "patch burst" kinds temporary; do
        # shellcheck disable=SC2086 # words
        set -- $mode
        record ALLOCREPORT_OUT=plain.alloc "$progs/$1" ${2+"$2"} >/dev/null
        patched ALLOCREPORT_QUEUE=0 ALLOCREPORT_OUT=patched.alloc "$progs/$1" ${2+"$2"} >/dev/null
        sites_of plain.alloc >plain.sites
        sites_of patched.alloc >patched.sites
        [ "$(wc -l <plain.sites)" -gt 0 ]
        diff plain.sites patched.sites || { echo "of $mode" >&2; return 1; }
        beneath patched.alloc
        check_dumps
        rm -- *.alloc count.*
    done
}

@test "a burst is spilled once, with the size that was missing, and served the second time" {
    patched "$progs/patch" burst
    report "$(only_dump)"
    # The first poll has 256 blocks of that size.
    same "what was counted" "$(patch requests served spilled.empty_class largest_missing_bytes largest_missing)" \
        "40000 20256 19744 72 19744"
    beneath "$(only_dump)"
    "$allocreport" report "$(only_dump)" >printed
    grep -qF "40,000 requests in polls, 20,256 served without the heap, 19,744" printed
    grep -qF "to the heap: 19,744 none of its size left" printed
    grep -qF "largest size missing: 72 bytes, 19,744 times" printed
}

@test "the reserve keeps to its limit" {
    patched ALLOCREPORT_RESERVE=1 "$progs/patch" burst
    report "$(only_dump)"
    same "the limit" "$(patch limit_bytes)" 1048576
    [ "$(patch held_most_bytes)" -le 1048576 ]
    [ "$(patch spilled.empty_class)" -gt 19744 ]
    beneath "$(only_dump)"
}

@test "a fork inside a poll: the child goes on in it, with a reserve of its own" {
    patched "$progs/patch" fork
    local dump seen=()
    for dump in *.alloc; do
        report "$dump"
        seen+=("$(patch requests served)")
        beneath "$dump" || [ "$(value program.parent_pid)" != "$$" ]
    done
    # In the child: five polls of its own; in the parent: ten, the one that forks, twenty.
    same "requests" "$(printf '%s\n' "${seen[@]}" | sort -n | paste -sd ';')" "5 5;32 32"
}

@test "an exec inside a poll: the program that follows starts anew" {
    patched ALLOCREPORT_OUT=x.alloc "$progs/patch" exec
    report x.alloc
    same "before" "$(patch requests served)" "11 11"
    report x.alloc.1
    same "after" "$(patch requests)" 40000
}

@test "a jump out of a poll, a handler that allocates in one, a block released twice in one" {
    patched "$progs/patch" jump
    report "$(only_dump)"
    same "spilled" "$(patch heap_allocations)" 0
    rm -- *.alloc
    patched "$progs/patch" signal
    report "$(only_dump)"
    same "spilled for want of a block" "$(patch spilled.empty_class)" 0
    rm -- *.alloc
    patched "$progs/patch" twice
    report "$(only_dump)"
    same "requests" "$(patch requests served)" "4 4"
}

@test "threads that poll have reserves of their own, and give them back when they end" {
    # Again and again, since their first polls, which make the dump, meet each time.
    for _ in {1..10}; do
        patched "$progs/patch" threads
        report "$(only_dump)"
        same "what was counted" "$(patch requests served held_blocks held_bytes)" "512000 512000 0 0"
        beneath "$(only_dump)"
        rm -- *.alloc count.*
    done
    patched "$progs/patch" ends
    report "$(only_dump)"
    same "what was counted" "$(patch requests served held_blocks)" "500 500 0"
    same "given back" "$(patch given_back_blocks)" "$(patch refilled_blocks)"
    beneath "$(only_dump)"
}

@test "a library that calls libc's own free and realloc may have every block" {
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_PATCH=poll "$progs/patch" bypass
    report "$(only_dump)"
    # Of some sizes the first poll asks for more than stands ready before anything was learnt.
    same "what was counted" "$(patch requests served spilled.empty_class)" "1000 984 16"
}

@test "operator new is served too, also where it is another allocator's own" {
    local lib=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_PATCH=poll "$progs/patch_new" >said
    report "$(only_dump)"
    same "what was counted" "patch: $(patch requests served spilled.alignment releases)" "$(cat said)"
    rm -- *.alloc
    env LD_PRELOAD="$recorder $lib" ALLOCREPORT_QUIET=1 ALLOCREPORT_PATCH=poll "$progs/patch_new" >said
    report "$(only_dump)"
    same "over jemalloc" "patch: $(patch requests served spilled.alignment releases)" "$(cat said)"
}

@test "SDL's queue is given room before it needs it, and nobody sees by what" {
    local number
    record ALLOCREPORT_OUT=plain.alloc "$progs/events"
    report plain.alloc
    plain=$(value total.allocations)
    for number in 0 10; do
        patched ALLOCREPORT_QUEUE=$number ALLOCREPORT_OUT="room-$number.alloc" "$progs/events"
        report "room-$number.alloc"
        same "queue_events" "$(patch queue_events)" "$number"
        same "allocations with room for $number" "$(value total.allocations)" $((plain - number))
        same "unknown" "$(value losses.unknown)" 0
    done
    patched ALLOCREPORT_OUT=room.alloc "$progs/events"
    report room.alloc
    same "queue_events" "$(patch queue_events)" 512
}

@test "without the patch the dump says nothing of it, and a wrong word is told" {
    record "$progs/patch" kinds
    report "$(only_dump)"
    same "patch" "$(value patch)" null
    "$allocreport" report "$(only_dump)" >printed
    run ! grep -q '^patched\|^heap calls\|^reserve' printed
    rm -- *.alloc
    record ALLOCREPORT_PATCH=pol "$progs/patch" kinds 2>messages
    same "the line" "$(cat messages)" \
        "allocreport: ALLOCREPORT_PATCH: 'pol' has a word that is none of 'poll', 'wait', ignored"
}

@test "run --patch: the report shows what was served" {
    "$allocreport" run --patch -- "$progs/patch" burst >printed
    grep -q '^patched  *40,000 requests in polls, 20,256 served' printed
    rm -- *.alloc
    env ALLOCREPORT_PATCH=wait "$allocreport" run --patch --json --report report.json -- "$progs/patch" burst
    same "the modes" "$(value patch.modes)" '["poll", "wait"]'
}
