/* What the bad plugins have in common: which rule each of them breaks, by the name of its check. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <string.h>

#include "tally_plugin.h"

/* BAD_FILE_NAME is the plugin that only the check file-name finds fault with. */
enum {
  BAD_NONE,
  BAD_FILE_NAME, BAD_FILE_FORMAT, BAD_EXPORTS_ENTRY, BAD_EXPORTS_NOTHING_ELSE, BAD_STACK, BAD_LIBRARIES, BAD_SYMBOLS,
  BAD_LOADS, BAD_ENTRY, BAD_ENTRY_CONSTANT, BAD_ENTRY_TABLE, BAD_DESCRIPTORS,
  BAD_DESCRIPTOR_TABLE, BAD_HEADER_VERSION, BAD_KIND, BAD_CAPABILITIES, BAD_ID, BAD_IDS_DIFFER, BAD_NAMES, BAD_VERSION,
  BAD_LISTS, BAD_REQUIRED_EXTENSIONS, BAD_SCHEMA, BAD_SCHEMA_KEYWORDS, BAD_SCHEMA_REFUSES,
  BAD_SCHEMA_DEFAULTS, BAD_PATHS,
  BAD_CREATE, BAD_CREATE_QUIET, BAD_CREATE_UNKNOWN, BAD_TABLE, BAD_EXTENSION_UNKNOWN, BAD_DESTROY_AT_ONCE, BAD_INIT,
  BAD_LIFE_TWICE, BAD_DESTROY_AFTER_INIT, BAD_INIT_REFUSES, BAD_INIT_EXPLAINS, BAD_EXTENSIONS_WITHHELD,
  BAD_DISABLE_QUIET, BAD_CONFIGURE, BAD_COMMANDS,
  BAD_SESSION, BAD_EVENTS_ALL, BAD_EVENTS_OUTSIDE, BAD_SESSIONS_ODD, BAD_ORDER_ODD, BAD_JOINED, BAD_NUMBERS,
  BAD_TYPES_ODD, BAD_LARGEST, BAD_NEWER_EVENTS, BAD_NEWER_ATTRIBUTES, BAD_NEWER_STRUCTURES, BAD_BOUNDS,
  BAD_TIMERS_UNKNOWN, BAD_TIMERS_END,
  BAD_REPEAT_PROCESS, BAD_REPEAT_INSTANCE, BAD_REPEAT_SESSION, BAD_SIDE_BY_SIDE, BAD_DISABLED_BETWEEN, BAD_REPLACED,
  BAD_REPLAY_TWICE, BAD_LIVE_AND_REPLAY, BAD_REPLAY_JOINED, BAD_REPLAY_BESIDE,
  BAD_REFUSED, BAD_BLOCKS, BAD_TEXTS, BAD_CALLS_IN_TIME, BAD_CALLS_OWN_THREAD, BAD_EVENTS_UNCHANGED, BAD_MEMORY_LENT,
  BAD_ANY_THREAD,
  BAD_STREAMS, BAD_DESCRIPTORS_CLOSED, BAD_THREADS, BAD_PROCESS_UNCHANGED, BAD_MEMORY_KEPT, BAD_MEMORY_REFUSED,
  BAD_BUDGET, BAD_SECRETS, BAD_MEMORY_ERRORS,
  BAD_TAKE, BAD_TAKE_NOTHING, BAD_TAKE_UNKNOWN, BAD_TAKE_LARGE, BAD_TAKE_ODD, BAD_FLUSH, BAD_WANTS
};

/* Which one it is stands behind the mark: a test compiles once, and writes the number into copies of the file. A file
 * that has to be linked otherwise is compiled by itself, with -DBAD=BAD_... */
#ifndef BAD
#define BAD BAD_NONE
#endif
extern const volatile struct fixture_rule {
  char mark[20];
  int32_t bad;
} fixture_rule;
#define IS(name) (fixture_rule.bad == BAD_##name)

/* What entry.c has from the tracker or the reporter. */
const tally_plugin *fixture_create(const tally_host *host, const tally_run_info *info);
extern const uint32_t fixture_kind;

/* The attribute of a name, whatever its number. */
static inline const tally_attr *find_named(const tally_event *event, const char *name) {
  const tally_attr *attrs = (const tally_attr *)((const char *)event + event->attr_off);
  for (uint32_t i = 0; i < event->attr_count; i++)
    if (attrs[i].key_len == strlen(name) && memcmp((const char *)event + attrs[i].key_off, name, strlen(name)) == 0)
      return &attrs[i];
  return NULL;
}

#endif
