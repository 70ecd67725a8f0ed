/* A tracker as it was built when version 1.0 of the ABI came out, against a copy of those headers. Neither this file
 * nor the copy is ever changed: it stands for all plugins out there that nobody compiles again.
 *
 * It holds whatever it is handed against what 1.0 promised, and returns TALLY_ERR_INTERNAL with a text when a promise
 * is broken. It uses each host extension of 1.0, and emits a record "frozen" a second of the player run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tally_plugin.h"

#define ID "org.tally.fixture.frozen-v1"
#define TICK_US 1000000

_Static_assert(TALLY_ABI_MAJOR == 1 && TALLY_ABI_MINOR == 0, "the frozen headers are those of 1.0");
_Static_assert(sizeof(tally_host) == 40 && sizeof(tally_plugin) == 56 && sizeof(tally_descriptor) == 112, "sizes");
_Static_assert(sizeof(tally_event) == 56 && sizeof(tally_state) == 120 && sizeof(tally_attr) == 24, "sizes");
_Static_assert(sizeof(tally_run_info) == 56 && sizeof(tally_record) == 32 && sizeof(tally_beacon) == 144, "sizes");

static char about_entry[] = "what the functions of the entry find by their first argument";

struct frozen {
  tally_plugin plugin;
  const tally_host *host;
  const tally_emit *emit;
  const tally_timer *timer;
  const tally_random *random;
  bool run_info_is_sound;
  const char *broken; /* the first promise that was broken */
  int64_t last_us, events, attributes, ticks;
  uint64_t last_ordinal, tick;
};

static tally_status verdict(const struct frozen *frozen) {
  if (!frozen->broken) return TALLY_OK;
  frozen->host->set_error(
      frozen->host, TALLY_ERR_INTERNAL, (tally_str){.ptr = frozen->broken, .len = strlen(frozen->broken)});
  return TALLY_ERR_INTERNAL;
}

static void expect(struct frozen *frozen, bool holds, const char *promise) {
  if (!holds && !frozen->broken) frozen->broken = promise;
}

/* ---- what 1.0 promises ----------------------------------------------------------------------------------------- */

static void check_value(struct frozen *frozen, const tally_event *event, const tally_attr *attr, int depth) {
  uint64_t size = event->size;
  frozen->attributes++;
  switch (attr->type) {
    case TALLY_T_BOOL: expect(frozen, attr->v.i == 0 || attr->v.i == 1, "a bool is 0 or 1"); break;
    case TALLY_T_INT:
      expect(frozen, attr->v.i > -(1ll << 53) && attr->v.i < (1ll << 53), "an integer is below 2^53 in magnitude");
      break;
    case TALLY_T_STRING:
    case TALLY_T_BYTES:
      expect(frozen, attr->len == 0 || (attr->v.off <= size && attr->len <= size - attr->v.off),
             "a text lies in the block");
      break;
    case TALLY_T_LIST: {
      uint64_t bytes = (uint64_t)attr->len * sizeof(tally_attr);
      bool inside = attr->len == 0 || (attr->v.off % 8 == 0 && attr->v.off <= size && bytes <= size - attr->v.off);
      expect(frozen, inside, "a list lies in the block, aligned to 8");
      const tally_attr *items = (const tally_attr *)((const char *)event + attr->v.off);
      for (uint32_t i = 0; i < attr->len && inside && depth < 8; i++) check_value(frozen, event, &items[i], depth + 1);
      break;
    }
    default: break; /* null and double have no rule; an unknown type is passed over */
  }
}

static void check_state(struct frozen *frozen, const tally_state *state) {
  expect(frozen, state && (uintptr_t)state % 8 == 0, "the state is aligned to 8");
  expect(frozen, state && state->struct_size >= sizeof *state, "the state has at least 120 bytes");
}

