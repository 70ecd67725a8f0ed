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
