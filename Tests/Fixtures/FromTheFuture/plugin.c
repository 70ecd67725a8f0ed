/* A tracker as a later minor version of the ABI will have it: each structure is larger, its minor version is 99, it
 * asks for extensions and offers one that nobody here knows, has unknown capability bits, and emits an attribute of an
 * unknown type. It must load and work in every host of major 1; what the host does not know it passes over. */
#include <stdlib.h>
#include <string.h>

#include "tally_plugin.h"

#define ID "org.tally.fixture.from-the-future"
#define MINOR 99
#define POISON 0xA5A5A5A5A5A5A5A5u /* in members that nobody here may read */

struct future_plugin {
  tally_plugin v1;
  uint64_t later[4];
};
struct future_tracker {
  tally_tracker v1;
  uint64_t later[3];
};
struct future_descriptor {
  tally_descriptor v1;
  uint64_t later[5];
};
struct future_entry {
  tally_entry v1;
  uint64_t later[2];
};
struct future_record {
  tally_record v1;
  uint64_t later[2];
  tally_attr attrs[3];
  char texts[64];
};

struct instance {
  struct future_plugin plugin;
  const tally_host *host;
  const tally_emit *emit;
  int64_t offered; /* how many of the unknown extensions the host offered */
  int64_t events;
};

/* `texts` holds the names, from which the attributes' offsets count. */
static tally_status emit(
    const struct instance *instance, const char *kind, const tally_attr *attrs, uint32_t count, const char *texts) {
  const uint32_t base = offsetof(struct future_record, texts);
  struct future_record record = {
      .v1 = {.size = sizeof record, .header_size = offsetof(struct future_record, attrs),
             .kind_off = base + (uint32_t)strlen(texts), .kind_len = (uint32_t)strlen(kind),
             .attr_off = offsetof(struct future_record, attrs), .attr_count = count},
      .later = {POISON, POISON}};
  memcpy(record.texts, texts, strlen(texts));
  memcpy(record.texts + strlen(texts), kind, strlen(kind));
  for (uint32_t i = 0; i < count; i++) {
    record.attrs[i] = attrs[i];
    record.attrs[i].key_off += base;
  }
  return instance->emit->record(instance->host, &record.v1, NULL);
}

/* "future" has a known attribute, one of an unknown type, and a known one. "future_result" says what the host answered
 * to it, so that the answer is the same in each run or the outputs differ. */
static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct instance *instance = self->plugin_data;
  (void)snapshot;
  const tally_attr attrs[] = {
      {.key_off = 0, .key_len = 5, .type = TALLY_T_INT, .v.i = 1},
      {.key_off = 5, .key_len = 6, .type = 200, .flags = 0x80, .len = 7, .v.off = POISON},
      {.key_off = 11, .key_len = 4, .type = TALLY_T_INT, .v.i = 3}};
  tally_status status = emit(instance, "future", attrs, 3, "firstsecondlast");
  const tally_attr result[] = {
      {.key_off = 0, .key_len = 6, .type = TALLY_T_INT, .v.i = status},
      {.key_off = 6, .key_len = 7, .type = TALLY_T_INT, .v.i = instance->offered}};
  return emit(instance, "future_result", result, 2, "statusoffered");
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct instance *instance = self->plugin_data;
  instance->events++;
  return event->header_size >= 56 ? TALLY_OK : TALLY_ERR_INTERNAL;
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  (void)self, (void)timer, (void)deadline_us, (void)now;
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  const struct instance *instance = self->plugin_data;
  (void)reason, (void)now_us, (void)now;
  const tally_attr count = {.key_off = 0, .key_len = 6, .type = TALLY_T_INT, .v.i = instance->events};
  emit(instance, "future_end", &count, 1, "events");
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct instance *instance = self->plugin_data;
  const char *const unknown[] = {"tally.emit/2", "tally.teleport/1", "org.example.unheard-of/7", ""};
  (void)config;
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
    instance->offered += instance->host->get_extension(instance->host, unknown[i]) != NULL;
  instance->emit = instance->host->get_extension(instance->host, TALLY_EXT_EMIT);
  return instance->emit ? TALLY_OK : TALLY_ERR_UNSUPPORTED;
}

static tally_status enable(const tally_plugin *self) { return (void)self, TALLY_OK; }
static void disable(const tally_plugin *self) { (void)self; }
static void destroy(const tally_plugin *self) { free(self->plugin_data); }

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const struct future_tracker tracker = {
      .v1 = {.struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event,
             .on_timer = on_timer, .session_end = session_end},
      .later = {POISON, POISON, POISON}};
  static const uint64_t unheard_of[] = {16, POISON};
  (void)self;
  if (strcmp(id, TALLY_EXT_TRACKER) == 0) return &tracker;
  return strcmp(id, "org.example.unheard-of/7") == 0 ? unheard_of : NULL;
}

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  static const struct future_descriptor about = {
      .v1 = {.struct_size = sizeof about, .abi_minor = MINOR, .kind = TALLY_KIND_TRACKER,
             .caps = TALLY_CAP_DETERMINISTIC | 0x40000000u, .id = ID, .name = "Fixture: from the future",
             .vendor = "Tally", .version = "99.0.0", .config_schema = "{\"type\":\"object\"}"},
      .later = {POISON, POISON, POISON, POISON, POISON}};
  return index == 0 ? &about.v1 : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)run;
  if (strcmp(plugin_id, ID) != 0) return NULL;
  struct instance *instance = calloc(1, sizeof *instance);
  if (!instance) return NULL;
  instance->host = host;
  instance->plugin = (struct future_plugin){
      .v1 = {.struct_size = sizeof instance->plugin, .plugin_data = instance, .init = init, .enable = enable,
             .disable = disable, .destroy = destroy, .get_extension = get_extension},
      .later = {POISON, POISON, POISON, POISON}};
  return &instance->plugin.v1;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const struct future_entry entry = {
      .v1 = {.struct_size = sizeof entry, .abi_minor = MINOR, .count = 1, .descriptor = descriptor, .create = create},
      .later = {POISON, POISON}};
  return &entry.v1;
}
