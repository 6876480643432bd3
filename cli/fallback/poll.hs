-- SPDX-License-Identifier: MIT
-- | SDL's events without a buffer for each poll, for SDL 2 and 3. It asks first, and polls into
-- one event that is made once and stands until the next one comes:
--
-- > drain = nextEvent >>= maybe (return ()) (\event -> handle event >> drain)
--
-- With the package sdl2, @peek (castPtr event) :: IO SDL.Raw.Event@ reads it. Only for the thread
-- that polls, which must be a bound one.
{-# LANGUAGE ForeignFunctionInterface #-}
module Poll (nextEvent, eventKind) where

import Data.Word (Word32, Word8)
import Foreign.Marshal.Alloc (mallocBytes)
import Foreign.Ptr (Ptr, castPtr, nullPtr)
import Foreign.Storable (peek)
import System.IO.Unsafe (unsafePerformIO)

-- An int in SDL 2, a bool in SDL 3: of both, the lowest byte tells. Safe: event filters and
-- watches may call back.
foreign import ccall safe "SDL_PollEvent" pollEvent :: Ptr () -> IO Word8

-- Large enough for SDL 3's event (128 bytes) and SDL 2's (56).
event :: Ptr ()
event = unsafePerformIO (mallocBytes 128)
{-# NOINLINE event #-}

-- | The next event, or Nothing: none waits.
nextEvent :: IO (Maybe (Ptr ()))
nextEvent = do
  waits <- pollEvent nullPtr
  if waits == 0
    then return Nothing
    else do
      taken <- pollEvent event
      return (if taken == 0 then Nothing else Just event)

-- | Its type, as SDL numbers it.
eventKind :: Ptr () -> IO Word32
eventKind = peek . castPtr
