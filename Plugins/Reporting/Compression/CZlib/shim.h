#include <zlib.h>

// deflateInit2 is a macro, which Swift does not see. 15 + 16 bits ask for the form of gzip.
static inline int tally_gzip_begin(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// The same with a level from 1, fast, to 9, small.
static inline int tally_gzip_begin_level(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// The same, as fast as it goes: for what is made anew every two seconds.
static inline int tally_gzip_begin_fast(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// The same for reading: 15 + 32 bits take gzip and zlib by their first bytes.
static inline int tally_gunzip_begin(z_stream *stream) {
  return inflateInit2(stream, 15 + 32);
}
