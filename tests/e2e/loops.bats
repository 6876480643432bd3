#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Loops that are not SDL's: marked by the program, GLFW's, plain ones.

load helpers

@test "marks in an epoll loop: polls, frames and operations, to the byte" {
    "$progs/marks" >plain
    record "$progs/marks" >recorded
    diff <(sed 's/^expect: [0-9]* //' plain) <(sed 's/^expect: [0-9]* //' recorded)
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
    same polls.count "$(value polls.count)" 1040
    same marked "$(value polls.by_function.allocreport_poll_begin)" 1040
    same polls.empty "$(value polls.empty)" 10
    same frames.count "$(value frames.count)" 20
    same frames.function "$(value frames.function)" allocreport_frame
    "$allocreport" polls --json "$dump" >polls.json
    "$allocreport" polls "$dump" >polls.txt
    grep -q 'marked_operations' polls.txt
    same "loops named after the mark" "$(grep -c allocreport_poll_begin polls.txt)" 0
    same loops "$(look field polls.json loops.length)" 2
    same "the busiest loop" "$(look field polls.json loops.0.stack.1.function)" marked_operations
    same "bytes in its polls" "$(look field polls.json loops.0.in_poll.bytes)" 30000
    same "bytes between them" "$(look field polls.json loops.0.between_polls.bytes)" 0
    same "the other" "$(look field polls.json loops.1.stack.1.function)" turn
    same "bytes in its polls" "$(look field polls.json loops.1.in_poll.bytes)" 320
    same "bytes between them" "$(look field polls.json loops.1.between_polls.bytes)" 3900
}

@test "marks in C++, that exceptions leave" {
    "$progs/marks_cxx" >plain
    record "$progs/marks_cxx" >recorded
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
    same polls.count "$(value polls.count)" 70
    same polls.empty "$(value polls.empty)" 60
    same "in polls" "$(inspect 'sum(s["allocations"] for s in sites if s["where"] == "in_poll"
        and stands("main", s))')" 110 # 20 of them exceptions
}

# build NAME COMPILER [FLAG ...]: the program with marks, built so.
build() {
    "${@:2}" -std=gnu11 -D_GNU_SOURCE -I"$root" -Wall -Wextra -Werror -fno-builtin \
        "$root/tests/progs/marks.c" -o "$1" 2>build.err || { cat build.err; return 1; }
}

