/* SPDX-License-Identifier: MIT */
/*
 * fallback_texts.h: a poll that allocates nothing, as source to paste: real files of the tree, put
 * into the program when it is built. Called by fallback.c alone.
 */
#ifndef CLI_FALLBACK_TEXTS_H
#define CLI_FALLBACK_TEXTS_H

extern const char fallback_texts_c[]; /* preload/allocreport_poll.h: C++, too */
extern const char fallback_texts_rust[];
extern const char fallback_texts_haskell[];
extern const char fallback_texts_python[];

#endif
