// SPDX-License-Identifier: MIT
//! SDL's events without a heap allocation, for SDL 2 and 3, whatever crate binds it:
//!
//!     while let Some(event) = poll::next() {
//!         handle(event.kind(), event.as_ptr::<SDL_Event>());
//!     }
//!
//! It asks first, and polls into an event that is returned by value: a Box or a Vec around each
//! poll is not needed. Only for the thread that polls.

use std::ffi::c_void;
use std::ptr;

extern "C" {
    // An int in SDL 2, a bool in SDL 3: of both, the lowest byte tells.
    fn SDL_PollEvent(event: *mut c_void) -> u8;
}

/// Large enough for SDL 3's event (128 bytes) and SDL 2's (56), and aligned as they are.
#[repr(C, align(8))]
pub struct Event {
    bytes: [u8; 128],
}

impl Event {
    /// Its type, as SDL numbers it.
    pub fn kind(&self) -> u32 {
        u32::from_ne_bytes([self.bytes[0], self.bytes[1], self.bytes[2], self.bytes[3]])
    }

    /// As the SDL_Event of the binding.
    pub fn as_ptr<T>(&self) -> *const T {
        self.bytes.as_ptr().cast()
    }
}

/// The next event, or None: none waits.
pub fn next() -> Option<Event> {
    let mut event = Event { bytes: [0; 128] };

    // SAFETY: SDL writes one SDL_Event at most, and keeps no pointer to it.
    unsafe {
        if SDL_PollEvent(ptr::null_mut()) != 0
            && SDL_PollEvent(event.bytes.as_mut_ptr().cast()) != 0
        {
            return Some(event);
        }
    }
    None
}
