#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A run without the patched poll beside one with it.

load helpers

@test "run --compare-patch: the same allocations in a poll, and no heap call of them; compare agrees" {
    "$allocreport" run --recorder "$recorder" --json --compare-patch -o '%p.alloc' -- "$progs/waits" same >printed
    sed -n '/^{/,$p' printed >patches.json
    same "before" "$(look field patches.json patch.before.modes)" "[]"
    same "after" "$(look field patches.json patch.after.modes)" '["poll"]'
    same "polls" "$(look field patches.json patch.after.polls)" "$(look field patches.json patch.before.polls)"
    dumps=(*.alloc)
    same "dumps" "${#dumps[@]}" 2
    before=${dumps[0]} after=${dumps[1]}
    report "$before"
    if [ "$(value patch)" != null ]; then before=${dumps[1]} after=${dumps[0]}; fi
    report "$before"
    same "heap calls, plain" "$(look field patches.json patch.before.heap_calls)" \
        "$(inspect 'report["steady"]["in_poll"]["allocations"] + report["steady"]["in_poll"]["frees"]')"
    report "$after"
    same "heap calls, patched" "$(look field patches.json patch.after.heap_calls)" "$(value patch.steady_heap_calls)"
    "$allocreport" compare --json "$before" "$after" >compared.json || :
    look field compared.json patch.before >one
    look field patches.json patch.before | diff one -
    look field compared.json patch.after >one
    look field patches.json patch.after | diff one -
    "$allocreport" compare "$before" "$after" >text || :
    grep -qE '^patch +not patched +poll$' text
    grep -qE '^heap calls in a poll +' text
    grep -qE '^time in a poll, p99 +' text
    "$allocreport" compare "$before" "$before" >text
    run ! grep -q '^heap calls in a poll' text
}

@test "run --compare-patch: an allocation in each poll is a heap call before, and none after" {
    "$allocreport" run --recorder "$recorder" --json --compare-patch -- "$progs/allocates_in_polls" >patches.json
    polls=$(look field patches.json patch.before.polls)
    allocations=$(look field patches.json patch.before.allocations)
    [ "$allocations" -ge "$polls" ]
    [ "$polls" -gt 1000 ]
    same "allocations, patched" "$(look field patches.json patch.after.allocations)" "$allocations"
    same "heap calls" "$(look field patches.json patch.before.heap_calls)" $((2 * allocations))
    same "heap calls, patched" "$(look field patches.json patch.after.heap_calls)" 0
}

@test "run --compare-patch: the first status that is not 0, and no other way to report" {
    run -2 "$allocreport" run --compare-patch --quiet -- true
    run -2 "$allocreport" run --compare-patch --check -- true
    run -2 "$allocreport" run --compare-patch --keep none -- true
    run -127 "$allocreport" run --recorder "$recorder" --compare-patch -- ./none
}
