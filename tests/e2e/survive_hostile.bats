#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Dumps that lie: whatever they say, each command ends by itself, in bounded memory, and prints
# nothing that commands a terminal, a browser or a CI server.

load helpers

# hostile WHAT SHARE: see hostile.py.
hostile() {
    python3 "$root/tests/e2e/hostile.py" "$allocreport" "$root/tests/dumps/example.alloc" "$@" >&2
    rm -f -- *.alloc
}

@test "names with terminal escapes, HTML, JSON, XML, Markdown and workflow commands" {
    hostile names 1
}

@test "counts, times and numbers that are as large as can be" {
    hostile numbers "$(full 5 1)"
}

@test "sizes and counts of records that claim four gigabytes and more" {
    hostile claims "$(full 5 1)"
}

@test "four gigabytes of claimed records in a file that is as long, with nothing in it" {
    cp "$root/tests/dumps/example.alloc" sparse.alloc
    chmod u+w sparse.alloc
    python3 - <<'EOF'
import os, struct
with open("sparse.alloc", "r+b") as file:
    size = os.path.getsize("sparse.alloc")
    head = file.read(4096)
    used = next(at for at in range(0, 256, 8) if size - 4096 < struct.unpack_from("<Q", head, at)[0] <= size)
    file.seek(4096)
    chunk = bytearray(file.read(64))
    end = 4096 + (4 << 30)
    for type_, record in ((6, 448), (4, 0), (1, 0), (8, 5808)):
        begin = struct.unpack_from("<Q", head, used)[0]
        struct.pack_into("<IQIIQQ", chunk, 4, type_, 4 << 30, record, 1,
                         (4 << 30) // (record or 8) - 8, (4 << 30) - 4096)
        file.seek(begin + 63 & ~63)
        file.write(chunk)
        head = head[:used] + struct.pack("<Q", begin + (4 << 30)) + head[used + 8:]
    file.seek(0)
    file.write(head)
    file.truncate(struct.unpack_from("<Q", head, used)[0])
EOF
    [ "$(stat -c %s sparse.alloc)" -gt $((16 << 30)) ]
    for command in report sites info polls dump check; do
        code=0
        prlimit --as=$((1 << 30)) "$allocreport" "$command" sparse.alloc >out 2>err || code=$?
        [[ $code =~ ^[0134]$ ]] || { echo "$command: $code" >&2; cat err >&2; return 1; }
        grep -q damaged err
    done
    rm sparse.alloc
}
