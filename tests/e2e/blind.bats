#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# When nothing, or not all, can be seen: each case has its line, its code and its exit status. What
# may hang has a limit, which no test waits for.

load helpers

libc=$(gcc -print-file-name=libc.so.6)

# go CODE ARGUMENT ...: `allocreport run ARGUMENT ...` ends with that code; leaves out and err.
go() {
    local wanted=$1 code=0
    shift
    timeout 60 "$allocreport" run "$@" >out 2>err </dev/null || code=$?
    same "exit code of 'run $*'" "$code" "$wanted" || { cat out err >&2; return 1; }
}

# unseen WORD REASON PROGRAM [ARGUMENT ...]: no dump was made, for that reason; exit 4, and in JSON.
unseen() {
    local word=$1 reason=$2
    shift 2
    go 4 "$@"
    no_dumps
    same "lines for $word" "$(grep -c '^allocreport: no dump was made of ' err)" 1 || { cat err >&2; return 1; }
    grep -q "^allocreport: no dump was made of '.*' ($word): .*$reason.*; ." err || { cat err >&2; return 1; }
    go 4 --json --report report.json "$@"
    same "dump" "$(look field report.json dump)" null
    same "code" "$(value blind.code)" "$word"
    [ -n "$(value blind.advice)" ]
}

# warned CODE WORD REASON PROGRAM [ARGUMENT ...]: said before it starts, and once.
warned() {
    local code=$1 word=$2 reason=$3
    shift 3
    go "$code" "$@"
    no_dumps
    same "lines for $word" "$(grep -c "^allocreport: .*($word)" err)" 1 || { cat err >&2; return 1; }
    grep -q "^allocreport: warning: nothing can be told of '.*' ($word): .*$reason.*; ." err || { cat err >&2; return 1; }
    [ "$code" != 4 ] || {
        go 4 --json --report report.json "$@"
        same "code" "$(value blind.code)" "$word"
    }
}

