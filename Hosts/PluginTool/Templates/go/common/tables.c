/* The tables of functions that a host reads. What they do is in Go: each function hands its call on. */
#include "tables.h"

#include <stdlib.h>

#include "_cgo_export.h"
#include "about.h"

static struct instance *of(const tally_plugin *self) { return self->plugin_data; }

void host_log(struct instance *instance, int32_t level, const char *line, size_t length) {
  if (instance->calls.log) instance->calls.log(instance->host, level, (tally_str){.ptr = line, .len = length});
}

tally_status host_emit(struct instance *instance, const void *record) {
  return instance->emit.record ? instance->emit.record(instance->host, record, NULL) : TALLY_ERR_UNSUPPORTED;
}

/* ---- life cycle ---- */

/* Hands the reason of a failed call to the host; it came from malloc. */
static tally_status answer(const tally_plugin *self, char *why) {
  const struct instance *instance = of(self);
  if (!why) return TALLY_OK;
  if (instance->calls.set_error) instance->calls.set_error(instance->host, TALLY_ERR_INTERNAL, tally_text(why));
  free(why);
  return TALLY_ERR_INTERNAL;
}

static const void *host_extension(const struct instance *instance, const char *id) {
  return instance->calls.get_extension ? instance->calls.get_extension(instance->host, id) : NULL;
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct instance *instance = of(self);
  tally_copy(&instance->emit, sizeof instance->emit, host_extension(instance, TALLY_EXT_EMIT));
  tally_copy(&instance->answers, sizeof instance->answers, host_extension(instance, TALLY_EXT_HOST_REPORTER));
  return answer(self, goConfigure(instance->go, (char *)config.ptr, config.len));
}

static tally_status enable(const tally_plugin *self) {
  (void)self;
  return TALLY_OK;
}
/* The last chance to bring away what a reporter has taken. */
static void disable(const tally_plugin *self) { answer(self, goFlush(of(self)->go)); }
static void destroy(const tally_plugin *self) {
  goDestroy(of(self)->go);
  free(of(self));
}

/* ---- a tracker ---- */

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  return answer(self, goSessionBegin(of(self)->go, (tally_event *)snapshot));
}
static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  return answer(self, goOnEvent(of(self)->go, (tally_event *)event));
}
static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  (void)self, (void)timer, (void)deadline_us, (void)now; /* it starts none */
}
static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *state) {
  tally_state now;
  tally_copy(&now, sizeof now, state);
  answer(self, goSessionEnd(of(self)->go, reason, now_us, &now));
}

/* ---- a reporter ---- */

static int64_t take(const tally_plugin *self, const tally_output *const *items, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    tally_status status = answer(self, goTake(of(self)->go, (tally_output *)items[i]));
    if (status < 0) return i ? (int64_t)i : status;
    of(self)->taken++;
  }
  return (int64_t)count;
}

static void flush(
    const tally_plugin *self, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  struct instance *instance = of(self);
  (void)player_run_id, (void)session, (void)budget_ms;
  const bool lost = answer(self, goFlush(instance->go)) < 0;
  const uint64_t taken = instance->taken;
  instance->taken = 0;
  if (instance->answers.flushed) instance->answers.flushed(instance->host, token, lost ? 0 : taken, 0, lost ? taken : 0);
}

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event, .on_timer = on_timer,
      .session_end = session_end};
  static const tally_reporter reporter = {.struct_size = sizeof reporter, .take = take, .flush = flush};
  (void)self;
  if (PLUGIN_KIND == TALLY_KIND_TRACKER && strcmp(id, TALLY_EXT_TRACKER) == 0) return &tracker;
  if (PLUGIN_KIND == TALLY_KIND_REPORTER && strcmp(id, TALLY_EXT_REPORTER) == 0) return &reporter;
  return NULL;
}

/* ---- descriptor and entry: about.h says what the plugin is ---- */

static const char *const needed[] = {PLUGIN_KIND == TALLY_KIND_TRACKER ? TALLY_EXT_EMIT : NULL, NULL};

static const tally_descriptor about = {
    .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = PLUGIN_KIND, .caps = PLUGIN_CAPS,
    .id = PLUGIN_ID, .name = PLUGIN_NAME, .vendor = PLUGIN_VENDOR, .version = PLUGIN_VERSION,
    .config_schema = PLUGIN_SCHEMA, .requires_extensions = needed};

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)run;
  if (strcmp(plugin_id, about.id) != 0) return NULL;
  struct instance *instance = calloc(1, sizeof *instance);
  if (!instance) return NULL;
  instance->host = host;
  tally_copy(&instance->calls, sizeof instance->calls, host);
  instance->plugin = (tally_plugin){
      .struct_size = sizeof instance->plugin, .plugin_data = instance, .init = init, .enable = enable,
      .disable = disable, .destroy = destroy, .get_extension = get_extension};
  instance->go = goCreate(instance);
  return &instance->plugin;
}

__attribute__((visibility("default"))) const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  return &entry;
}
