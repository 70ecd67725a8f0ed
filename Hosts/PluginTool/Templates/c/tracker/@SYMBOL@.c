/* @NAME@: measures how long the viewer waits for data, and counts pauses.
 *
 * Read it from its end: entry, descriptor, life cycle, then what it tracks.
 */
#include <stdlib.h>

#include "tally_blocks.h"

/* What one instance knows. There is one instance per player run, and instances share nothing. */
struct tracker {
  tally_plugin plugin; /* what the host calls */
  const tally_host *host;
  tally_emit emit;
  /* The session that is going on. */
  char video[128];
  int64_t pauses, waits, waited_us, waiting_since_us; /* -1: does not wait */
};

/* ---- what it tracks ---- */

static void finish_wait(struct tracker *t, int64_t now_us, const tally_state *now) {
  if (t->waiting_since_us < 0) return;
  const int64_t waited_us = now_us - t->waiting_since_us;
  t->waiting_since_us = -1;
  t->waits++;
  t->waited_us += waited_us;
  struct tally_draft draft = tally_draft_begin("wait");
  tally_draft_int(&draft, "waited_ms", waited_us / 1000);
  if (now->known & TALLY_KNOWN_PLAYHEAD) tally_draft_int(&draft, "playhead_ms", now->playhead_ms);
  t->emit.record(t->host, tally_draft_end(&draft), NULL);
}

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct tracker *t = self->plugin_data;
  (void)snapshot;
  t->video[0] = 0;
  t->pauses = t->waits = t->waited_us = 0;
  t->waiting_since_us = -1;
  return TALLY_OK;
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct tracker *t = self->plugin_data;
  const tally_state now = tally_event_state(event);
  switch (event->type) {
    case TALLY_EVENT_TYPE_VIDEO_LOAD: {
      tally_str name = tally_attr_text(event, tally_event_find(event, TALLY_KEY_VIDEO_NAME));
      size_t length = name.len < sizeof t->video ? name.len : sizeof t->video - 1;
      /* What is too long is cut off between two characters. */
      while (length > 0 && length < name.len && ((unsigned char)name.ptr[length] & 0xC0) == 0x80) length--;
      memcpy(t->video, name.ptr, length);
      t->video[length] = 0;
      break;
    }
    case TALLY_EVENT_TYPE_PAUSE: t->pauses++; break;
    case TALLY_EVENT_TYPE_BUFFER_START:
      if (t->waiting_since_us < 0) t->waiting_since_us = event->time_us;
      break;
    case TALLY_EVENT_TYPE_BUFFER_COMPLETE: finish_wait(t, event->time_us, &now); break;
    default: break; /* also what a newer host says, and this tracker has never heard of */
  }
  return TALLY_OK;
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  (void)self, (void)timer, (void)deadline_us, (void)now; /* it starts none */
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *state) {
  struct tracker *t = self->plugin_data;
  tally_state now;
  (void)reason;
  tally_copy(&now, sizeof now, state);
  finish_wait(t, now_us, &now);
  struct tally_draft draft = tally_draft_begin("summary");
  tally_draft_text(&draft, "video", t->video);
  tally_draft_int(&draft, "pauses", t->pauses);
  tally_draft_int(&draft, "waits", t->waits);
  tally_draft_int(&draft, "waited_ms", t->waited_us / 1000);
  t->emit.record(t->host, tally_draft_end(&draft), NULL);
}

/* ---- life cycle ---- */

static tally_status init(const tally_plugin *self, tally_str config) {
  struct tracker *t = self->plugin_data;
  (void)config;
  tally_copy(&t->emit, sizeof t->emit, t->host->get_extension(t->host, TALLY_EXT_EMIT));
  return t->emit.record ? TALLY_OK : TALLY_ERR_UNSUPPORTED;
}

static tally_status enable(const tally_plugin *self) {
  (void)self;
  return TALLY_OK;
}
static void disable(const tally_plugin *self) { (void)self; }
static void destroy(const tally_plugin *self) { free(self->plugin_data); }

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event, .on_timer = on_timer,
      .session_end = session_end};
  (void)self;
  return strcmp(id, TALLY_EXT_TRACKER) == 0 ? &tracker : NULL;
}

/* ---- descriptor and entry ---- */

static const char *const needed[] = {TALLY_EXT_EMIT, NULL};

static const tally_descriptor about = {
    .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_TRACKER,
    .caps = TALLY_CAP_DETERMINISTIC, .id = "@ID@", .name = "@NAME@", .vendor = "@VENDOR@", .version = "0.1.0",
    .config_schema = "{\"type\":\"object\",\"additionalProperties\":false}", .requires_extensions = needed};

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)run;
  if (strcmp(plugin_id, about.id) != 0) return NULL;
  struct tracker *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->host = host;
  t->plugin = (tally_plugin){
      .struct_size = sizeof t->plugin, .plugin_data = t, .init = init, .enable = enable, .disable = disable,
      .destroy = destroy, .get_extension = get_extension};
  return &t->plugin;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  return &entry;
}
