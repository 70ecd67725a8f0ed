/* A tracker that measures nothing: it checks that what a player tells adds up, and says which rule is broken where.
 *
 * What begins ends once, nothing goes on after its end, totals do not fall, and a playhead does not move by itself.
 * Read it from the bottom up; what the rules are stands in README.md.
 */
#include <stdlib.h>

#include "tally_blocks.h"

#define ID "org.tally.example.conservation"

/* What lasts from one event to another. An end of 0 is none. */
struct span {
  const char *begins_twice, *ends_unbegun;
  uint32_t start, ends[2];
  bool nests; /* may begin again before it ends */
};

enum { buffering, seeking, ad_break, ad, chapter, interruption, background, spans };

static const struct span table[spans] = {
    {"buffer-begins-twice", "buffer-ends-unbegun", TALLY_EVENT_TYPE_BUFFER_START,
     {TALLY_EVENT_TYPE_BUFFER_COMPLETE}, false},
    {"seek-begins-twice", "seek-ends-unbegun", TALLY_EVENT_TYPE_SEEK_START, {TALLY_EVENT_TYPE_SEEK_COMPLETE}, true},
    {"break-begins-twice", "break-ends-unbegun", TALLY_EVENT_TYPE_AD_BREAK_START,
     {TALLY_EVENT_TYPE_AD_BREAK_COMPLETE}, false},
    {"ad-begins-twice", "ad-ends-unbegun", TALLY_EVENT_TYPE_AD_START,
     {TALLY_EVENT_TYPE_AD_COMPLETE, TALLY_EVENT_TYPE_AD_SKIP}, false},
    {"chapter-begins-twice", "chapter-ends-unbegun", TALLY_EVENT_TYPE_CHAPTER_START,
     {TALLY_EVENT_TYPE_CHAPTER_COMPLETE, TALLY_EVENT_TYPE_CHAPTER_SKIP}, false},
    {"interruption-begins-twice", "interruption-ends-unbegun", TALLY_EVENT_TYPE_INTERRUPTION_START,
     {TALLY_EVENT_TYPE_INTERRUPTION_END}, false},
    {"background-begins-twice", "background-ends-unbegun", TALLY_EVENT_TYPE_APPLICATION_BACKGROUND,
     {TALLY_EVENT_TYPE_APPLICATION_FOREGROUND}, false}};

/* What is known of the session that goes on; of one that was joined, what began before is not. */
struct session {
  bool has_begun, joined, is_open[spans], has_frame, is_complete, is_unloaded, playhead_known;
  int64_t playhead_ms, playhead_at_us, dropped, rendered, quartile, ad_position, events, broken;
};

struct tracker {
  tally_plugin plugin;
  const tally_host *host;
  tally_emit emit;
  struct session now;
  uint32_t flags; /* of the state before the event */
};

/* ---- saying which rule is broken ---- */

static void broken(struct tracker *t, const tally_event *event, const char *rule, int64_t expected, int64_t found) {
  struct tally_draft draft = tally_draft_begin("broken_rule");
  tally_draft_text(&draft, "rule", rule);
  tally_draft_str(&draft, "event", tally_event_name(event));
  tally_draft_int(&draft, "ordinal", (int64_t)event->ordinal);
  if (expected != found) {
    tally_draft_int(&draft, "expected", expected);
    tally_draft_int(&draft, "found", found);
  }
  t->now.broken++;
  t->emit.record(t->host, tally_draft_end(&draft), NULL);
}

/* ---- rules ---- */

static void check_spans(struct tracker *t, const tally_event *event) {
  struct session *now = &t->now;
  for (int i = 0; i < spans; i++) {
    if (event->type == table[i].start) {
      if (now->is_open[i] && !table[i].nests) broken(t, event, table[i].begins_twice, 0, 0);
      now->is_open[i] = true;
    } else if (event->type == table[i].ends[0] || (table[i].ends[1] != 0 && event->type == table[i].ends[1])) {
      if (!now->is_open[i] && !now->joined) broken(t, event, table[i].ends_unbegun, 0, 0);
      now->is_open[i] = false;
    }
  }
}

