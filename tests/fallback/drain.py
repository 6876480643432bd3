# SPDX-License-Identifier: MIT
"""As drain.c, by the poll to paste for Python, with ctypes; `naive`: with an event for each poll.
`pygame`: the same with pygame."""
import ctypes
import itertools
import sys

import poll


def with_pygame():
    import pygame

    pygame.display.init()
    pygame.event.clear()
    for i in range(3):
        pygame.event.post(pygame.event.Event(pygame.USEREVENT + i))
    for event in poll.pygame_events(pygame):
        print("%x" % (event.type - pygame.USEREVENT + 0x8000))
    for _ in range(1000):
        assert poll.pygame_events(pygame) == ()


def naive(sdl):
    for _ in range(1000):
        event = (ctypes.c_uint64 * 7)()
        sdl.SDL_PollEvent(ctypes.byref(event))


def main():
    sdl = ctypes.CDLL("libSDL2-2.0.so.0")
    sdl.SDL_Init(0x20)
    events = poll.Poll(sdl)
    while events.next():
        pass
    pushed = (ctypes.c_uint64 * 7)()
    for i in range(3):
        pushed[0] = 0x8000 + i
        sdl.SDL_PushEvent(ctypes.byref(pushed))
    while events.next():
        print("%x" % events.kind.value)
    if sys.argv[1:] == ["naive"]:
        naive(sdl)
        return
    for _ in itertools.repeat(None, 1000):  # makes no numbers
        assert not events.next()


if sys.argv[1:] == ["pygame"]:
    with_pygame()
else:
    main()
