/* A well-behaved tracker that says everything it can observe: one record per event, timer and session end, with type,
 * time, ordinal, session, flags, each member of the state, each attribute, a random number, timer ids, and what the
 * host answered to the last record. Whatever differs between two runs differs in its output.
 *
 * {"timers": n, "seed": k, "span_us": 30000000} keeps n timers running (at most 64), with deadlines out of the host's random numbers and the
 * seed; half of them fall on multiples of 250 ms, where events are. Every 16 records go into a beacon. It offers
 * tally.configure/1, for a new n and k in mid-run, and counts its sessions in a persistent value.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../Shared/fixture.h"
#include "text.h"

#define SLOTS 64
#define BATCH 16
#define ATTRS 48
#define STEP_US 250000

struct witness {
  struct fixture base;
  const tally_store *store;
  char about_run[2048]; /* what create was told of the run */
  int64_t timers, seed, span_us, configurations, sessions;
  uint64_t slots[SLOTS]; /* ids of running timers; the odd ones end with the session */
  /* The answer to the last record, and the batch for the next beacon. */
  int32_t last_status;
  uint64_t last_ordinal, batch[BATCH], batched, digest;
  /* The record that is being written. */
  struct block {
    tally_record header;
    tally_attr attrs[ATTRS];
    struct text heap;
  } block;
  struct text scratch;
};

/* Where the texts of the record begin. */
#define TEXTS ((uint32_t)(offsetof(struct block, heap) + offsetof(struct text, bytes)))

/* ---- records --------------------------------------------------------------------------------------------------- */

static tally_attr *add(struct witness *w, const char *key, uint8_t type) {
  if (w->block.header.attr_count == ATTRS) return &w->block.attrs[ATTRS - 1];
  tally_attr *attr = &w->block.attrs[w->block.header.attr_count++];
  *attr = (tally_attr){.key_off = TEXTS + w->block.heap.used, .key_len = (uint16_t)strlen(key), .type = type};
  text_add(&w->block.heap, key, strlen(key));
  return attr;
}

static void add_int(struct witness *w, const char *key, int64_t value) { add(w, key, TALLY_T_INT)->v.i = value; }

static void add_text(struct witness *w, const char *key, const char *text, size_t length) {
  tally_attr *attr = add(w, key, TALLY_T_STRING);
  attr->v.off = TEXTS + w->block.heap.used;
  attr->len = text_add(&w->block.heap, text, length);
}

static void add_random(struct witness *w) {
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, w->base.random->next_u64(w->base.host));
  add_text(w, "random", text, 16);
}

static void add_state(struct witness *w, const tally_state *state) {
  add_int(w, "state_known", state->known);
  add_int(w, "state_flags", state->flags);
  add_int(w, "rate_milli", state->rate_milli);
  add_int(w, "playhead_ms", state->playhead_ms);
  add_int(w, "reported_playhead_ms", state->reported_playhead_ms);
  add_int(w, "reported_age_us", state->reported_age_us);
  add_int(w, "ad_playhead_ms", state->ad_playhead_ms);
  add_int(w, "live_wall_ms", state->live_wall_ms);
  add_int(w, "duration_ms", state->duration_ms);
  add_int(w, "bitrate_bps", state->bitrate_bps);
  add_int(w, "throughput_bps", state->throughput_bps);
  add_int(w, "dropped_frames", state->dropped_frames);
  add_int(w, "rendered_frames", state->rendered_frames);
  add_int(w, "fps_milli", state->fps_milli);
  add_int(w, "width", state->width);
  add_int(w, "height", state->height);
  add_int(w, "volume_milli", state->volume_milli);
  add_int(w, "player_width", state->player_width);
  add_int(w, "player_height", state->player_height);
}

/* Everything of an event. A number that means nothing outside this process is left out: the name tells. */
static void add_event(struct witness *w, const tally_event *event) {
  const char *base = (const char *)event;
  add_text(w, "type_name", base + event->type_name_off, event->type_name_len);
  if (event->type < TALLY_EVENT_TYPE_FIRST_UNKNOWN) add_int(w, "type", event->type);
  add_int(w, "flags", event->flags);
  add_int(w, "time_us", event->time_us);
  add_int(w, "ordinal", (int64_t)event->ordinal);
  add_int(w, "session", event->session);
  add_state(w, (const tally_state *)(base + event->state_off));
  add_int(w, "attr_count", event->attr_count);
  text_clear(&w->scratch);
  text_add_attributes(&w->scratch, base, (const tally_attr *)(base + event->attr_off), event->attr_count, 0);
  add_text(w, "attributes", w->scratch.bytes, w->scratch.used);
}