static void check_ads(struct tracker *t, const tally_event *event) {
  struct session *now = &t->now;
  switch (event->type) {
    case TALLY_EVENT_TYPE_AD_BREAK_START:
      now->ad_position = 0;
      break;
    case TALLY_EVENT_TYPE_AD_BREAK_COMPLETE:
      if (now->is_open[ad]) broken(t, event, "ad-outlasts-break", 0, 0);
      now->is_open[ad] = false;
      break;
    case TALLY_EVENT_TYPE_AD_START: {
      if (!now->is_open[ad_break] && !now->joined) broken(t, event, "ad-outside-break", 0, 0);
      int64_t position = tally_attr_int(tally_event_find(event, TALLY_KEY_AD_POSITION), now->ad_position + 1);
      if (position <= now->ad_position) broken(t, event, "ad-position-falls", now->ad_position + 1, position);
      now->ad_position = position;
      now->quartile = 0;
      break;
    }
    case TALLY_EVENT_TYPE_AD_QUARTILE: {
      int64_t quartile = tally_attr_int(tally_event_find(event, TALLY_KEY_AD_QUARTILE), now->quartile + 1);
      if (!now->is_open[ad] && !now->joined) broken(t, event, "quartile-outside-ad", 0, 0);
      else if (quartile <= now->quartile) broken(t, event, "quartile-falls", now->quartile + 1, quartile);
      now->quartile = quartile;
      break;
    }
    case TALLY_EVENT_TYPE_AD_ERROR: now->is_open[ad] = false; break; /* of the ad, or of the break or a request */
    default: break;
  }
}

/* Whether only a session can have it. */
static bool belongs_to_session(uint32_t type) {
  return (type >= TALLY_EVENT_TYPE_PLAY && type <= TALLY_EVENT_TYPE_AD_QUARTILE) ||
         (type >= TALLY_EVENT_TYPE_CHAPTER_START && type <= TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE);
}

static void check_order(struct tracker *t, const tally_event *event) {
  struct session *now = &t->now;
  const bool was_playing = t->flags & TALLY_STATE_PLAYING, was_paused = t->flags & TALLY_STATE_PAUSED;
  if (event->session == 0 && belongs_to_session(event->type)) broken(t, event, "outside-session", 0, 0);
  switch (event->type) {
    case TALLY_EVENT_TYPE_PLAY:
      if (was_playing && !was_paused && !now->is_complete) broken(t, event, "play-twice", 0, 0);
      now->is_complete = false;
      break;
    case TALLY_EVENT_TYPE_SEEK_START: now->is_complete = false; break;
    case TALLY_EVENT_TYPE_PAUSE:
      if (now->is_complete) broken(t, event, "after-complete", 0, 0);
      else if (was_paused) broken(t, event, "pause-twice", 0, 0);
      break;
    case TALLY_EVENT_TYPE_FIRST_FRAME:
      if (now->has_frame) broken(t, event, "first-frame-twice", 0, 0);
      now->has_frame = true;
      break;
    case TALLY_EVENT_TYPE_BUFFER_START:
      if (now->is_complete) broken(t, event, "after-complete", 0, 0);
      break;
    case TALLY_EVENT_TYPE_COMPLETE:
      if (now->is_complete) broken(t, event, "complete-twice", 0, 0);
      else if (!now->has_frame && !now->joined) broken(t, event, "complete-without-frame", 0, 0);
      if (now->is_open[buffering]) broken(t, event, "complete-in-buffer", 0, 0);
      now->is_complete = true;
      break;
    case TALLY_EVENT_TYPE_VIDEO_UNLOAD:
      now->is_unloaded = true;
      if (tally_event_find(event, TALLY_KEY_IMPLICIT)) broken(t, event, "unload-missing", 0, 0);
      break;
    default: break;
  }
}

