/* Tally plugin ABI: functions to read events and to build records with, in C11 and C++17.
 *
 * No part of the contract: a plugin that reads and writes blocks by itself does without this header. Everything is
 * inline, so there is nothing to link with.
 */
#ifndef TALLY_BLOCKS_H
#define TALLY_BLOCKS_H

#include <string.h>

#include "tally_plugin.h"

#if defined(__cplusplus)
#define TALLY_AS(type, value) static_cast<type>(value)
#else
#define TALLY_AS(type, value) ((type)(value))
#endif

TALLY_ASSUME_NONNULL_BEGIN

/* ---- structures and texts ------------------------------------------------------------------------------------- */

/* Copies a structure that begins with its size, such as a table of functions: no more than it has and no more than
 * `size`; the rest is zero, and so is all of it when `from` is NULL. */
static inline void tally_copy(void *into, size_t size, const void *TALLY_NULLABLE from) {
  uint32_t theirs = 0;
  memset(into, 0, size);
  if (!from) return;
  memcpy(&theirs, from, sizeof theirs);
  memcpy(into, from, theirs < size ? theirs : size);
}

/* Lends a text that ends with a NUL byte. */
static inline tally_str tally_text(const char *text) {
  tally_str lent;
  lent.ptr = text;
  lent.len = strlen(text);
  return lent;
}

static inline bool tally_text_is(tally_str text, const char *other) {
  return text.len == strlen(other) && (text.len == 0 || memcmp(text.ptr, other, text.len) == 0);
}

/* ---- reading a block ------------------------------------------------------------------------------------------ */

/* What lies so many bytes behind the start of an event or a record. */
static inline const void *tally_block_at(const void *block, uint64_t offset) {
  return TALLY_AS(const char *, block) + offset;
}

/* The text of so many bytes there. */
static inline tally_str tally_block_text(const void *block, uint64_t offset, size_t length) {
  tally_str text;
  text.ptr = TALLY_AS(const char *, tally_block_at(block, offset));
  text.len = length;
  return text;
}

/* The player as it is known behind this event. */
static inline tally_state tally_event_state(const tally_event *event) {
  tally_state state;
  tally_copy(&state, sizeof state, tally_block_at(event, event->state_off));
  return state;
}

/* "pause", also of a type that has no number. */
static inline tally_str tally_event_name(const tally_event *event) {
  return tally_block_text(event, event->type_name_off, event->type_name_len);
}

/* The attributes one after another; there are `attr_count`. */
static inline const tally_attr *tally_event_attrs(const tally_event *event) {
  return TALLY_AS(const tally_attr *, tally_block_at(event, event->attr_off));
}

/* The attribute TALLY_KEY_..., or NULL. */
static inline const tally_attr *TALLY_NULLABLE tally_event_find(const tally_event *event, uint16_t key) {
  const tally_attr *attrs = tally_event_attrs(event);
  for (uint32_t i = 0; i < event->attr_count; i++)
    if (attrs[i].key_id == key) return &attrs[i];
  return NULL;
}

/* The attribute of this name, which an application may have chosen, or NULL. */
static inline const tally_attr *TALLY_NULLABLE tally_event_find_name(const tally_event *event, const char *name) {
  const tally_attr *attrs = tally_event_attrs(event);
  for (uint32_t i = 0; i < event->attr_count; i++)
    if (tally_text_is(tally_block_text(event, attrs[i].key_off, attrs[i].key_len), name)) return &attrs[i];
  return NULL;
}

/* The whole number in an attribute, or `otherwise` where there is none. */
static inline int64_t tally_attr_int(const tally_attr *TALLY_NULLABLE attr, int64_t otherwise) {
  return attr && attr->type == TALLY_T_INT ? attr->v.i : otherwise;
}

/* The text in an attribute of this block; empty where there is none. */
static inline tally_str tally_attr_text(const void *block, const tally_attr *TALLY_NULLABLE attr) {
  if (attr && attr->type == TALLY_T_STRING) return tally_block_text(block, attr->v.off, attr->len);
  return tally_text("");
}

/* ---- building a record ---------------------------------------------------------------------------------------- */