static void send_batch(struct witness *w) {
  const char url[] = "http://127.0.0.1/witness?sent=0000000000000";
  char body[64];
  int length = snprintf(body, sizeof body, "%" PRIu64 " records, digest %016" PRIx64 "\n", w->batched, w->digest);
  tally_header header = {.name = fixture_str("content-type"), .value = fixture_str("text/plain")};
  tally_patch patch = {.part = TALLY_PART_URL, .kind = TALLY_PATCH_SEND_EPOCH_MS, .off = 30, .width = 13};
  tally_beacon beacon = {
      .struct_size = sizeof beacon, .flags = TALLY_BEACON_KEEP_ORDER, .destination = fixture_str("witness"),
      .method = fixture_str("POST"), .url = fixture_str(url), .body = {.ptr = body, .len = (size_t)length},
      .headers = &header, .header_count = 1, .patches = &patch, .patch_count = 1, .records = w->batch,
      .record_count = w->batched};
  if (w->batched > 0) w->last_status = w->base.emit->beacon(w->base.host, &beacon);
  w->batched = 0;
}

static tally_status finish(struct witness *w, const char *kind) {
  add_int(w, "configurations", w->configurations);
  add_int(w, "last_status", w->last_status);
  add_int(w, "last_ordinal", (int64_t)w->last_ordinal);
  add(w, "cut", TALLY_T_BOOL)->v.i = w->block.heap.cut || w->scratch.cut;
  uint32_t attributes = w->block.header.attr_count, kind_off = TEXTS + w->block.heap.used;
  uint32_t kind_len = text_add(&w->block.heap, kind, strlen(kind));
  w->block.header = (tally_record){
      .size = (TEXTS + w->block.heap.used + 7) & ~7u, .header_size = sizeof w->block.header, .kind_off = kind_off,
      .kind_len = kind_len, .attr_off = offsetof(struct block, attrs), .attr_count = attributes};
  w->last_status = w->base.emit->record(w->base.host, &w->block.header, &w->last_ordinal);
  w->digest = text_digest(w->digest, w->block.heap.bytes, w->block.heap.used);
  w->digest = text_digest(w->digest, (const char *)w->block.attrs, attributes * sizeof w->block.attrs[0]);
  w->block.header.attr_count = 0;
  text_clear(&w->block.heap);
  text_clear(&w->scratch);
  if (w->last_status < 0) return w->last_status;
  w->batch[w->batched++] = w->last_ordinal;
  if (w->batched == BATCH) send_batch(w);
  return w->last_status;
}

/* ---- timers ---------------------------------------------------------------------------------------------------- */

static void arm(struct witness *w, int64_t slot, int64_t now_us) {
  uint64_t r = w->base.random->next_u64(w->base.host) ^ ((uint64_t)w->seed * 0x9E3779B97F4A7C15u);
  int64_t deadline_us = now_us + 1 + (int64_t)(r % (uint64_t)w->span_us);
  if (r >> 40 & 1) deadline_us += STEP_US - deadline_us % STEP_US;
  if ((r >> 41 & 15) == 0) deadline_us = now_us - 5; /* the host moves it to 1 ms ahead */
  uint32_t scope = slot & 1 ? TALLY_TIMER_SESSION : TALLY_TIMER_INSTANCE;
  tally_status status = w->base.timer->start(w->base.host, deadline_us, scope, &w->slots[slot]);
  if (status < 0) w->slots[slot] = 0;
}

static void arm_all(struct witness *w, int64_t now_us) {
  for (int64_t slot = 0; slot < w->timers; slot++)
    if (w->slots[slot] == 0) arm(w, slot, now_us);
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  struct witness *w = fixture_of(self);
  int64_t slot = SLOTS - 1;
  while (slot >= 0 && w->slots[slot] != timer) slot--;
  add_int(w, "timer", (int64_t)timer);
  add_int(w, "slot", slot); /* -1: a timer that had been cancelled */
  add_int(w, "time_us", deadline_us);
  add_state(w, now);
  add_random(w);
  finish(w, "timer");
  w->base.timer->cancel(w->base.host, timer); /* legal, and does nothing */
  if (slot >= 0) w->slots[slot] = 0;
  arm_all(w, deadline_us);
}

/* Every 16th event cancels a timer, twice, and starts another in its place. */
static void shuffle(struct witness *w, const tally_event *event) {
  if (w->timers == 0 || event->ordinal % 16 != 0) return;
  int64_t slot = (int64_t)(event->ordinal / 16) % w->timers;
  w->base.timer->cancel(w->base.host, w->slots[slot]);
  w->base.timer->cancel(w->base.host, w->slots[slot]);
  arm(w, slot, event->time_us);
}

