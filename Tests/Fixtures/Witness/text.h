/* A text of bounded length, and attributes written into it so that no two different lists give the same text. */
#ifndef TEXT_H
#define TEXT_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tally_block.h"

/* A value may have 64 KiB; a block of 16 KiB needs less than this. */
#define TEXT_BYTES (60 * 1024)

struct text {
  uint32_t used;
  bool cut; /* something did not fit and was left out as a whole */
  char bytes[TEXT_BYTES];
};

static inline void text_clear(struct text *text) {
  text->used = 0;
  text->cut = false;
}

/* Returns how many bytes it added: all or none. */
static inline uint32_t text_add(struct text *text, const char *bytes, size_t length) {
  if (length > TEXT_BYTES - text->used) return text->cut = true, 0;
  if (length > 0) memcpy(text->bytes + text->used, bytes, length);
  text->used += (uint32_t)length;
  return (uint32_t)length;
}

static inline void text_add_number(struct text *text, const char *format, uint64_t number) {
  char piece[40];
  int length = snprintf(piece, sizeof piece, format, number);
  if (length > 0) text_add(text, piece, (size_t)length);
}

/* Each as `name#id!flags=value;` where a text is preceded by its length, a double is its bits and bytes are hex. */
static inline void text_add_attributes(
    struct text *text, const char *heap, const tally_attr *attrs, uint64_t count, int depth) {
  for (uint64_t i = 0; i < count; i++) {
    const tally_attr *attr = &attrs[i];
    uint64_t bits = (uint64_t)attr->v.i;
    text_add_number(text, "%" PRIu64 ":", attr->key_len);
    text_add(text, heap + attr->key_off, attr->key_len);
    text_add_number(text, "#%" PRIu64, attr->key_id);
    text_add_number(text, "!%" PRIu64 "=", attr->flags);
    switch (attr->type) {
      case TALLY_T_NULL: text_add(text, "null", 4); break;
      case TALLY_T_BOOL: text_add(text, bits ? "true" : "false", bits ? 4 : 5); break;
      case TALLY_T_INT: text_add_number(text, "%" PRId64, bits); break;
      case TALLY_T_DOUBLE: text_add_number(text, "d%016" PRIx64, bits); break;
      case TALLY_T_STRING:
        text_add_number(text, "s%" PRIu64 ":", attr->len);
        if (attr->len > 0) text_add(text, heap + attr->v.off, attr->len);
        break;
      case TALLY_T_BYTES:
        text_add(text, "x", 1);
        for (uint32_t byte = 0; byte < attr->len; byte++)
          text_add_number(text, "%02" PRIx64, (unsigned char)heap[attr->v.off + byte]);
        break;
      case TALLY_T_LIST:
        text_add(text, "[", 1);
        if (attr->len > 0 && depth < 8)
          text_add_attributes(text, heap, (const tally_attr *)(const void *)(heap + attr->v.off), attr->len, depth + 1);
        text_add(text, "]", 1);
        break;
      default: text_add_number(text, "?%" PRIu64, attr->type); break;
    }
    text_add(text, ";", 1);
  }
}

static inline uint64_t text_digest(uint64_t seed, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) seed = (seed ^ (unsigned char)bytes[i]) * 1099511628211u;
  return seed;
}

#endif
