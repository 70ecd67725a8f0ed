#include "line_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef char bytes64 __attribute__((ext_vector_type(64)));
typedef bool marks64 __attribute__((ext_vector_type(64)));

/* One bit for each of 64 bytes: whether it is a line break. */
__attribute__((always_inline)) static inline uint64_t breaks(const char *text) {
  bytes64 bytes;
  memcpy(&bytes, text, sizeof bytes);
  const marks64 found = __builtin_convertvector(bytes == '\n', marks64);
  uint64_t bits;
  memcpy(&bits, &found, sizeof bits);
  return bits;
}

__attribute__((always_inline)) static inline bool begins(const char *text, const char *prefix, size_t count) {
  if (count < 16 || count > 32) return memcmp(text, prefix, count) == 0;
  /* Two pieces that overlap, without a call: most ids are as long. */
  return memcmp(text, prefix, 16) == 0 && memcmp(text + count - 16, prefix + count - 16, 16) == 0;
}

__attribute__((always_inline)) static inline size_t lines_with_prefix(const char *text, size_t count, const char *prefix,
                                                                      size_t prefix_count, size_t *end) {
  size_t lines = 0;
  *end = 0;
  if (count < prefix_count || !begins(text, prefix, prefix_count)) return 0;
  size_t place = 0;
  for (; place + 64 <= count; place += 64) {
    for (uint64_t found = breaks(text + place); found != 0; found &= found - 1) {
      const size_t next = place + (size_t)__builtin_ctzll(found) + 1;
      lines++;
      *end = next;
      if (count - next < prefix_count || !begins(text + next, prefix, prefix_count)) return lines;
    }
  }
  for (; place < count; place++) {
    if (text[place] != '\n') continue;
    const size_t next = place + 1;
    lines++;
    *end = next;
    if (count - next < prefix_count || !begins(text + next, prefix, prefix_count)) return lines;
  }
  return lines;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static size_t lines_avx2(const char *text, size_t count, const char *prefix,
                                                         size_t prefix_count, size_t *end) {
  return lines_with_prefix(text, count, prefix, prefix_count, end);
}
#endif

size_t tally_lines_with_prefix(const char *text, size_t count, const char *prefix, size_t prefix_count, size_t *end) {
#ifdef __x86_64__
  /* Wider vectors than these would slow down what runs beside them. */
  if (__builtin_cpu_supports("avx2")) return lines_avx2(text, count, prefix, prefix_count, end);
#endif
  return lines_with_prefix(text, count, prefix, prefix_count, end);
}