static void check_playhead(struct tracker *t, const tally_event *event, const tally_state *state) {
  struct session *now = &t->now;
  const bool reported = (state->known & TALLY_KNOWN_PLAYHEAD) && state->reported_age_us == 0;
  const bool may_jump = now->is_open[seeking] || event->type == TALLY_EVENT_TYPE_SEEK_COMPLETE ||
                        event->type == TALLY_EVENT_TYPE_VIDEO_LOAD || (state->flags & TALLY_STATE_LIVE);
  if (!reported || event->session == 0) return;
  const int64_t playhead = state->reported_playhead_ms;
  if (now->playhead_known && !may_jump) {
    const int64_t moved = playhead - now->playhead_ms;
    const int64_t rate = state->rate_milli > 1000 ? state->rate_milli : 1000;
    const int64_t passed = (event->time_us - now->playhead_at_us) / 1000 * rate / 1000;
    if (moved < -250) broken(t, event, "playhead-goes-back", now->playhead_ms, playhead);
    else if (moved > 500 && now->is_complete && event->type != TALLY_EVENT_TYPE_COMPLETE)
      broken(t, event, "after-complete", now->playhead_ms, playhead);
    else if (moved > 500 && (t->flags & state->flags & TALLY_STATE_PAUSED))
      broken(t, event, "playhead-moves-in-pause", now->playhead_ms, playhead);
    else if (moved > passed + 1500) broken(t, event, "playhead-outruns-time", now->playhead_ms + passed, playhead);
  }
  if (event->type == TALLY_EVENT_TYPE_SEEK_COMPLETE) {
    const int64_t target = tally_attr_int(tally_event_find(event, TALLY_KEY_SEEK_TO_MS), playhead);
    if (llabs(playhead - target) > 1000) broken(t, event, "seek-misses-target", target, playhead);
  }
  const bool ends = (state->known & TALLY_KNOWN_DURATION) && state->duration_ms > 0;
  if (ends && playhead > state->duration_ms + 1000)
    broken(t, event, "playhead-beyond-duration", state->duration_ms, playhead);
  now->playhead_known = true;
  now->playhead_ms = playhead;
  now->playhead_at_us = event->time_us;
}

static void check_totals(struct tracker *t, const tally_event *event, const tally_state *state) {
  struct session *now = &t->now;
  if (event->session == 0) return;
  if (state->known & TALLY_KNOWN_DROPPED) {
    if (state->dropped_frames < now->dropped) broken(t, event, "total-falls", now->dropped, state->dropped_frames);
    now->dropped = state->dropped_frames;
  }
  if (state->known & TALLY_KNOWN_RENDERED) {
    if (state->rendered_frames < now->rendered) broken(t, event, "total-falls", now->rendered, state->rendered_frames);
    now->rendered = state->rendered_frames;
  }
}

/* ---- calls ---- */

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct tracker *t = self->plugin_data;
  if (t->now.has_begun) broken(t, snapshot, "unload-missing", 0, 0);
  t->now = (struct session){.has_begun = true, .joined = tally_event_find(snapshot, TALLY_KEY_JOINED) != NULL};
  t->now.has_frame = t->now.joined && (tally_event_state(snapshot).flags & TALLY_STATE_STARTED);
  t->flags = tally_event_state(snapshot).flags;
  return TALLY_OK;
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct tracker *t = self->plugin_data;
  const tally_state state = tally_event_state(event);
  t->now.events++;
  check_order(t, event);
  check_spans(t, event);
  check_ads(t, event);
  check_playhead(t, event, &state);
  check_totals(t, event, &state);
  t->flags = state.flags;
  return TALLY_OK;
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  (void)self, (void)timer, (void)deadline_us, (void)now; /* it starts none */
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  struct tracker *t = self->plugin_data;
  (void)now_us, (void)now;
  const bool leaves = reason == TALLY_END_DISABLE || reason == TALLY_END_REPLACE; /* the session goes on without it */
  if (!leaves && !t->now.is_unloaded) {
    struct tally_draft open = tally_draft_begin("broken_rule");
    tally_draft_text(&open, "rule", "unload-missing");
    t->now.broken++;
    t->emit.record(t->host, tally_draft_end(&open), NULL);
  }
  struct tally_draft draft = tally_draft_begin("conservation");
  tally_draft_int(&draft, "events", t->now.events);
  tally_draft_int(&draft, "broken", t->now.broken);
  t->emit.record(t->host, tally_draft_end(&draft), NULL);
  t->now = (struct session){0};
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

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  static const char *const needed[] = {TALLY_EXT_EMIT, NULL};
  static const tally_descriptor about = {
      .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_TRACKER,
      .caps = TALLY_CAP_DETERMINISTIC, .id = ID, .name = "Conservation", .vendor = "Tally", .version = "1.0.0",
      .config_schema = "{\"type\":\"object\",\"additionalProperties\":false}", .requires_extensions = needed};
  (void)self;
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)run;
  if (strcmp(plugin_id, ID) != 0) return NULL;
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
