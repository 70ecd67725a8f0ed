#include "trivial_tracker.h"

#include <stdlib.h>
#include <string.h>

static uint64_t events;

static tally_status init(const tally_plugin *self, tally_str config) { return (void)self, (void)config, TALLY_OK; }
static tally_status enable(const tally_plugin *self) { return (void)self, TALLY_OK; }
static void disable(const tally_plugin *self) { (void)self; }
static void destroy(const tally_plugin *self) { free((void *)self); }

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  return (void)self, (void)snapshot, TALLY_OK;
}

/* Reads one member, so that the call is one that looks at its event. */
static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  (void)self;
  events += event->size != 0;
  return TALLY_OK;
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  (void)self, (void)timer, (void)deadline_us, (void)now;
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  (void)self, (void)reason, (void)now_us, (void)now;
}

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event, .on_timer = on_timer,
      .session_end = session_end};
  (void)self;
  return strcmp(id, TALLY_EXT_TRACKER) == 0 ? &tracker : NULL;
}

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  static const tally_descriptor about = {
      .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_TRACKER,
      .caps = TALLY_CAP_DETERMINISTIC, .id = TRIVIAL_TRACKER_ID, .name = "Trivial", .vendor = "Tally",
      .version = "1.0.0", .config_schema = "{\"type\":\"object\"}"};
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)host, (void)plugin_id, (void)run;
  tally_plugin *plugin = calloc(1, sizeof *plugin);
  if (!plugin) return NULL;
  *plugin = (tally_plugin){
      .struct_size = sizeof *plugin, .init = init, .enable = enable, .disable = disable, .destroy = destroy,
      .get_extension = get_extension};
  return plugin;
}

const tally_entry *trivial_tracker_entry(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  return &entry;
}

uint64_t trivial_tracker_events(void) { return events; }
