/* SPDX-License-Identifier: MIT */
#include "cli/gzip.h"

#include "cli/errors.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#define PIECE 65536u

/* As zlib.h states deflateInit2: a window of 2^15, and 16 more for a gzip header; 8 is its default
 * amount of memory. */
#define GZIP_WINDOW (15 + 16)
#define GZIP_MEMORY 8

void gzip_write(FILE *out, const void *bytes, size_t size)
{
    static unsigned char piece[PIECE];
    z_stream stream = {0};
    const unsigned char *from = bytes;
    size_t left = size;
    int status;

    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    do {
        if (stream.avail_in == 0) {
            stream.next_in = (unsigned char *)(uintptr_t)from;
            stream.avail_in = left < UINT32_MAX ? (unsigned)left : UINT32_MAX;
            from += stream.avail_in;
            left -= stream.avail_in;
        }
        stream.next_out = piece;
        stream.avail_out = PIECE;
        status = deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
        fwrite(piece, 1, PIECE - stream.avail_out, out);
    } while (status != Z_STREAM_END);
    deflateEnd(&stream);
}
