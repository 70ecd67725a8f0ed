/* What fixtures have in common: a whole plugin that does nothing, of which each fixture changes one thing.
 *
 * A fixture includes this file, writes its own functions, names them in the FIXTURE_... macros that entry.h lists, and
 * includes entry.h at its end. Fixtures are trusted by nobody: they are as short as they can be, not examples.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "tally_plugin.h"

/* What every instance has; a fixture that needs more puts this first into a structure of its own. */
struct fixture {
  tally_plugin plugin;
  const tally_host *host;
  const tally_emit *emit;
  const tally_timer *timer;
  const tally_random *random;
};

static inline void *fixture_of(const tally_plugin *self) { return self->plugin_data; }

static inline tally_str fixture_str(const char *text) { return (tally_str){.ptr = text, .len = strlen(text)}; }

/* A record in memory of its own: header, attributes and texts lie one behind the other, so the structure is the block.
 * What does not fit is left out. */
struct fixture_record {
  tally_record header;
  tally_attr attrs[8];
  char texts[256];
};

static inline uint32_t fixture_text(struct fixture_record *record, const char *text) {
  uint32_t offset = record->header.size;
  size_t length = strlen(text);
  if (length > sizeof *record - offset - 8) return offset;
  memcpy((char *)record + offset, text, length);
  record->header.size += (uint32_t)length;
  return offset;
}

static inline struct fixture_record fixture_begin(const char *kind) {
  struct fixture_record record = {.header = {.header_size = sizeof record.header}};
  record.header.attr_off = offsetof(struct fixture_record, attrs);
  record.header.size = offsetof(struct fixture_record, texts);
  record.header.kind_len = (uint32_t)strlen(kind);
  record.header.kind_off = fixture_text(&record, kind);
  return record;
}

static inline void fixture_add_int(struct fixture_record *record, const char *key, int64_t value) {
  if (record->header.attr_count == sizeof record->attrs / sizeof record->attrs[0]) return;
  record->attrs[record->header.attr_count++] = (tally_attr){
      .key_off = fixture_text(record, key), .key_len = (uint16_t)strlen(key), .type = TALLY_T_INT, .v.i = value};
}

static inline tally_status fixture_emit(const struct fixture *fixture, struct fixture_record *record) {
  record->header.size = (record->header.size + 7) & ~7u;
  return fixture->emit->record(fixture->host, &record->header, NULL);
}

static inline tally_status fixture_init(const tally_plugin *self, tally_str config) {
  struct fixture *fixture = self->plugin_data;
  const tally_host *host = fixture->host;
  (void)config;
  fixture->emit = host->get_extension(host, TALLY_EXT_EMIT);
  fixture->timer = host->get_extension(host, TALLY_EXT_TIMER);
  fixture->random = host->get_extension(host, TALLY_EXT_RANDOM);
  return TALLY_OK;
}

static inline tally_status fixture_enable(const tally_plugin *self) { return (void)self, TALLY_OK; }
static inline void fixture_disable(const tally_plugin *self) { (void)self; }
static inline void fixture_destroy(const tally_plugin *self) { free(self->plugin_data); }

static inline tally_status fixture_on_event(const tally_plugin *self, const tally_event *event) {
  return (void)self, (void)event, TALLY_OK;
}

static inline void fixture_on_timer(
    const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  (void)self, (void)timer, (void)deadline_us, (void)now;
}

static inline void fixture_session_end(
    const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  (void)self, (void)reason, (void)now_us, (void)now;
}

/* The whole number behind `"key":` in a flat JSON object, or `otherwise`. */
static inline int64_t fixture_number(tally_str config, const char *key, int64_t otherwise) {
  size_t length = strlen(key);
  for (size_t i = 0; i + length + 2 < config.len; i++) {
    const char *at = config.ptr + i, *end = config.ptr + config.len;
    if (at[0] != '"' || memcmp(at + 1, key, length) != 0 || at[length + 1] != '"') continue;
    for (at += length + 2; at < end && (*at == ' ' || *at == ':' || *at == '\n'); at++) {}
    int64_t value = 0;
    if (at == end || *at < '0' || *at > '9') return otherwise;
    for (; at < end && *at >= '0' && *at <= '9' && value < INT32_MAX; at++) value = value * 10 + (*at - '0');
    return value;
  }
  return otherwise;
}

#endif
