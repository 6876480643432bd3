-- SPDX-License-Identifier: MIT
-- | As drain.c, by the poll to paste for Haskell.
{-# LANGUAGE ForeignFunctionInterface #-}
module Main (main) where

import Control.Monad (forM_, replicateM_)
import Data.Word (Word32, Word8)
import Foreign.Marshal.Alloc (callocBytes)
import Foreign.Ptr (Ptr, castPtr)
import Foreign.Storable (poke)
import Numeric (showHex)
import Poll (eventKind, nextEvent)

foreign import ccall safe "SDL_Init" initialise :: Word32 -> IO Word8
foreign import ccall safe "SDL_PushEvent" pushEvent :: Ptr () -> IO Word8

drain :: (Word32 -> IO ()) -> IO ()
drain handle = nextEvent >>= maybe (return ()) (\event -> eventKind event >>= handle >> drain handle)

main :: IO ()
main = do
  _ <- initialise 0x20
  drain (const (return ()))
  pushed <- callocBytes 128
  forM_ [0x8000 .. 0x8002] $ \kind -> poke (castPtr pushed) (kind :: Word32) >> pushEvent pushed
  drain (\kind -> putStrLn (showHex kind ""))
  replicateM_ 1000 nextEvent
