#include "line_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

/* One bit for each of 64 bytes: whether it is a line break. */
static inline uint64_t breaks(const char *text) {
  const __m128i sought = _mm_set1_epi8('\n');
  uint64_t found = 0;
  for (int part = 0; part < 4; part++) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(text + 16 * part));
    found |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, sought)) << (16 * part);
  }
  return found;
}

static inline bool same(const char *text, const char *prefix) {
  const __m128i left = _mm_loadu_si128((const __m128i *)text), right = _mm_loadu_si128((const __m128i *)prefix);
  return _mm_movemask_epi8(_mm_cmpeq_epi8(left, right)) == 0xFFFF;
}

static inline bool begins(const char *text, const char *prefix, size_t count) {
  if (count < 16 || count > 32) return memcmp(text, prefix, count) == 0;
  return same(text, prefix) && same(text + count - 16, prefix + count - 16);
}
#else
static inline uint64_t breaks(const char *text) {
  uint64_t found = 0;
  for (int place = 0; place < 64; place++) found |= (uint64_t)(text[place] == '\n') << place;
  return found;
}

static inline bool begins(const char *text, const char *prefix, size_t count) {
  return memcmp(text, prefix, count) == 0;
}
#endif

size_t tally_lines_with_prefix(const char *text, size_t count, const char *prefix, size_t prefix_count, size_t *end) {
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
