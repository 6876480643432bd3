#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Files that cannot be had: the program ends as without the recorder, one line says what is lost,
# and what was counted is there. Where the dump is to stand is a disk; the live file is on a tmpfs.

load helpers

export files=$progs/survive_files

# As root, or in a user namespace of one's own; where neither can be, a test says so and is skipped.
as_root=()
[ "$(id -u)" = 0 ] || as_root=(unshare -Ur)
mounts=("${as_root[@]}" unshare -m bash -eu -c)
may() {
    "${as_root[@]}" "$@" true 2>/dev/null || skip "neither root nor user namespaces: no $1"
}

# said TEXT: just that one line, dates and places apart.
said() {
    same "lines of messages" "$(wc -l <recorded.err)" 1 || { cat recorded.err >&2; return 1; }
    grep -qF -- "$1" recorded.err || { cat recorded.err >&2; return 1; }
}

# stuck DUMP: all allocations are counted at their functions; stacks that found no room are told.
stuck() {
    check_expected "$1" recorded
    report "$1"
    same "losses" "$(inspect '[k for k, v in report["losses"].items() if v and k != "unwind"]')" "['stacks']"
}

@test "a working directory that vanishes, before the first poll and after it" {
    survives 0 "$files" early gone
    lossless "$(only_dump)"
    rm -- *.alloc
    survives 0 "$files" late gone
    lossless "$(only_dump)"
}

@test "started in a directory that is gone: one line" {
    mkdir gone
    # shellcheck disable=SC2016 # the inner shell's
    survives 0 bash -c 'mkdir -p "$1" && cd "$1" && rmdir "$1" && exec "$2" early nothing' - "$PWD/gone" "$files"
    said "no dump: cannot make 'survive_files."
    no_dumps
}

@test "no descriptor is left before the first poll: no dump; after it: the dump stays whole" {
    survives 0 "$files" early none_left
    said "no file descriptor left"
    no_dumps
    survives 0 "$files" late none_left
    same "lines of messages" "$(grep -c 'no file descriptor left' recorded.err)" 2
    dump=$(only_dump)
    [ -L "$dump" ]
    stuck "$dump"
    [ ! -L "$dump" ] # the reporter has brought it home
}

@test "no file may grow any more: no SIGXFSZ, also where standard error is a file" {
    survives 0 "$files" early file_size
    no_dumps
    survives 0 "$files" late file_size
    stuck "$(only_dump)"
    # The list of what could not be recorded is a file, too.
    rm -- *.alloc
    run -4 "$allocreport" run "$files" early file_size
}

@test "all descriptors closed and their numbers used, by close_range and by closefrom" {
    local how when
    for how in close_range closefrom; do
        for when in early late; do
            survives 0 "$files" "$when" "$how"
            lossless "$(only_dump)"
            rm -- *.alloc
        done
    done
}

@test "another root: before the first poll the dump cannot be made, after it it is whole" {
    mkdir empty
    may chroot /
    survives 0 "${as_root[@]}" "$files" early chroot "$PWD/empty"
    said "no such directory"
    no_dumps
    survives 0 "${as_root[@]}" "$files" late chroot "$PWD/empty"
    stuck "$(only_dump)"
}

@test "a full disk: no dump, one line" {
    may unshare -m
    mkdir small
    # shellcheck disable=SC2016
    survives 0 "${mounts[@]}" 'mount -t tmpfs -o size=256k none small; cd small; exec "$files" early nothing'
    said "no space left"
}

@test "a disk that fills up: what was counted before and after is there" {
    may unshare -m
    mkdir small
    # shellcheck disable=SC2016
    survives 0 "${mounts[@]}" 'mount -t tmpfs -o size=8m none small; cd small
        "$files" late fill "$PWD/filler"; cp -- *.alloc .. 2>/dev/null || :'
    said "the dump cannot grow"
    stuck "$(only_dump)"
}

@test "a tmpfs without room for the live file: the dump stands at its own path" {
    may unshare -m
    # shellcheck disable=SC2016
    survives 0 "${mounts[@]}" 'mount -t tmpfs -o size=64k none "$XDG_RUNTIME_DIR"; exec "$files" early nothing'
    same "messages" "$(cat recorded.err)" ""
    lossless "$(only_dump)"
}

@test "a read-only directory: one line" {
    may unshare -m
    mkdir place
    # shellcheck disable=SC2016
    survives 0 "${mounts[@]}" 'mount --bind place place; mount -o remount,ro,bind place
        cd place; exec "$files" early nothing'
    said "read-only file system"
}


@test "the dump's path is a directory, a FIFO, a link: all are left as they are" {
    mkdir taken.alloc
    mkfifo taken.alloc.1
    echo mine >mine
    ln -s mine taken.alloc.2
    ln -s nowhere taken.alloc.3
    ALLOCREPORT_OUT=taken.alloc survives 0 "$files" early nothing
    same "messages" "$(cat recorded.err)" ""
    [ -d taken.alloc ]
    [ -p taken.alloc.1 ]
    same "the link's file" "$(cat mine)" mine
    [ -L taken.alloc.3 ]
    [ ! -e nowhere ]
    lossless taken.alloc.4
    rm -r taken.alloc taken.alloc.[123]
}

@test "links planted in a directory that all may write to are not followed" {
    mkdir -m 1777 open
    echo mine >mine
    chmod 600 mine
    ln -s ../mine open/dump
    ln -s ../mine open/dump.1.part
    ALLOCREPORT_OUT=open/dump survives 0 "$files" early nothing
    same "the link's file" "$(cat mine)" mine
    same "the link" "$(readlink open/dump.1.part)" ../mine
    said "the dump stays in memory, behind its link"
    rm open/dump.1.part
    lossless open/dump.1
    same "mode" "$(stat -c %a open/dump.1)" 600
}

@test "names with blanks, quotes and newlines" {
    local name=$'a  game\nof "mine"'
    cp "$files" "$name"
    survives 0 "./$name" early nothing
    lossless "$(only_dump)"
    [[ $(only_dump) == "$name".*.alloc ]]
    env LD_PRELOAD="$recorder" "./$name" early nothing 2>recorded.err >/dev/null
    said 'a  game?of "mine".'
}

@test "two programs at once with one name for their dumps" {
    local first second
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_OUT=one.alloc "$files" early nothing >first 3>&- &
    first=$!
    env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ALLOCREPORT_OUT=one.alloc "$files" early nothing >second 3>&- &
    second=$!
    wait "$first"
    wait "$second"
    cat first second >recorded
    lossless one.alloc
    lossless one.alloc.1
    same "the processes" "$(printf '%s\n' "$first" "$second" | sort)" \
        "$(for dump in one.alloc one.alloc.1; do report $dump; value program.pid; done | sort)"
}

@test "no /proc: all is counted" {
    may unshare -m
    # shellcheck disable=SC2016
    survives 0 "${mounts[@]}" 'mount -t tmpfs none /proc; exec "$files" late nothing'
    lossless "$(only_dump)"
    [[ $(only_dump) == survive_files.*.alloc ]]
}
