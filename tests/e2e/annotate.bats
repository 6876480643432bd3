#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# sites --annotate: source lines with what they allocate, and how sources are found.

load helpers

# A program in place/src, which allocates at lines that its text tells; leaves game.alloc.
setup_program() {
    mkdir -p place/src
    cat >place/src/lines.c <<'EOF'
#include <allocreport.h>
#include <stdlib.h>

static void *keep;

static void *at_line_six(void) { return malloc(100); }

__attribute__((noinline)) static void work(void)
{
    free(keep);
    keep = at_line_six();
}

int main(void)
{
    for (int i = 0; i < 256; i++) {
        allocreport_poll_begin();
        allocreport_poll_end(0);
        work();
        free(malloc(8));
        allocreport_frame();
    }
    return 0;
}
EOF
    (cd place && cc -g -O1 -fno-builtin -I"$root/preload" -o lines "$PWD/src/lines.c")
    record place/lines
    mv "$(only_dump)" game.alloc
    touch -d '1 hour ago' place/src/lines.c
}

# line NUMBER KEY: of the annotated JSON.
line() {
    python3 - "$1" "$2" <<'EOF'
import json, sys
data = json.load(open("annotated.json"))
lines = [l for f in data["files"] if f["file"].endswith("/lines.c") for l in f["lines"]]
value = next(l for l in lines if l["line"] == int(sys.argv[1]))
for key in sys.argv[2].split("."):
    value = value[key]
print(value)
EOF
}

@test "bytes of each line, exactly, and through it; per frame; the text beside it" {
    setup_program
    "$allocreport" sites --annotate --json game.alloc >annotated.json
    same "bytes of line 6" "$(line 6 bytes)" 25600
    same "bytes of line 20" "$(line 20 bytes)" 2048
    same "bytes of line 11" "$(line 11 bytes)" 0
    same "bytes through line 11" "$(line 11 through.bytes)" 25600
    same "bytes through line 19" "$(line 19 through.bytes)" 25600
    same "text" "$(line 20 source)" "        free(malloc(8));"
    same "steady allocations of 100 bytes" "$(line 6 steady_bytes | sed 's/00$//')" \
        "$(line 20 steady_bytes | awk '{ print $1 / 8 }')"
    same "per frame" "$(line 6 steady_bytes_per_unit)" \
        "$(python3 -c 'import sys; print(int(sys.argv[1]) / int(sys.argv[2]))' "$(line 6 steady_bytes)" "$(look field annotated.json units)")"
    "$allocreport" sites --annotate --phase steady game.alloc >text
    grep -Eq '^ +[0-9.]+ +[0-9.]+ +[0-9,]+ +6  static void \*at_line_six' text
    grep -Eq '^ +[78]\.[0-9]+ +[78]\.[0-9]+ +[0-9,]+ +20          free\(malloc\(8\)\);$' text
    grep -Eq '^ +10  +free\(keep\);$' text # around it
    run ! grep -q 'newer\|not at hand' text # nor are there lines of libc's start
}

@test "lines and what has none add up to the sites" {
    record "$examples/game" --frames 300 --keys 10 --fast
    mv "$(only_dump)" game.alloc
    sites game.alloc
    "$allocreport" sites --annotate --json game.alloc >annotated.json
    python3 - <<'EOF'
import json
data, sites = json.load(open("annotated.json")), json.load(open("sites.json"))["sites"]
lines = [l for f in data["files"] for l in f["lines"]]
wanted = (sum(s["bytes"] for s in sites), sum(s["phases"]["steady"]["bytes"] for s in sites))
sums = tuple(sum(l[k] for l in lines) + data["without_line"][k] for k in ("bytes", "steady_bytes"))
assert sums == wanted == (data["all"]["bytes"], data["all"]["steady_bytes"]), (sums, wanted)
assert [sum(l["bytes"] for l in f["lines"]) for f in data["files"]] == [f["bytes"] for f in data["files"]]
EOF
    "$allocreport" sites --annotate --limit 3 game.alloc >text
    grep -q '^the first 3 lines' text
    same "no match" "$("$allocreport" sites --annotate game.alloc 'no such function')" "no site matches"
}

@test "a source that is not where it was: said, and found by --source-path and the environment" {
    setup_program
    mkdir -p new/home other
    mv place/src new/home/
    "$allocreport" sites --annotate game.alloc >text
    grep -q '/place/src/lines.c: not at hand; --source-path says where$' text
    grep -Eq '  6  \(in at_line_six\)$' text
    "$allocreport" sites --annotate --source-path "$PWD/other:$PWD/new/home" game.alloc >text
    grep -q '^/.*/new/home/src/lines.c$' text
    grep -q 'free(malloc(8));' text
    ALLOCREPORT_SOURCE=$PWD/new/home "$allocreport" sites --annotate game.alloc | cmp - text
    ALLOCREPORT_SOURCE=$PWD/new/home/src "$allocreport" sites --annotate game.alloc >text
    grep -q 'free(malloc(8));' text
    "$allocreport" sites --annotate --source-path "$PWD/other" game.alloc >text
    grep -q 'not at hand' text
    # What is there in its place is no regular file.
    mkfifo other/lines.c
    timeout 10 "$allocreport" sites --annotate --source-path "$PWD/other" game.alloc >text
    grep -q 'not at hand' text
}

@test "a source that was changed since, became shorter, or commands a terminal" {
    setup_program
    touch -d '1 hour' place/src/lines.c
    "$allocreport" sites --annotate game.alloc >text
    grep -q 'lines.c: newer than the program, lines may have moved$' text
    printf '1\n2\n3\n4\n5\n\033[31m\tsix' >place/src/lines.c
    "$allocreport" sites --annotate game.alloc >text
    run ! grep -q $'\033' text
    grep -Fq '6  \x1b[31m   six' text
    grep -q '20  (the file has no such line)$' text
}

@test "without debugging information: said" {
    setup_program
    strip -g place/lines
    "$allocreport" sites --annotate game.alloc >text
    grep -q 'sites of .* bytes have no line: no debugging information is at hand$' text
}
