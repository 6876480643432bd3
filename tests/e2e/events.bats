#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What drains allocate, by the types of events that they bring.

load helpers

# rows FILE: each row of by_event as a line of its numbers.
rows() {
    python3 - "$1" <<'PYTHON'
import json
import sys
for row in json.load(open(sys.argv[1]))["by_event"]:
    print(row["event"], *(row[key] for key in ("type", "sdl", "events", "drains", "allocations", "bytes",
          "most_bytes", "alone_drains", "alone_allocations", "alone_bytes")), sep="|")
PYTHON
}

@test "polls --by-event: exact, however the program takes its events" {
    local mode
    cat >wanted <<'END'
joystick axis|1536|2|70|70|230|21140|307|50|150|15000
joystick button down|1539|2|20|20|80|6140|307|0|0|0
user event 0x8000|32768|2|60|30|0|0|0|30|0|0
several types|None|None|0|20|80|6140|307|0|0|0
no event|None|None|0|10|0|0|0|0|0|0
END
    for mode in poll null peep wait; do
        record "$progs/events" "$mode"
        dump=$(only_dump)
        check_counted "$dump"
        "$allocreport" polls --json --by-event "$dump" >polls.json
        rows polls.json >seen
        diff wanted seen || { echo "by $mode"; return 1; }
        check_dumps
        rm "$dump"
    done
}

@test "polls --by-event: the table" {
    record "$progs/events"
    "$allocreport" polls --by-event "$(only_dump)" >printed
    cat >wanted <<'END'
what drains allocate in their polls, by the events that they bring

event                 events  drains  allocs/drain  bytes/drain  max bytes  alone  allocs   bytes
joystick axis             70      70          3.29       302.00        307     50    3.00  300.00
joystick button down      20      20          4.00       307.00        307      0
user event 0x8000         60      30             0            0          0     30       0       0
several types                     20          4.00       307.00        307
no event                          10             0            0          0

a drain counts at each type that it brings; alone: the drains that bring nothing else
END
    diff wanted <(sed 's/ *$//' printed)
}

@test "polls --by-event is of all loops, and says when a dump has none" {
    run -2 "$allocreport" polls --by-event --loop 1 "$root/tests/dumps/example.alloc"
    [[ $output == *"'--by-event' is of all loops"* ]]
    run -0 "$allocreport" polls --by-event "$root/tests/dumps/example.alloc"
    [[ $output == *"its recorder is older"* ]]
    "$allocreport" polls --json "$root/tests/dumps/example.alloc" >polls.json
    same by_event "$(look field polls.json by_event)" null
}

@test "an event of SDL 1.2 is not looked at" {
    gcc -O1 -shared -fPIC -o one.so -x c - <<'END'
static const unsigned char version[3] = {1, 2, 15};
const unsigned char *SDL_Linked_Version(void) { return version; }
int SDL_PollEvent(unsigned char *event) { static int n; *event = 4; return ++n % 2; }
END
    gcc -O1 -D_GNU_SOURCE -o prog -x c - -L. -l:one.so -Wl,-rpath,"$PWD" <<'END'
#include <stdlib.h>
#include <sys/mman.h>
int SDL_PollEvent(void *event);
int main(void)
{
    void *volatile block = malloc(8);
    free(block);
    /* The event, of one byte, ends where the memory does. */
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + 4096, 4096, PROT_NONE);
    for (int i = 0; i < 20; i++)
        SDL_PollEvent(page + 4095);
    return 0;
}
END
    record ./prog
    "$allocreport" polls --json "$(only_dump)" >polls.json
    rows polls.json >seen
    diff - seen <<'END'
events of unknown type|None|None|10|10|0|0|0|10|0|0
END
}

@test "the types of SDL 3 go by its own numbers" {
    gcc -O1 -shared -fPIC -o three.so -x c - <<'END'
int SDL_GetVersion(void) { return 3004014; }
_Bool SDL_PollEvent(unsigned *event) { static int n; *event = 0x20c; return ++n % 2; }
END
    gcc -O1 -o prog -x c - -L. -l:three.so -Wl,-rpath,"$PWD" <<'END'
#include <stdlib.h>
_Bool SDL_PollEvent(void *event);
int main(void)
{
    void *volatile block = malloc(8);
    free(block);
    unsigned event[32];
    for (int i = 0; i < 20; i++)
        SDL_PollEvent(event);
    return 0;
}
END
    record ./prog
    "$allocreport" polls --json "$(only_dump)" >polls.json
    rows polls.json >seen
    diff - seen <<'END'
window mouse enter|524|3|10|10|0|0|0|10|0|0
END
}
