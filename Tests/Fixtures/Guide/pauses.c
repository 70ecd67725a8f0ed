#include <stdlib.h>
#include <string.h>

#include "tally_plugin.h"

#define ID "org.example.pauses"

/* What one instance knows. There is one instance per player run, and instances share nothing. */
struct pauses {
  tally_plugin plugin;
  const tally_host *host;
  tally_emit emit;
  int64_t count;
};

/* A record is one block of memory: its header, its attributes and their texts, which are found by offsets. */
struct summary {
  tally_record record;
  tally_attr count;
  char texts[16];
};

/* ---- what it does ---- */

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct pauses *pauses = self->plugin_data;
  (void)snapshot;
  pauses->count = 0;
  return TALLY_OK;
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct pauses *pauses = self->plugin_data;
  if (event->type == TALLY_EVENT_TYPE_PAUSE) pauses->count++;
  return TALLY_OK;
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  (void)self, (void)timer, (void)deadline_us, (void)now; /* it starts none */
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  struct pauses *pauses = self->plugin_data;
  (void)reason, (void)now_us, (void)now;
  const uint32_t texts = offsetof(struct summary, texts);
  const struct summary summary = {
      .record = {.size = sizeof summary, .header_size = sizeof summary.record, .kind_off = texts, .kind_len = 7,
                 .attr_off = offsetof(struct summary, count), .attr_count = 1},
      .count = {.key_off = texts + 7, .key_len = 6, .type = TALLY_T_INT, .v.i = pauses->count},
      .texts = "summarypauses"};
  pauses->emit.record(pauses->host, &summary.record, NULL);
}

/* ---- life cycle ---- */

static tally_status init(const tally_plugin *self, tally_str config) {
  struct pauses *pauses = self->plugin_data;
  (void)config;
  const tally_emit *offered = pauses->host->get_extension(pauses->host, TALLY_EXT_EMIT);
  if (!offered) return TALLY_ERR_UNSUPPORTED;
  uint32_t size = offered->struct_size;
  memcpy(&pauses->emit, offered, size < sizeof pauses->emit ? size : sizeof pauses->emit);
  return TALLY_OK;
}

static tally_status enable(const tally_plugin *self) { return (void)self, TALLY_OK; }
static void disable(const tally_plugin *self) { (void)self; }
static void destroy(const tally_plugin *self) { free(self->plugin_data); }

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event, .on_timer = on_timer,
      .session_end = session_end};
  (void)self;
  return strcmp(id, TALLY_EXT_TRACKER) == 0 ? &tracker : NULL;
}

/* ---- entry ---- */

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  static const char *const needed[] = {TALLY_EXT_EMIT, NULL};
  static const tally_descriptor about = {
      .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_TRACKER,
      .caps = TALLY_CAP_DETERMINISTIC, .id = ID, .name = "Pauses", .vendor = "Example", .version = "1.0.0",
      .config_schema = "{\"type\":\"object\",\"additionalProperties\":false}", .requires_extensions = needed};
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)run;
  if (strcmp(plugin_id, ID) != 0) return NULL;
  struct pauses *pauses = calloc(1, sizeof *pauses);
  if (!pauses) return NULL;
  pauses->host = host;
  pauses->plugin = (tally_plugin){
      .struct_size = sizeof pauses->plugin, .plugin_data = pauses, .init = init, .enable = enable,
      .disable = disable, .destroy = destroy, .get_extension = get_extension};
  return &pauses->plugin;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  return &entry;
}
