#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The order of the house: which part may include which, what the library shows and needs.

load helpers

compilers=${CHECK_COMPILERS:-$(for c in gcc clang; do command -v "$c" || :; done)}

# sources FOLDER ...: C and C++ files there.
sources() {
    (cd "$root" && find "$@" -name '*.[ch]' -o -name '*.cpp')
}

# includes FOLDER ...: lines FILE:INCLUDED.
includes() {
    (cd "$root" && sources "$@" | xargs grep -H '^ *# *include' |
        sed -n 's/^\([^:]*\):.*include *[<"]\([^>"]*\)[>"].*/\1:\2/p')
}

@test "each source file opens with its SPDX line" {
    (cd "$root" && find .ci Makefile preload cli examples tests -type f \
        \( -name Makefile -o -name '*.mk' -o -name '*.[ch]' -o -name '*.cpp' -o -name '*.py' \
        -o -name '*.sh' -o -name '*.bash' -o -name '*.bats' -o -name '*.css' -o -name '*.js' \
        -o -name '*.map' -o -path '.ci/*' -o -path 'tests/run' -o -path 'examples/demo' \
        -o -name '*.[1-8]' \)) >files
    [ "$(wc -l <files)" -gt 50 ]
    while read -r file; do
        head -n 2 "$root/$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file"
    done <files >missing
    same "without the line" "$(cat missing)" ""
}

@test "cli includes of preload dump_format.h alone, preload nothing of cli" {
    includes cli >of-cli
    [ -s of-cli ]
    same "cli's" "$(sed -n 's/.*:\(preload\/.*\)/\1/p' of-cli | sort -u)" preload/dump_format.h
    includes preload >of-preload
    [ -s of-preload ]
    same "preload's" "$(grep ':\(cli\|tests\|examples\)/' of-preload)" ""
}

@test "libunwind is included by one file, libdw by one file, SDL by none of preload" {
    includes preload cli | grep -v '^preload/allocreport_poll\.h:' >all # a header for programs
    same "libunwind" "$(grep -c ':libunwind.*\.h$' all)" "1"
    grep -q '^preload/unwind\.c:libunwind' all
    same "libdw" "$(grep ':\(elfutils/libdw.*\|dwarf\.h\)$' all | cut -d: -f1 | sort -u | wc -l)" 1
    grep -q '^cli/symbols[a-z_]*\.c:elfutils/' all
    same "SDL" "$(grep -i ':\(SDL2/\)\?SDL[_a-z0-9]*\.h$' all)" ""
}

@test "the commands never see a dump's records, the outputs never libdw" {
    includes cli >all
    same "outputs" "$(grep '^cli/\(out\|export\)_.*:cli/\(dumpfile\|symbols\).*\.h$' all)" ""
    same "commands" "$(grep '^cli/cmd_.*:cli/cmd_' all)" ""
}

@test "each header compiles alone" {
    local compiler header message
    [ -n "$compilers" ]
    for compiler in $compilers; do
        for header in $(sources preload cli examples tests | grep '\.h$'); do
            # shellcheck disable=SC2046 # flags are words
            message=$("$compiler" -std=gnu11 -D_GNU_SOURCE -I"$root" -Wall -Wextra -Wundef -Werror \
                $(pkg-config --cflags sdl2) -fsyntax-only -x c - <<<"#include \"$header\"" 2>&1) || {
                echo "$compiler: $header: $(head -n 3 <<<"$message")"
                return 1
            }
        done
    done
}

@test "the library exports the names of tests/exports.txt" {
    nm -D --defined-only "$recorder" | awk '{ print $3 }' | sed 's/@.*//' | sort >exported
    diff <(grep -v '^#' "$root/tests/exports.txt" | sort) exported
}

@test "the library needs libc alone, and calls neither stdio nor exit nor malloc" {
    same "needed" "$(readelf -d "$recorder" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
        grep -v '^libc\.so\|^ld-linux')" ""
    nm -D --undefined-only "$recorder" | awk '{ print $NF }' | sed 's/@.*//' >undefined
    [ -s undefined ]
    same "calls" "$(grep -xE '(__)?(v?f?printf|v?snprintf|fopen|fwrite|puts|fputs|malloc|calloc|realloc|free|strdup|asprintf|exit|abort|_exit|__assert_fail|pthread_getattr_np|SDL_.*|unw_.*|_U.*)(_chk)?' undefined)" ""
}

@test "the library's thread state is initial-exec and its text is not written to" {
    same "dynamic TLS" "$(readelf -rW "$recorder" | grep -c 'DTPMOD\|TLSDESC')" 0
    same "text relocations" "$(readelf -d "$recorder" | grep -c TEXTREL)" 0
}

@test "make help names targets that are there" {
    make -s -C "$root" help | sed -n 's/^make \([a-z][a-z-]*\) .*/\1/p' | sort -u >named
    [ -s named ]
    while read -r target; do
        make -s -n -C "$root" -q "$target" >/dev/null 2>error || :
        same "make $target" "$(grep 'No rule' error)" ""
    done <named
}