# partly WORD PROGRAM [ARGUMENT ...]: polls and allocations are seen, and what is not is noted.
partly() {
    local word=$1
    shift
    rm -f ./*.alloc
    go 0 --json --report report.json "$@"
    same "blind" "$(look field report.json blind)" null
    same "incomplete" "$(inspect '[entry["code"] for entry in report["incomplete"]]')" "['$word']"
    inspect '[note["text"] for note in report["notes"] if note["bad"]]' | grep -qF "$(value incomplete.0.reason)"
}

# script NAME: makes it of standard input.
script() {
    cat >"$1"
    chmod +x "$1"
}

# stand_in NAME: an empty library of that name.
stand_in() {
    cc -shared -fPIC -Wl,-soname,"$1" -x c -o "$1" - <<<'int stand_in;'
}

# elf FILE CLASS MACHINE: a program of that class and machine, which ends at once where it runs: its
# code is i386's.
elf() {
    python3 - "$@" <<'END'
import struct, sys
path, bits, machine = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
code = bytes.fromhex("b801000000" "31db" "cd80")  # exit(0)
base = 0x08048000
ident = b"\x7fELF" + bytes([bits // 32, 1, 1]) + bytes(9)
if bits == 32:
    head = ident + struct.pack("<HHIIIIIHHHHHH", 2, machine, 1, base + 84, 52, 0, 0, 52, 32, 1, 40, 0, 0)
    head += struct.pack("<8I", 1, 0, base, base, 84 + len(code), 84 + len(code), 5, 4096)
else:
    head = ident + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, base + 120, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    head += struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, 120 + len(code), 120 + len(code), 4096)
open(path, "wb").write(head + code)
END
    chmod +x "$1"
}

# started FILE: what `run` should end with: 4 where the kernel runs the program, else what comes of
# that (execvp tries a shell).
started() {
    local code=0
    env "./$1" >/dev/null 2>&1 || code=$?
    if [ "$code" = 0 ]; then echo 4; else echo "$code"; fi
}

@test "no SDL at all, and SDL 1.2" {
    unseen no-sdl 'no SDL was loaded' "$progs/never_polls"
    unseen no-sdl 'no SDL was loaded' sh -c "'$progs/never_polls'; true"
    stand_in libSDL-1.2.so.0
    cc -o old -Wl,-rpath,"$PWD" -Wl,--no-as-needed ./libSDL-1.2.so.0 -x c - <<<'int main(void) { return 0; }'
    unseen sdl-1.2 'SDL 1.2' ./old
}

@test "an SDL that is not used, used for sound alone, that has not polled" {
    unseen sdl-unused 'not one of its functions' "$progs/blind_sdl" unused
    unseen sdl-no-video 'sound or joysticks alone' "$progs/blind_sdl" audio
    unseen not-polled 'has not polled' "$progs/blind_sdl" idle
    unseen not-polled 'has not polled' "$progs/blind_sdl" draws
    unseen peeps-alone 'never pumps' "$progs/blind_sdl" peeps
}

@test "an SDL whose table is out of reach" {
    unseen sdl-variable 'changed SDL_DYNAMIC_API' "$progs/blind_sdl" variable
    unseen sdl-refilled "over the recorder's" "$progs/blind_sdl" refilled
    # The same without the change is seen.
    go 0 "$progs/blind_sdl" dlsym
    grep -q '^polls  *20 ' out
}

@test "an SDL that was set up before the recorder" {
    cc -shared -fPIC -x c -o early.so - -l:libSDL2-2.0.so.0 <<<'
        int SDL_InitSubSystem(unsigned);
        __attribute__((constructor)) static void early(void) { SDL_InitSubSystem(0x20); }'
    LD_PRELOAD="$recorder $PWD/early.so" "$progs/blind_sdl" unused 2>err
    grep -q '^allocreport: blind_sdl: no poll was seen, nothing is recorded (sdl-early); see allocreport-blind(7)$' err
}

@test "killed before it could tell: what it had done until then is known" {
    for way in audio:sdl-no-video idle:not-polled unused:not-told; do
        mkfifo said
        timeout 60 "$allocreport" run --json --report report.json "$progs/blind_sdl" "${way%:*}" wait \
            >said 2>err </dev/null 3>&- &
        run_pid=$!
        read -r pid <said
        kill -KILL "$pid"
        code=0
        wait "$run_pid" || code=$?
        same "exit code" "$code" 137
        same "code" "$(value blind.code)" "${way#*:}"
        rm said
    done
}

@test "static, 32-bit, of another machine, of another libc: said before the start" {
    cc -static -x c -o static - <<<'int main(void) { return 0; }'
    warned 4 static-executable 'static executable' ./static
    export ALLOCREPORT_LIBRARY=$recorder # whether there is one for 32 bits, too, or not
    elf narrow 32 3
    warned "$(started narrow)" 32-bit-program 'a 32-bit program' ./narrow
    elf foreign 64 22
    warned "$(started foreign)" foreign-machine 'another machine' ./foreign
    ln -s "$(readelf -lW "$progs/never_polls" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')" ld-musl-test.so.1
    cc -x c -o other -Wl,--dynamic-linker="$PWD/ld-musl-test.so.1" - <<<'
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) { puts(getenv("LD_PRELOAD") == NULL ? "bare" : "loaded"); return 0; }'
    warned 4 foreign-libc 'not linked to glibc' ./other
    same "output" "$(cat out)" bare # another libc's loader would not start it with the recorder
}

@test "set-group-id: said before the start" {
    cp "$progs/never_polls" privileged
    group=$(id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1)
    [ "$(id -u)" != 0 ] || group=60
    [ -n "$group" ] || skip "this user has one group alone"
    chgrp "$group" privileged
    chmod 2755 privileged
    warned 4 privileged 'ignores LD_PRELOAD' ./privileged
    # SDL itself loads the recorder into it, which is not preloaded all the same.
    cp "$progs/blind_sdl" game
    chgrp "$group" game
    chmod 2755 game
    script starter <<<$'#!/bin/sh\n./game idle wait &\nsleep 2\nkill -KILL $!'
    go 4 --json --report report.json ./starter
    same "code" "$(value blind.code)" privileged
    chmod 755 privileged
    unseen no-sdl 'no SDL' ./privileged
}

@test "files that are no programs, or broken ones, are no matter" {
    head -c 40 "$progs/never_polls" >broken
    printf '\177ELF\002\001\001' >short
    head -c 3000 /dev/urandom >noise
    : >empty
    for file in broken short noise empty; do
        chmod +x "$file"
        code=0
        timeout 60 "$allocreport" run "./$file" >out 2>err </dev/null || code=$?
        [ "$code" != 124 ] && [ "$code" -lt 128 ]
        run ! grep -q 'nothing can be told' err
    done
}

@test "a script takes LD_PRELOAD away, or starts a static program" {
    script starter <<END
#!/bin/sh
env -u LD_PRELOAD "$progs/blind_sdl" idle wait >out.game 2>&1 &
sleep 3
kill -KILL \$!
exit 0
END
    unseen preload-removed 'started without LD_PRELOAD' ./starter
    grep -q "no dump was made of '.*/blind_sdl'" <("$allocreport" run ./starter 2>&1) # the game, not the script
    cc -static -x c -o static - <<<'#include <unistd.h>
        int main(void) { sleep(2); return 0; }'
    script starter <<<$'#!/bin/sh\n./static\ntrue'
    unseen static-executable 'static executable' ./starter
}

