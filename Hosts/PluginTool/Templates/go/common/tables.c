/* The tables of functions that a host reads. What they do is in Go: each function hands its call on. */
#include "tables.h"

#include <stdlib.h>

#include "_cgo_export.h"
#include "about.h"

/* What about.h leaves out. */
#ifndef PLUGIN_RECONFIGURES
#define PLUGIN_RECONFIGURES 0 /* 1: Reconfigure takes a new configuration in mid-run */
#endif
#ifndef PLUGIN_COMMANDS
#define PLUGIN_COMMANDS "" /* for Command: JSON text, an array of objects with name, summary and changes */
#endif
#ifndef PLUGIN_STORE_KEYS
#define PLUGIN_STORE_KEYS NULL /* keys of persistent values: "one", "another", NULL */
#endif
#ifndef PLUGIN_WANTED_EVENTS
#define PLUGIN_WANTED_EVENTS 0 /* the types that OnEvent is called with, ended by 0; 0 alone: all of them */
#endif

static struct instance *of(const tally_plugin *self) { return self->plugin_data; }

/* ---- what the host offers ---- */

void host_log(struct instance *instance, int32_t level, tally_str line) {
  if (instance->calls.log) instance->calls.log(instance->host, level, line);
}

void host_fail(struct instance *instance, tally_status status, tally_str why) {
  if (instance->calls.set_error) instance->calls.set_error(instance->host, status, why);
}

tally_status host_emit(struct instance *instance, const void *record, uint64_t *ordinal) {
  return instance->emit.record ? instance->emit.record(instance->host, record, ordinal) : TALLY_ERR_UNSUPPORTED;
}

tally_status host_send(struct instance *instance, const tally_beacon *beacon) {
  return instance->emit.beacon ? instance->emit.beacon(instance->host, beacon) : TALLY_ERR_UNSUPPORTED;
}

tally_status host_player_error(struct instance *instance, tally_str code, tally_str message, tally_str details) {
  if (!instance->emit.player_error) return TALLY_ERR_UNSUPPORTED;
  return instance->emit.player_error(instance->host, code, message, details);
}

tally_status host_start_timer(struct instance *instance, int64_t deadline_us, uint32_t scope, uint64_t *id) {
  return instance->timer.start ? instance->timer.start(instance->host, deadline_us, scope, id) : TALLY_ERR_UNSUPPORTED;
}

void host_cancel_timer(struct instance *instance, uint64_t id) {
  if (instance->timer.cancel) instance->timer.cancel(instance->host, id);
}

uint64_t host_random(struct instance *instance) {
  return instance->random.next_u64 ? instance->random.next_u64(instance->host) : 0;
}

tally_status host_store(struct instance *instance, tally_str key, tally_str value) {
  return instance->store.put ? instance->store.put(instance->host, key, value) : TALLY_ERR_UNSUPPORTED;
}

tally_status host_answer(const tally_sink *sink, tally_str text) { return sink->write(sink, text.ptr, text.len); }

static const void *host_extension(const struct instance *instance, const char *id) {
  return instance->calls.get_extension ? instance->calls.get_extension(instance->host, id) : NULL;
}

/* ---- life cycle ---- */

static tally_status init(const tally_plugin *self, tally_str config) {
  struct instance *instance = of(self);
  tally_copy(&instance->emit, sizeof instance->emit, host_extension(instance, TALLY_EXT_EMIT));
  tally_copy(&instance->timer, sizeof instance->timer, host_extension(instance, TALLY_EXT_TIMER));
  tally_copy(&instance->random, sizeof instance->random, host_extension(instance, TALLY_EXT_RANDOM));
  tally_copy(&instance->store, sizeof instance->store, host_extension(instance, TALLY_EXT_STORE));
  tally_copy(&instance->answers, sizeof instance->answers, host_extension(instance, TALLY_EXT_HOST_REPORTER));
  return goConfigure(instance->go, config);
}

static tally_status enable(const tally_plugin *self) { return goEnable(of(self)->go); }
static void disable(const tally_plugin *self) { goDisable(of(self)->go); }
static void destroy(const tally_plugin *self) {
  goDestroy(of(self)->go);
  free(of(self));
}

/* ---- changes in mid-run ---- */

/* No more than the host's structure has; nothing of the player for a reporter. */
static tally_state copied(const tally_state *state) {
  tally_state now;
  tally_copy(&now, sizeof now, state);
  return now;
}