/* A record under construction: header, attributes and texts lie one behind the other, so that it is the block itself.
 * It lives on the stack, between tally_draft_begin and the call of tally_emit.record. What does not fit is left out and
 * counted; who needs more than 16 attributes or 640 bytes of names and texts lays out a structure of its own. */
struct tally_draft {
  tally_record record;
  tally_attr attrs[16];
  char texts[640];
  uint32_t left_out; /* attributes for which there was no room */
  uint32_t reserved0;
};

/* Begins a record of this kind, such as "summary". */
static inline struct tally_draft tally_draft_begin(const char *kind) {
  struct tally_draft draft;
  const size_t length = strlen(kind) < 255 ? strlen(kind) : 255;
  memset(&draft, 0, sizeof draft);
  memcpy(draft.texts, kind, length);
  draft.record.header_size = sizeof draft.record;
  draft.record.attr_off = offsetof(struct tally_draft, attrs);
  draft.record.kind_off = offsetof(struct tally_draft, texts);
  draft.record.kind_len = TALLY_AS(uint32_t, length);
  draft.record.size = draft.record.kind_off + draft.record.kind_len;
  return draft;
}

/* Appends bytes, for which there is room, and returns their offset. */
static inline uint32_t tally_draft_append(struct tally_draft *draft, const char *TALLY_NULLABLE bytes, size_t length) {
  const uint32_t offset = draft->record.size;
  if (bytes && length > 0) memcpy(draft->texts + (offset - draft->record.kind_off), bytes, length);
  draft->record.size += TALLY_AS(uint32_t, length);
  return offset;
}

/* Appends an attribute whose text has so many bytes; NULL when there is no room. */
static inline tally_attr *TALLY_NULLABLE tally_draft_add(
    struct tally_draft *draft, const char *key, uint32_t type, size_t text_length) {
  const size_t length = strlen(key), used = draft->record.size - draft->record.kind_off;
  const size_t slots = sizeof draft->attrs / sizeof draft->attrs[0];
  if (draft->record.attr_count == slots || length > 255 || text_length > sizeof draft->texts ||
      length + text_length > sizeof draft->texts - used) {
    draft->left_out++;
    return NULL;
  }
  tally_attr *attr = &draft->attrs[draft->record.attr_count++];
  attr->key_off = tally_draft_append(draft, key, length);
  attr->key_len = TALLY_AS(uint16_t, length);
  attr->type = TALLY_AS(uint8_t, type);
  return attr;
}

static inline void tally_draft_int(struct tally_draft *draft, const char *key, int64_t value) {
  tally_attr *attr = tally_draft_add(draft, key, TALLY_T_INT, 0);
  if (attr) attr->v.i = value;
}

/* A number with a fraction. One that is integral belongs into tally_draft_int. */
static inline void tally_draft_double(struct tally_draft *draft, const char *key, double value) {
  tally_attr *attr = tally_draft_add(draft, key, TALLY_T_DOUBLE, 0);
  if (attr) attr->v.d = value;
}

static inline void tally_draft_bool(struct tally_draft *draft, const char *key, bool value) {
  tally_attr *attr = tally_draft_add(draft, key, TALLY_T_BOOL, 0);
  if (attr) attr->v.i = value;
}

static inline void tally_draft_str(struct tally_draft *draft, const char *key, tally_str value) {
  tally_attr *attr = tally_draft_add(draft, key, TALLY_T_STRING, value.len);
  if (!attr) return;
  attr->len = TALLY_AS(uint32_t, value.len);
  attr->v.off = tally_draft_append(draft, value.ptr, value.len);
}

static inline void tally_draft_text(struct tally_draft *draft, const char *key, const char *value) {
  tally_draft_str(draft, key, tally_text(value));
}

/* The record as tally_emit.record takes it; valid as long as the draft is, and nothing is added behind it. */
static inline const tally_record *tally_draft_end(struct tally_draft *draft) {
  draft->record.size = (draft->record.size + 7u) & ~7u; /* texts hold a multiple of 8 bytes: they end within */
  return &draft->record;
}

TALLY_ASSUME_NONNULL_END
#endif
