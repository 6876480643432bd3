#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The example programs, and what the recorder sees of them.

load helpers

@test "poll_each allocates exactly N events more than poll_once, poll_check none" {
    local program number
    for number in 1 10 1000; do
        for program in each once check; do
            record ALLOCREPORT_OUT="$program.$number.alloc" "$examples/poll_$program" "$number"
            check_counted "$program.$number.alloc"
            mv report.json "$program.json"
            same polls.count "$(look field "$program.json" polls.count)" "$number"
        done
        same "bytes" "$(look field each.json total.bytes)" \
            $(($(look field once.json total.bytes) + 56 * number))
        same "allocations" "$(look field each.json total.allocations)" \
            $(($(look field once.json total.allocations) + number))
        same "poll_check's bytes" "$(look field check.json total.bytes)" \
            "$(look field once.json total.bytes)"
    done
}

@test "the polling programs refuse what is no number" {
    local program word
    for program in each once check; do
        run -2 "$examples/poll_$program"
        for word in '' x 10x -1 99999999999999999999; do
            run -2 "$examples/poll_$program" "$word"
        done
    done
}

@test "the sweep prints its tables" {
    run -0 "$examples/sweep" --runs 3 "$recorder" "$allocreport" "$examples"
    echo "$output" >tables
    same "N" "$(grep -c '^ *\(10\|100\|1000\|10000\|100000\) ' tables)" 15
    grep -q 'fit: slope 56.000 bytes a poll, intercept .* R2 1.000000000$' tables
    same "constants" "$(grep -c 'fit: slope 0.000 bytes a poll, .* R2 n/a (a constant)$' tables)" 2
    grep -q '^poll_each allocates exactly N x 56 bytes' tables
    same "summaries" "$(grep -c '^ *[0-9.]* polls/s x [0-9.]* bytes/poll = [0-9]* bytes/s$' tables)" 3
    same "times" "$(grep -c '^poll_[a-z]* .* ns  \[ *[0-9.]*, *[0-9.]*\] .* ns$' tables)" 3
}

@test "the sweep fails when a program allocates too much" {
    mkdir wrong
    cp "$examples/poll_each" "$examples/poll_once" wrong
    cp "$examples/poll_each" wrong/poll_check
    run -1 "$examples/sweep" --runs 1 "$recorder" "$allocreport" wrong
    grep -q 'poll_check allocates .*: not the same' <<<"$output"
}

@test "the report names the game's five allocations, each with its cadence" {
    record "$examples/game" --frames 3000 --keys 20 --fast
    check_counted "$(only_dump)"
    sites "$(only_dump)"
    same frames.count "$(value frames.count)" 3000
    same frames.function "$(value frames.function)" SDL_RenderPresent
    cadence_of() {
        inspect "[(s['cadence'], s['allocations']) for s in sites if stands('$1', s)]"
    }
    same waste_each_frame "$(cadence_of waste_each_frame)" "[('every poll', 3000)]"
    same waste_each_key "$(cadence_of waste_each_key)" "[('burst', 20)]"
    same waste_lump "$(cadence_of waste_lump)" "[('once', 1)]"
    same waste_growing_trail "$(cadence_of waste_growing_trail)" "[('growth', 11)]"
    same waste_slow_leak "$(cadence_of waste_slow_leak)" "[('periodic', 31)]"
    same "live at the leak" "$(inspect 'sum(s["live_blocks"] for s in sites
        if stands("waste_slow_leak", s))')" 31
}

@test "the game's files and lines show" {
    record "$examples/game" --frames 200 --keys 20 --fast
    sites "$(only_dump)"
    same "files" "$(inspect 'sorted({line["file"].split("/")[-1] for s in sites for line in s["stack"]
        if (line["function"] or "").startswith("waste_") and line["line"] > 0})')" "['game_waste.c']"
}