static tally_status configure(const tally_plugin *self, tally_str config, int64_t now_us, const tally_state *state) {
  tally_state now = copied(state);
  return goReconfigure(of(self)->go, config, now_us, &now);
}

static tally_status run_command(
    const tally_plugin *self, tally_str name, tally_str arguments, int64_t now_us, const tally_state *state,
    const tally_sink *answer) {
  tally_state now = copied(state);
  return goCommand(of(self)->go, name, arguments, now_us, &now, (tally_sink *)answer);
}

static tally_str list_commands(const tally_plugin *self) {
  (void)self;
  return tally_text(PLUGIN_COMMANDS);
}

/* ---- a tracker ---- */

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  return goSessionBegin(of(self)->go, (tally_event *)snapshot);
}
static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  return goOnEvent(of(self)->go, (tally_event *)event);
}
static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *state) {
  tally_state now = copied(state);
  goOnTimer(of(self)->go, timer, deadline_us, &now);
}
static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *state) {
  tally_state now = copied(state);
  goSessionEnd(of(self)->go, reason, now_us, &now);
}

/* ---- a reporter ---- */

static int64_t take(const tally_plugin *self, const tally_output *const *items, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    tally_status status = goTake(of(self)->go, (tally_output *)items[i]);
    if (status < 0) return i ? (int64_t)i : status;
    of(self)->taken++;
  }
  return (int64_t)count;
}

static void flush(
    const tally_plugin *self, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  struct instance *instance = of(self);
  (void)player_run_id, (void)session, (void)budget_ms;
  const bool lost = goFlush(instance->go) < 0;
  const uint64_t taken = instance->taken;
  instance->taken = 0;
  if (instance->answers.flushed) instance->answers.flushed(instance->host, token, lost ? 0 : taken, 0, lost ? taken : 0);
}

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event, .on_timer = on_timer,
      .session_end = session_end};
  static const tally_reporter reporter = {.struct_size = sizeof reporter, .take = take, .flush = flush};
  static const tally_configure configuring = {.struct_size = sizeof configuring, .configure = configure};
  static const tally_command commands = {.struct_size = sizeof commands, .run = run_command, .list = list_commands};
  (void)self;
  if (PLUGIN_KIND == TALLY_KIND_TRACKER && strcmp(id, TALLY_EXT_TRACKER) == 0) return &tracker;
  if (PLUGIN_KIND == TALLY_KIND_REPORTER && strcmp(id, TALLY_EXT_REPORTER) == 0) return &reporter;
  if (PLUGIN_RECONFIGURES && strcmp(id, TALLY_EXT_CONFIGURE) == 0) return &configuring;
  if (sizeof PLUGIN_COMMANDS > 1 && strcmp(id, TALLY_EXT_COMMAND) == 0) return &commands;
  return NULL;
}

/* ---- descriptor and entry: about.h says what the plugin is ---- */

static const char *const needed[] = {PLUGIN_KIND == TALLY_KIND_TRACKER ? TALLY_EXT_EMIT : NULL, NULL};
static const char *const store_keys[] = {PLUGIN_STORE_KEYS};
static const uint32_t wanted_events[] = {PLUGIN_WANTED_EVENTS};

static const tally_descriptor about = {
    .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = PLUGIN_KIND, .caps = PLUGIN_CAPS,
    .id = PLUGIN_ID, .name = PLUGIN_NAME, .vendor = PLUGIN_VENDOR, .version = PLUGIN_VERSION,
    .config_schema = PLUGIN_SCHEMA, .requires_extensions = needed, .store_keys = store_keys,
    .wanted_events = sizeof wanted_events > sizeof(uint32_t) ? wanted_events : NULL};

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  tally_run_info told;
  (void)self;
  if (strcmp(plugin_id, about.id) != 0) return NULL;
  struct instance *instance = calloc(1, sizeof *instance);
  if (!instance) return NULL;
  instance->host = host;
  tally_copy(&instance->calls, sizeof instance->calls, host);
  instance->plugin = (tally_plugin){
      .struct_size = sizeof instance->plugin, .plugin_data = instance, .init = init, .enable = enable,
      .disable = disable, .destroy = destroy, .get_extension = get_extension};
  tally_copy(&told, sizeof told, run);
  instance->go = goCreate(instance, &told);
  if (instance->go) return &instance->plugin;
  free(instance);
  return NULL;
}

__attribute__((visibility("default"))) const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  return &entry;
}