@test "marks find the recorder however the program is built, and do nothing without" {
    local flags compiler
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        for flags in '-O0' '-O2' '-O2 -fno-pic -no-pie' '-O2 -flto' '-O2 -fvisibility=hidden' \
            '-O2 -fno-plt -Wl,-z,now' '-O2 -fno-pic -no-pie -fno-plt'; do
            # shellcheck disable=SC2086 # flags are words
            build prog "$compiler" $flags
            ./prog >plain
            env LD_PRELOAD="$recorder" ALLOCREPORT_QUIET=1 ./prog >recorded
            report "$(only_dump)"
            same "polls with $compiler $flags" "$(value polls.count)" 1040
            rm ./*.alloc
        done
        for flags in '-O2 -static' '-O2 -static-pie -fPIE'; do
            # shellcheck disable=SC2086 # flags are words
            build prog "$compiler" $flags
            env LD_PRELOAD="$recorder" ./prog >recorded
            grep -q '^expect: [0-9]* marked_operations' recorded
            no_dumps
        done
    done
}

@test "allocreport.h is plain C and C++, and pkg-config finds it" {
    local compiler
    make -s -C "$root" FLAVOUR="$(basename "$build")" install DESTDIR="$PWD/stage" >/dev/null
    export PKG_CONFIG_PATH=$PWD/stage/usr/local/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/stage
    printf '%s\n' '#include <allocreport.h>' 'int main(void)' \
        '{ allocreport_poll_begin(); allocreport_poll_end(0); allocreport_frame(); return 0; }' >user.c
    cp user.c user.cpp
    same "the recorder" "$(pkg-config --variable=recorder allocreport | sed "s|^$PWD/stage||")" \
        /usr/local/lib/liballocreport.so
    for compiler in 'gcc -std=c89' 'gcc -std=c11 -O2' 'g++ -std=c++98' 'g++ -std=c++20 -fno-pic -no-pie'; do
        # shellcheck disable=SC2046,SC2086 # flags are words
        $compiler -pedantic -Wall -Wextra -Wundef -Wshadow -Werror $(pkg-config --cflags allocreport) \
            "user.$([[ $compiler = g++* ]] && echo cpp || echo c)" -o user $(pkg-config --libs allocreport)
        ./user
        record ./user
        "$allocreport" polls --json "$(only_dump)" >polls.json
        same "polls with $compiler" "$(look field polls.json loops.0.polls)" 1
        rm ./*.alloc
    done
}

# same_but_pids ONE OTHER: the same lines, whatever the process numbers.
same_but_pids() {
    diff <(sed 's/^expect: [0-9]* //' "$1") <(sed 's/^expect: [0-9]* //' "$2")
}

@test "plain loops count when they are asked for, and behave as without" {
    "$progs/plain_loops" >plain
    grep -qx 'cancelled: yes, cleaned up: yes' plain
    record "$progs/plain_loops" >recorded
    same_but_pids plain recorded
    no_dumps
    record ALLOCREPORT_LOOP=epoll "$progs/plain_loops" >recorded
    same_but_pids plain recorded
    dump=$(only_dump)
    check_counted "$dump"
    check_expected "$dump" recorded
    # Nine loops of 20 turns, three polls that fail; the one that is cancelled has no end.
    same polls.count "$(value polls.count)" 183
    same polls.by_function.poll "$(value polls.by_function.poll)" 183
    same polls.events "$(value polls.events)" 90
    same polls.empty "$(value polls.empty)" 93
    "$allocreport" polls --json "$dump" >polls.json
    same loops "$(look field polls.json loops.length)" 13
    for way in poll poll_chk ppoll ppoll_chk select pselect epoll_wait epoll_pwait epoll_pwait2; do
        grep -qx " *\"function\": \"by_$way\"," polls.json || { echo "no loop by_$way"; return 1; }
    done
}

@test "a plain poll inside a marked one, or inside one of SDL's, is not counted" {
    record ALLOCREPORT_LOOP=epoll "$progs/marks" >recorded
    report "$(only_dump)"
    same polls.count "$(value polls.count)" 1040
    same marked "$(value polls.by_function.allocreport_poll_begin)" 1040
    rm ./*.alloc
    gcc -O1 -shared -fPIC -o sdl.so -x c - <<'END'
int poll(void *fds, unsigned long count, int timeout);
int SDL_GetVersion(void) { return 3004014; }
_Bool SDL_PollEvent(void *event) { (void)event; return poll(0, 0, 0) > 0; }
END
    gcc -O1 -o prog -x c - -L. -l:sdl.so -Wl,-rpath,"$PWD" <<'END'
#include <poll.h>
#include <stdlib.h>
_Bool SDL_PollEvent(void *event);
int main(void)
{
    void *volatile block = malloc(8);
    free(block);
    for (int i = 0; i < 20; i++)
        SDL_PollEvent(0);
    poll(0, 0, 0);
    return 0;
}
END
    record ALLOCREPORT_LOOP=epoll ./prog
    report "$(only_dump)"
    same "by function" "$(inspect 'sorted(report["polls"]["by_function"].items())')" \
        "[('SDL_PollEvent', 20), ('poll', 1)]"
}

@test "GLFW's polls and frames count when they are asked for" {
    cat >glfw.c <<'END'
#include <poll.h>
#include <stdlib.h>
double glfw_waited;
/* What GLFW does in its polls: it allocates and calls libc's poll. */
static void work(size_t bytes) { void *volatile block = malloc(bytes); free(block); poll(0, 0, 0); }
void glfwPollEvents(void) { work(10); }
void glfwWaitEvents(void) { work(20); }
void glfwWaitEventsTimeout(double seconds) { glfw_waited += seconds; work(40); }
void glfwSwapBuffers(void *window) { (void)window; }
END
    cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
extern double glfw_waited;
void glfwPollEvents(void);
void glfwWaitEvents(void);
void glfwWaitEventsTimeout(double seconds);
void glfwSwapBuffers(void *window);
int main(void)
{
    setvbuf(stdout, 0, _IONBF, 0);
    for (int i = 0; i < 12; i++) {
        void *volatile block = malloc(100);
        free(block);
        glfwPollEvents();
        if (i % 2 == 0)
            glfwWaitEvents();
        if (i % 3 == 0)
            glfwWaitEventsTimeout(0.25 * i);
        glfwSwapBuffers(0);
    }
    printf("waited %g\n", glfw_waited);
    return 0;
}
END
    gcc -O1 -g -shared -fPIC -o libglfw.so glfw.c
    gcc -O1 -g -o prog prog.c -L. -lglfw -Wl,-rpath,"$PWD"
    record ./prog >recorded
    same output "$(cat recorded)" 'waited 4.5'
    no_dumps
    record ALLOCREPORT_LOOP=glfw ./prog >recorded
    same output "$(cat recorded)" 'waited 4.5'
    dump=$(only_dump)
    check_counted "$dump"
    same polls.count "$(value polls.count)" 22
    same polls.by_function.glfwPollEvents "$(value polls.by_function.glfwPollEvents)" 22
    same polls.empty "$(value polls.empty)" 0
    same frames.count "$(value frames.count)" 12
    same frames.function "$(value frames.function)" glfwSwapBuffers
    same in_poll.bytes "$(value in_poll.bytes)" "$((12 * 10 + 6 * 20 + 4 * 40))"
    same between_polls.bytes "$(value between_polls.bytes)" "$((11 * 100))"
    rm ./*.alloc
    # The polls that GLFW makes are plain ones, in a program whose plain ones count.
    record ALLOCREPORT_LOOP=epoll ./prog >recorded
    report "$(only_dump)"
    same "by function" "$(inspect 'sorted(report["polls"]["by_function"].items())')" "[('poll', 22)]"
}

@test "a program that polls with hundreds of stacks: each poll in one loop, the main loop in its own" {
    record "$progs/many_loops" >recorded
    dump=$(only_dump)
    check_counted "$dump"
    same "polls" "$(value polls.count)" 2900
    same "in no loop" "$(value losses.loops)" 0
    "$allocreport" polls --json "$dump" >polls.json
    # 24 stacks that polled first, the call of the others, the main loop's call, the main loop.
    same "loops" "$(look field polls.json loops.length)" 27
    same "the busiest" "$(look field polls.json loops.0.stack.0.function)" main_loop
    own=$(look field polls.json loops.0.polls)
    [ "$own" -gt 1900 ]
    same "has it a stack" "$(look field polls.json loops.0.other_stacks)" false
    same "the next" "$(look field polls.json loops.1.stack.0.function)" show_progress
    same "stands for many" "$(look field polls.json loops.1.other_stacks)" true
    same "its polls" "$(look field polls.json loops.1.polls)" $((900 - 24 * 3))
    same "bytes between" "$(look field polls.json loops.1.between_polls.bytes)" $(((900 - 24 * 3) * 10))
    same "the main loop before it had its own" "$(look field polls.json loops.2.polls)" $((2000 - own))
    "$allocreport" polls "$dump" >polls.txt
    grep -q 'other stacks: show_progress' polls.txt
    "$allocreport" info "$dump" | grep -qx 'health: all sums agree'
}