static void check_event(struct frozen *frozen, const tally_event *event) {
  const char *base = (const char *)event;
  expect(frozen, (uintptr_t)event % 8 == 0, "a block is aligned to 8");
  expect(frozen, event->header_size >= sizeof *event, "the event's header has at least 56 bytes");
  expect(frozen, event->size >= event->header_size, "the header lies in the block");
  expect(frozen, event->time_us >= frozen->last_us, "time does not go back");
  expect(frozen, event->type != 0, "an event has a type");
  expect(frozen, event->type_name_len > 0 && event->type_name_off + event->type_name_len <= event->size,
         "the name of the type lies in the block");
  bool state_inside = event->state_off % 8 == 0 && (uint64_t)event->state_off + sizeof(tally_state) <= event->size;
  expect(frozen, state_inside, "the state lies in the block");
  if (state_inside) check_state(frozen, (const tally_state *)(base + event->state_off));
  uint64_t attr_end = (uint64_t)event->attr_off + (uint64_t)event->attr_count * sizeof(tally_attr);
  bool attrs_inside = event->attr_count == 0 || (event->attr_off % 8 == 0 && attr_end <= event->size);
  expect(frozen, attrs_inside, "the attributes lie in the block, aligned to 8");
  const tally_attr *attrs = (const tally_attr *)(base + event->attr_off);
  for (uint32_t i = 0; attrs_inside && i < event->attr_count; i++) {
    bool named = (uint64_t)attrs[i].key_off + attrs[i].key_len <= event->size;
    expect(frozen, named, "an attribute's name lies in the block");
    check_value(frozen, event, &attrs[i], 0);
  }
  frozen->last_us = event->time_us;
}

/* ---- the tracker ----------------------------------------------------------------------------------------------- */

/* A record of seven attributes and 60 bytes of text. */
struct block {
  tally_record record;
  tally_attr attrs[7];
  char texts[64];
};

static void tell(struct frozen *frozen) {
  char text[17];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)frozen->random->next_u64(frozen->host));
  const uint32_t texts = offsetof(struct block, texts);
  struct block block = {
      .record = {.size = sizeof block, .header_size = sizeof block.record, .kind_off = texts, .kind_len = 6,
                 .attr_off = offsetof(struct block, attrs), .attr_count = 7},
      .attrs = {{.key_off = texts + 6, .key_len = 6, .type = TALLY_T_INT, .v.i = frozen->events},
                {.key_off = texts + 12, .key_len = 10, .type = TALLY_T_INT, .v.i = frozen->attributes},
                {.key_off = texts + 22, .key_len = 5, .type = TALLY_T_INT, .v.i = frozen->ticks},
                {.key_off = texts + 27, .key_len = 4, .type = TALLY_T_DOUBLE, .v.d = 0.5},
                {.key_off = texts + 31, .key_len = 4, .type = TALLY_T_NULL},
                {.key_off = texts + 35, .key_len = 3, .type = TALLY_T_BOOL, .v.i = 1},
                {.key_off = texts + 38, .key_len = 6, .type = TALLY_T_STRING, .len = 16, .v.off = texts + 44}},
      .texts = "frozeneventsattributestickshalfnoneyesrandom"};
  memcpy(block.texts + 44, text, 16);
  uint64_t ordinal = 0;
  expect(frozen, frozen->emit->record(frozen->host, &block.record, &ordinal) >= 0, "a sound record is taken");
  expect(frozen, ordinal > frozen->last_ordinal, "the ordinals of records rise");
  frozen->last_ordinal = ordinal;
}