/* ---- the tracker ----------------------------------------------------------------------------------------------- */

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct witness *w = fixture_of(self);
  w->sessions++;
  add_event(w, snapshot);
  add_random(w);
  tally_status status = finish(w, "session_begin");
  arm_all(w, snapshot->time_us);
  return status;
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct witness *w = fixture_of(self);
  add_event(w, event);
  add_random(w);
  shuffle(w, event);
  return finish(w, "event");
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  struct witness *w = fixture_of(self);
  char count[24];
  int length = snprintf(count, sizeof count, "%" PRId64, w->sessions);
  tally_str value = {.ptr = count, .len = (size_t)length};
  tally_status stored = w->store ? w->store->put(w->base.host, fixture_str("sessions"), value) : TALLY_ERR_UNSUPPORTED;
  add_int(w, "reason", reason);
  add_int(w, "time_us", now_us);
  add_int(w, "stored", stored);
  add_state(w, now);
  add_random(w);
  finish(w, "session_end");
  send_batch(w);
  for (int64_t slot = 1; slot < SLOTS; slot += 2) w->slots[slot] = 0;
}

/* ---- life cycle ------------------------------------------------------------------------------------------------ */

static void take_config(struct witness *w, tally_str config) {
  int64_t timers = fixture_number(config, "timers", 4);
  w->timers = timers > SLOTS ? SLOTS : timers;
  w->seed = fixture_number(config, "seed", 1);
  w->span_us = fixture_number(config, "span_us", 30000000);
  if (w->span_us < 1) w->span_us = 1;
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct witness *w = fixture_of(self);
  fixture_init(self, config);
  w->store = w->base.host->get_extension(w->base.host, TALLY_EXT_STORE);
  take_config(w, config);
  return w->base.emit && w->base.timer && w->base.random ? TALLY_OK : TALLY_ERR_UNSUPPORTED;
}

static tally_status enable(const tally_plugin *self) {
  struct witness *w = fixture_of(self);
  add_text(w, "run", w->about_run, strlen(w->about_run));
  return finish(w, "enabled");
}

static void disable(const tally_plugin *self) {
  struct witness *w = fixture_of(self);
  memset(w->slots, 0, sizeof w->slots);
}

static tally_status configure(const tally_plugin *self, tally_str config, int64_t now_us, const tally_state *now) {
  struct witness *w = fixture_of(self);
  (void)now_us, (void)now;
  take_config(w, config);
  w->configurations++;
  return TALLY_OK;
}

static const void *extension(const char *id) {
  static const tally_configure table = {.struct_size = sizeof table, .configure = configure};
  return strcmp(id, TALLY_EXT_CONFIGURE) == 0 ? &table : NULL;
}

static void note_run(struct witness *w, const tally_run_info *run) {
  snprintf(
      w->about_run, sizeof w->about_run, "run=%.*s instance=%.*s semantics=%" PRIu32 " epoch_us=%" PRId64 " stored:",
      (int)run->player_run_id.len, run->player_run_id.ptr, (int)run->instance.len, run->instance.ptr, run->semantics,
      run->epoch_us);
  text_clear(&w->scratch);
  if (run->stored) {
    const char *base = (const char *)run->stored;
    text_add_attributes(
        &w->scratch, base, (const tally_attr *)(base + run->stored->attr_off), run->stored->attr_count, 0);
  }
  size_t used = strlen(w->about_run), room = sizeof w->about_run - 1 - used;
  if (w->scratch.used <= room) memcpy(w->about_run + used, w->scratch.bytes, w->scratch.used);
  text_clear(&w->scratch);
}

static const char *const keys[] = {"sessions", NULL};

#define FIXTURE_ID "org.tally.fixture.witness"
#define FIXTURE_SCHEMA                                                                            \
  "{\"type\":\"object\",\"properties\":{\"timers\":{\"type\":\"integer\",\"minimum\":0},"         \
  "\"seed\":{\"type\":\"integer\",\"minimum\":0}}}"
#define FIXTURE_STORE_KEYS keys
#define FIXTURE_INSTANCE struct witness
#define FIXTURE_INIT init
#define FIXTURE_ENABLE enable
#define FIXTURE_DISABLE disable
#define FIXTURE_SESSION_BEGIN session_begin
#define FIXTURE_ON_EVENT on_event
#define FIXTURE_ON_TIMER on_timer
#define FIXTURE_SESSION_END session_end
#define FIXTURE_EXTENSION(id) extension(id)
#define FIXTURE_CREATED(instance, run) note_run(instance, run)
#include "../Shared/entry.h"
