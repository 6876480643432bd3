#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# make install and make uninstall.

load helpers

# The build that stands, whatever its flavour; the places are the Makefile's own.
make_it() {
    make -s -C "$root" FLAVOUR="$(basename "$build")" "$@" DESTDIR="$PWD/stage"
}

@test "install puts what uninstall removes, and nothing stays" {
    make_it install >installed
    find stage ! -type d | sort >found
    same "files" "$(wc -l <found)" "$(wc -l <installed)"
    grep -qx stage/usr/local/bin/allocreport found
    grep -qx stage/usr/local/lib/liballocreport.so found
    grep -qx stage/usr/local/share/bash-completion/completions/allocreport found
    grep -qx stage/usr/local/share/man/man1/allocreport.1 found
    for page in "$root"/cli/man/*.[157]; do
        grep -q "/man${page##*.}/$(basename "$page")\$" found
    done
    make_it uninstall
    same "what is left" "$(find stage -mindepth 1)" ""
}

@test "uninstall leaves alone what is not its own" {
    make_it install
    touch stage/usr/local/bin/other
    make_it uninstall
    same "what is left" "$(find stage ! -type d)" stage/usr/local/bin/other
}

@test "modes: programs can be run, nothing can be written by others" {
    umask 0
    make_it install
    same "allocreport" "$(stat -c %a stage/usr/local/bin/allocreport)" 755
    same "others" "$(find stage ! -type d ! -name allocreport -printf '%m\n' | sort -u)" 644
    stage/usr/local/bin/allocreport --version
}

@test "an installed allocreport finds the library installed with it" {
    make_it install
    stage/usr/local/bin/allocreport run -- "$progs/ends" >report
    grep -q ends report
    same "dumps" "$(compgen -G '*.alloc' | wc -l)" 1
}

@test "prefix, bindir and the like are heeded" {
    make -n -C "$root" install prefix=/opt/x libdir=/opt/lib64 mandir=/opt/man \
        completiondir=/opt/comp DESTDIR=/stage >commands
    for place in /opt/x/bin/allocreport /opt/lib64/liballocreport.so /opt/man/man1/allocreport.1 \
        /opt/comp/allocreport; do
        grep -qF ":$place" commands
    done
}