static void arm(struct frozen *frozen, int64_t deadline_us) {
  uint64_t id = 0, spare = 0;
  expect(frozen, frozen->timer->start(frozen->host, deadline_us, TALLY_TIMER_SESSION, &id) >= 0, "a timer starts");
  expect(frozen, frozen->timer->start(frozen->host, deadline_us, TALLY_TIMER_INSTANCE, &spare) >= 0, "a timer starts");
  expect(frozen, spare != id && id != frozen->tick, "the id of a timer is not used again");
  frozen->timer->cancel(frozen->host, spare);
  frozen->timer->cancel(frozen->host, spare); /* may be called twice */
  frozen->tick = id;
}

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct frozen *frozen = self->plugin_data;
  check_event(frozen, snapshot);
  arm(frozen, snapshot->time_us + TICK_US);
  return verdict(frozen);
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct frozen *frozen = self->plugin_data;
  frozen->events++;
  check_event(frozen, event);
  return verdict(frozen);
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  struct frozen *frozen = self->plugin_data;
  expect(frozen, timer == frozen->tick, "a cancelled timer does not fire");
  expect(frozen, deadline_us >= frozen->last_us, "time does not go back");
  check_state(frozen, now);
  frozen->last_us = deadline_us;
  frozen->ticks++;
  tell(frozen);
  arm(frozen, deadline_us + TICK_US);
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  struct frozen *frozen = self->plugin_data;
  expect(frozen, reason != 0, "a session ends for a reason");
  expect(frozen, now_us >= frozen->last_us, "time does not go back");
  check_state(frozen, now);
  const uint64_t carried[] = {frozen->last_ordinal};
  tally_beacon beacon = {
      .struct_size = sizeof beacon, .destination = {.ptr = "frozen", .len = 6}, .method = {.ptr = "POST", .len = 4},
      .url = {.ptr = "http://127.0.0.1/frozen", .len = 23}, .records = carried,
      .record_count = frozen->last_ordinal != 0};
  expect(frozen, frozen->emit->beacon(frozen->host, &beacon) >= 0, "a sound beacon is taken");
  tell(frozen);
}

/* ---- life cycle ------------------------------------------------------------------------------------------------ */

static bool sized(const void *table, size_t size) {
  uint32_t struct_size = 0;
  if (table) memcpy(&struct_size, table, sizeof struct_size);
  return struct_size >= size;
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct frozen *frozen = self->plugin_data;
  const tally_host *host = frozen->host;
  expect(frozen, frozen->run_info_is_sound, "the run info has at least 56 bytes, a run id and an instance name");
  expect(frozen, config.ptr || config.len == 0, "a configuration with a length has a pointer");
  frozen->emit = host->get_extension(host, TALLY_EXT_EMIT);
  frozen->timer = host->get_extension(host, TALLY_EXT_TIMER);
  frozen->random = host->get_extension(host, TALLY_EXT_RANDOM);
  expect(frozen, sized(frozen->emit, sizeof *frozen->emit), "tally.emit/1 has at least 32 bytes");
  expect(frozen, sized(frozen->timer, sizeof *frozen->timer), "tally.timer/1 has at least 24 bytes");
  expect(frozen, sized(frozen->random, sizeof *frozen->random), "tally.random/1 has at least 16 bytes");
  expect(frozen, !host->get_extension(host, "tally.emit/1 "), "an unknown extension is NULL");
  return verdict(frozen);
}

static tally_status enable(const tally_plugin *self) { return verdict(self->plugin_data); }
static void disable(const tally_plugin *self) { (void)self; }
static void destroy(const tally_plugin *self) { free(self->plugin_data); }

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event, .on_timer = on_timer,
      .session_end = session_end};
  (void)self;
  return strcmp(id, TALLY_EXT_TRACKER) == 0 ? &tracker : NULL;
}

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  static const char *const needed[] = {TALLY_EXT_EMIT, TALLY_EXT_TIMER, TALLY_EXT_RANDOM, NULL};
  static const tally_descriptor about = {
      .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_TRACKER,
      .caps = TALLY_CAP_DETERMINISTIC, .id = ID, .name = "Fixture: version 1.0", .vendor = "Tally",
      .version = "1.0.0", .config_schema = "{\"type\":\"object\"}", .requires_extensions = needed};
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  if (self->entry_data != about_entry || !sized(host, sizeof *host) || strcmp(plugin_id, ID) != 0) return NULL;
  struct frozen *frozen = calloc(1, sizeof *frozen);
  if (!frozen) return NULL;
  frozen->host = host;
  frozen->tick = UINT64_MAX; /* no timer yet */
  frozen->run_info_is_sound = sized(run, sizeof *run) && run->player_run_id.len > 0 && run->instance.len > 0;
  frozen->plugin = (tally_plugin){
      .struct_size = sizeof frozen->plugin, .plugin_data = frozen, .init = init, .enable = enable,
      .disable = disable, .destroy = destroy, .get_extension = get_extension};
  return &frozen->plugin;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .entry_data = about_entry,
      .descriptor = descriptor, .create = create};
  return &entry;
}
