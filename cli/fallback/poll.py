# SPDX-License-Identifier: MIT
"""SDL's events without an object for each poll: for PySDL2, ctypes and pygame.

    events = Poll(ctypes.CDLL("libSDL2-2.0.so.0"))      # PySDL2: Poll(sdl2.dll.dll)
    while events.next():
        handle(events.kind.value, events.address)       # PySDL2: SDL_Event.from_address(...)

It asks first, and polls into one event that is made once. Only for the thread that polls.
"""
import ctypes


class Poll:
    SIZE = 128  # sizeof(SDL_Event) of SDL 3; that of SDL 2 is 56

    def __init__(self, sdl):
        self.buffer = (ctypes.c_uint64 * (self.SIZE // 8))()
        self.kind = ctypes.c_uint32.from_buffer(self.buffer)  # the event's type
        self.address = ctypes.addressof(self.buffer)
        prototype = ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_void_p)  # SDL 3 returns a bool
        self._poll = prototype(("SDL_PollEvent", sdl))
        self._event = ctypes.c_void_p(self.address)

    def next(self):
        """True: an event was taken; it stands in the buffer until the next one."""
        return bool(self._poll(None) and self._poll(self._event))


def pygame_events(pygame):
    """The events that wait, as pygame.event.get() has them, but without a list for none."""
    return pygame.event.get() if pygame.event.peek() else ()