@test "a recorder that is none, and a dump that cannot be written" {
    unseen not-loaded 'no process told' --recorder "$libc" "$progs/never_polls"
    unseen no-file 'no file could be made' -o missing/dump "$progs/loops"
}

@test "a malloc of the program's own, exported or not" {
    go 4 --json --report report.json "$progs/blind_malloc"
    grep -q "^allocreport: warning: nothing can be told of '.*' (own-malloc): " err # before it starts
    same "verdict" "$(value verdict.loop)" blind
    same "code" "$(value blind.code)" own-malloc
    run -4 "$allocreport" report "$(only_dump)"
    [[ $(tr -s ' \n' ' ' <<<"$output") == *'not one allocation was seen: the program exports a malloc of its own'* ]]
    rm ./*.alloc
    partly hidden-malloc-beside "$progs/blind_hidden"
    rm ./*.alloc
}

@test "another malloc is preloaded before the recorder" {
    jemalloc=$(find /usr/lib -name libjemalloc.so.2 | head -n 1)
    env LD_PRELOAD="$jemalloc $recorder" ALLOCREPORT_OUT=first ALLOCREPORT_QUIET=1 "$progs/loops"
    run -4 "$allocreport" report --json first
    same "code" "$(echo "$output" >report.json && value blind.code)" malloc-first
    same "object" "$(value bypass)" "$jemalloc"
}

@test "RTLD_DEEPBIND: what reaches libc past the recorder is named" {
    partly deepbind-beside "$progs/blind_deepbind" "$progs/blind_plugin.so"
    same "object" "$(value bypass)" "$progs/blind_plugin.so"
    same "polls" "$(value polls.count)" 300
}

@test "runtimes with memory of their own: noted, by the libraries that they come in" {
    while read -r library word; do
        stand_in "$library"
        partly "$word" env LD_PRELOAD="$recorder $PWD/$library" "$progs/loops"
    done <<END
libHSrts-ghc9.0.2.so runtime-ghc
libluajit-5.1.so.2 runtime-luajit
libmonosgen-2.0.so.1 runtime-mono
libcoreclr.so runtime-dotnet
libpython3.11.so.1.0 runtime-cpython
libjvm.so runtime-java
libgc.so.1 runtime-boehm
libnode.so.108 runtime-javascript
END
}

@test "runtimes that are linked into the program: noted, by what it exports or says" {
    while read -r line; do
        code=${line% *} word=${line##* }
        cc -x c -rdynamic -o linked - -lSDL2 <<END
int SDL_Init(unsigned);
int SDL_PollEvent(void *);
void *malloc(unsigned long);
void free(void *);
$code
int main(void) {
    SDL_Init(0x20);
    for (int i = 0; i < 100; i++) { SDL_PollEvent(0); free(malloc(10 + i)); }
    return 0;
}
END
        partly "$word" ./linked
    done <<'END'
void hs_init(void){} runtime-ghc
void luaJIT_setmode(void){} runtime-luajit
void mono_jit_init(void){} runtime-mono
void GC_malloc(void){} runtime-boehm
const char*text="\xff Go buildinf:"; runtime-go
const char*text="usage: GHCRTS"; runtime-ghc
const char*text="LuaJIT 2.1"; runtime-luajit
const char*text="<jemalloc>: no"; linked-allocator
const char*text="mimalloc: no"; linked-allocator
END
}

@test "CPython's own pools: noted, and PYTHONMALLOC=malloc opens them" {
    script game.py <<'END'
import ctypes
sdl = ctypes.CDLL("libSDL2-2.0.so.0")
assert sdl.SDL_Init(0x20) == 0
for i in range(200):
    sdl.SDL_PollEvent(None)
END
    python=$(python3 -c 'import sys; print(sys.executable)')
    partly runtime-cpython "$python" game.py
    go 0 --json --report report.json env PYTHONMALLOC=malloc "$python" game.py
    same "incomplete" "$(look field report.json incomplete)" '[]'
}

@test "plain LD_PRELOAD: one line where the program uses SDL, silence elsewhere" {
    LD_PRELOAD=$recorder "$progs/blind_sdl" audio 2>err
    same "lines" "$(grep -c '^allocreport: ' err)" 1
    grep -q '^allocreport: blind_sdl: no poll was seen, nothing is recorded (sdl-no-video); see allocreport-blind(7)$' err
    LD_PRELOAD=$recorder "$progs/blind_sdl" unused 2>err # it is linked to SDL
    grep -q '(sdl-unused)' err
    LD_PRELOAD=$recorder ALLOCREPORT_QUIET=1 "$progs/blind_sdl" audio 2>err
    same "quiet" "$(grep -c '^allocreport: ' err)" 0
    LD_PRELOAD=$recorder sh -c "'$progs/never_polls' >/dev/null; ls >/dev/null; env true" 2>err
    same "helpers" "$(cat err)" ""
    LD_PRELOAD=$recorder ffmpeg -version 2>err >/dev/null # a library of it is linked to SDL
    same "helpers" "$(cat err)" ""
}

@test "a dump of a program that never polls says why" {
    ALLOCREPORT_ALWAYS=1 ALLOCREPORT_QUIET=1 LD_PRELOAD=$recorder "$progs/blind_sdl" audio
    report "$(only_dump)"
    same "code" "$(value blind.code)" sdl-no-video
    "$allocreport" "$(only_dump)" >text
    grep -q '^no poll was seen: the program uses SDL for sound' text
    grep -q '^to do  *mark its own loop' text
}

@test "the manual lists each word, and no other" {
    { sed -n 's/.*WORD([A-Z_0-9]*, [0-9]*, "\(.*\)").*/\1/p' "$root/preload/dump_format.h"
        sed -n 's/.*\(BLIND_[A-Z_0-9]*\|OF_BIT([A-Z_]*)\), "\([a-z0-9-]*\)",.*/\2/p' "$root/cli/blind.c"
    } | sort >table
    [ "$(wc -l <table)" -gt 30 ]
    sed -n 's/^\.It Cm //p' "$root/cli/man/allocreport-blind.7" | sort >manual
    diff table manual
}

@test "nothing of the run stays behind" {
    export TMPDIR=$PWD/temporary
    mkdir temporary
    go 4 "$progs/never_polls"
    go 0 "$progs/loops"
    same "files" "$(ls temporary)" ""
}
