#ifndef CGRAPHSTORE_ZLIB_SHIMS_H
#define CGRAPHSTORE_ZLIB_SHIMS_H

#include <zlib.h>

// Macros in C, so Swift cannot call them. The 16 stands for the form of gzip.

static inline int gs_begin_inflating(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 16); }

static inline int gs_begin_deflating(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
