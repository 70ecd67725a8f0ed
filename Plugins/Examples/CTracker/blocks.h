/* Reading blocks and writing records in plain C11. Nothing here belongs to one tracker: copy the file into yours. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <string.h>

#include "tally_plugin.h"

/* Copies a structure that begins with its size: no more than it has and no more than we know; the rest is zero. */
static inline void copy_clamped(void *into, size_t size, const void *from) {
  uint32_t their_size = 0;
  if (from) memcpy(&their_size, from, sizeof their_size);
  memset(into, 0, size);
  if (from) memcpy(into, from, their_size < size ? their_size : size);
}

/* The header of an event is read in place: the members of version 1.0 are always there. */
static inline tally_state state_of(const tally_event *event) {
  tally_state state;
  copy_clamped(&state, sizeof state, (const char *)event + event->state_off);
  return state;
}

/* The attribute with this number, or NULL. Whoever wants names that have no number compares the text at key_off. */
static inline const tally_attr *find(const tally_event *event, uint16_t key) {
  const tally_attr *attrs = (const tally_attr *)((const char *)event + event->attr_off);
  for (uint32_t i = 0; i < event->attr_count; i++)
    if (attrs[i].key_id == key) return &attrs[i];
  return NULL;
}

static inline bool is_text(const tally_event *event, const tally_attr *attr, const char *text) {
  return attr && attr->type == TALLY_T_STRING && attr->len == strlen(text) &&
         memcmp((const char *)event + attr->v.off, text, attr->len) == 0;
}

/* A record: header, attributes and texts lie one behind the other, so the structure is the block that the host gets. */
struct draft {
  tally_record record;
  tally_attr attrs[8];
  char texts[256];
};

/* Appends a text and returns its offset. */
static inline uint32_t put_bytes(struct draft *draft, const char *text, size_t length) {
  uint32_t offset = draft->record.size;
  memcpy((char *)draft + offset, text, length);
  draft->record.size += (uint32_t)length;
  return offset;
}

/* Whether so many bytes of text fit, with the ones that make the size a multiple of 8. */
static inline bool has_room(const struct draft *draft, size_t length) {
  return length + 8 <= sizeof *draft - draft->record.size;
}

/* Starts an attribute. NULL when the draft is full: none of our records comes near that. */
static inline tally_attr *add(struct draft *draft, const char *key, size_t text_length, uint8_t type) {
  size_t length = strlen(key);
  bool fits = draft->record.attr_count < sizeof draft->attrs / sizeof draft->attrs[0];
  if (!fits || !has_room(draft, length + text_length)) return NULL;
  tally_attr *attr = &draft->attrs[draft->record.attr_count++];
  *attr = (tally_attr){.key_off = put_bytes(draft, key, length), .key_len = (uint16_t)length, .type = type};
  return attr;
}

static inline void add_int(struct draft *draft, const char *key, int64_t value) {
  tally_attr *attr = add(draft, key, 0, TALLY_T_INT);
  if (attr) attr->v.i = value;
}

static inline void add_text(struct draft *draft, const char *key, const char *text) {
  tally_attr *attr = add(draft, key, strlen(text), TALLY_T_STRING);
  if (!attr) return;
  attr->len = (uint32_t)strlen(text);
  attr->v.off = put_bytes(draft, text, attr->len);
}

/* Begins an empty record. */
static inline struct draft draft_begin(void) {
  return (struct draft){
      .record = {.size = offsetof(struct draft, texts), .header_size = sizeof(tally_record),
                 .attr_off = offsetof(struct draft, attrs)}};
}

/* Gives the record its kind and its whole size. */
static inline const tally_record *draft_end(struct draft *draft, const char *kind) {
  draft->record.kind_len = has_room(draft, strlen(kind)) ? (uint32_t)strlen(kind) : 0;
  draft->record.kind_off = put_bytes(draft, kind, draft->record.kind_len);
  draft->record.size = (draft->record.size + 7) & ~7u;
  return &draft->record;
}

static inline tally_str str(const char *text) { return (tally_str){.ptr = text, .len = strlen(text)}; }

#endif
