# SPDX-License-Identifier: MIT
# What README and FORMAT.md show is what the programs do.
# shellcheck shell=bash

load helpers

# indented FILE PATTERN: the indented block of FILE that begins with a line of that pattern.
indented() {
    awk -v begin="$2" '
        !inside && index($0, "    ") == 1 && $0 ~ begin { inside = 1 }
        inside && $0 != "" && index($0, "    ") != 1 { exit }
        inside { sub(/^    /, ""); print }' "$1"
}

setup_readme() {
    ln -s "$build" build
    ln -s "$examples/game" my-game
    ln -s "$examples" examples-here
}

@test "README: the first screen is the command's" {
    setup_readme
    mkdir shown
    indented "$root/README.md" '^    \$ build/allocreport run -- build/examples/game' >shown/block
    command=$(sed -n '1s/^\$ //p' shown/block)
    [ -n "$command" ]
    command=${command/build\/examples/examples-here}
    bash -c "$command" >output 2>messages
    # A run that ends early or late moves numbers and may move a line of the sites: their heads stay.
    for head in 'game ' 'ran ' 'polls ' 'frames ' 'the steady loop allocates' ' bytes/poll x ' 'all polls ' \
        'steady polls' 'memory ' 'where ' 'startup ' 'in poll ' 'between polls ' 'B/frame' waste_lump \
        waste_each_frame waste_growing_trail waste_slow_leak waste_each_key 'worst poll' 'next '; do
        grep -qF -- "$head" shown/block || { echo "README lacks: $head"; return 1; }
        grep -qF -- "$head" output || { echo "the output lacks: $head"; return 1; }
    done
}

@test "README: each command for a game of one's own runs" {
    setup_readme
    indented "$root/README.md" '^    \$ build/allocreport run -- ./my-game' | sed -n 's/^\$ //p' >commands
    same 'commands' "$(wc -l <commands)" 4
    # The game stands for one's own, and ends by itself when it is told how many frames to draw.
    sed -i 's|\./my-game|& --frames 200 --fast|' commands
    sed -i "s|my-game\.\*\.alloc|\$(find . -name '*.alloc' \| head -n 1)|" commands
    while IFS= read -r line; do
        bash -e -c "$line" </dev/null >>output
    done <commands
    same 'reports' "$(grep -c 'the steady loop allocates' output)" 3
}

@test "README: the budget file of three lines is one, and the gate's command judges by it" {
    setup_readme
    indented "$root/README.md" '^    budgets:$' >budget.yml
    same "lines" "$(sed '/^$/d' budget.yml | wc -l)" 3
    "$allocreport" budget lint budget.yml
    command=$(indented "$root/README.md" '^    \\$ build/allocreport run --check' | sed -n 's/^\$ //p')
    command=${command/my-game/my-game --frames 2000 --fast}
    run -0 bash -c "$command --tidy"
    run -1 bash -c "$command --tidy --regression"
    grep -q 'loop: bytes per poll' <<<"$output"
}

@test "README: each option of the recorder is in its man page and in its table, and none is missing" {
    sed -n 's/^ *{"\([A-Z_]*\)", OPTION_.*/ALLOCREPORT_\1/p' "$root/preload/config.c" | sort >table
    [ -s table ]
    grep -o '^| `ALLOCREPORT_[A-Z_]*' "$root/README.md" | tr -d '|` ' | sort >readme
    sed -n 's/^\.It Ev \(ALLOCREPORT_[A-Z_]*\).*/\1/p' "$root/cli/man/liballocreport.7" | sort >manual
    diff table readme
    diff table manual
}

@test "README: each promise names the tests that hold it, and they are there" {
    local file name count=0
    sed -n '/^## What is promised/,/^## What it does not/p' "$root/README.md" |
        grep '^| ' | grep -v '| held by |$' >promises
    [ "$(wc -l <promises)" -gt 15 ]
    # shellcheck disable=SC2016 # Markdown's
    same "without a test" "$(grep -v '`[a-z_]*` \*[^*]*\*' promises)" ""
    # shellcheck disable=SC2016
    grep -o '`[a-z_]*` \*[^*]*\*' promises | sed 's/^`\([a-z_]*\)` \*\(.*\)\*$/\1 \2/' >named
    while read -r file name; do
        grep -qFx "@test \"$name\" {" "$root/tests/e2e/$file.bats" ||
            { echo "$file.bats has no test '$name'" >&2; return 1; }
        count=$((count + 1))
    done <named
    [ "$count" -ge "$(wc -l <promises)" ]
}

@test "FORMAT.md: the worked example is what allocreport dump prints" {
    "$allocreport" dump "$root/tests/dumps/example.alloc" >printed
    awk '/^```/ { inside = 0; next } inside || /^header$/ { inside = 1; print }' "$root/preload/FORMAT.md" >shown
    diff shown printed
}
