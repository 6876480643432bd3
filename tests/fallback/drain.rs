// SPDX-License-Identifier: MIT
//! As drain.c, by the poll to paste for Rust.

mod poll;

use std::ffi::c_void;

extern "C" {
    fn SDL_Init(flags: u32) -> u8;
    fn SDL_PushEvent(event: *mut c_void) -> u8;
}

fn main() {
    unsafe { SDL_Init(0x20) };
    while poll::next().is_some() {}
    for i in 0..3u64 {
        let mut pushed = [0u64; 16];
        pushed[0] = 0x8000 + i;
        unsafe { SDL_PushEvent(pushed.as_mut_ptr().cast()) };
    }
    while let Some(event) = poll::next() {
        assert_eq!(unsafe { *event.as_ptr::<u32>() }, event.kind());
        println!("{:x}", event.kind());
    }
    for _ in 0..1000 {
        assert!(poll::next().is_none());
    }
}
