/* An example tracker in plain C11: it counts what happens in a session and says so in records.
 *
 * Read it from the bottom up: entry, life cycle, then what it tracks. tally_blocks.h reads events and builds records.
 * Three habits keep a plugin loadable by every host of the same major version:
 *   - foreign structures are copied into zeroed ones of our own, never more than they say they have (`tally_copy`);
 *   - a function that is NULL is not offered: it is tested before it is called;
 *   - nothing is remembered outside the instance, and no memory is allocated after create.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tally_blocks.h"

#define ID "org.tally.example.c"
#define DEFAULT_INTERVAL_SECONDS 10
#define MAX_INTERVAL_SECONDS 3600

/* Everything that one instance knows. */
struct tracker {
  tally_plugin plugin; /* what the host calls */
  const tally_host *host;
  tally_host calls; /* our own copy of what the host offers, and the extensions that we use */
  tally_emit emit;
  tally_timer timers;
  tally_random random;
  int64_t interval_us;
  tally_status status; /* of the call that is going on: an error of emit is handed on to the host */
  /* The session that is going on. */
  char session_id[17];
  uint32_t flags; /* TALLY_STATE_... after the last event */
  int64_t last_us, play_us, stall_us;
  int64_t stalls, seeks, renditions;
  uint64_t heartbeat; /* the timer that runs, or 0 */
};

static tally_status fail(const struct tracker *t, tally_status status, const char *why) {
  if (t->calls.set_error) t->calls.set_error(t->host, status, tally_text(why));
  return status;
}

/* ---- what it tracks -------------------------------------------------------------------------------------------- */

/* What every record holds. */
static struct tally_draft begin(const struct tracker *t, const char *kind, const tally_state *now) {
  struct tally_draft draft = tally_draft_begin(kind);
  tally_draft_text(&draft, "session_id", t->session_id);
  tally_draft_int(&draft, "play_time_ms", t->play_us / 1000);
  if (now->known & TALLY_KNOWN_PLAYHEAD) tally_draft_int(&draft, "playhead_ms", now->playhead_ms);
  return draft;
}

static void emit(struct tracker *t, struct tally_draft *draft) {
  tally_status status = t->emit.record(t->host, tally_draft_end(draft), NULL);
  if (status < 0) t->status = status;
}

static void say(struct tracker *t, const char *kind, const tally_state *now) {
  struct tally_draft draft = begin(t, kind, now);
  emit(t, &draft);
}

static bool plays(uint32_t flags) {
  const uint32_t wanted = TALLY_STATE_STARTED | TALLY_STATE_PLAYING;
  const uint32_t unwanted = TALLY_STATE_PAUSED | TALLY_STATE_SEEKING | TALLY_STATE_BUFFERING | TALLY_STATE_IN_AD |
                            TALLY_STATE_IN_AD_BREAK | TALLY_STATE_INTERRUPTED | TALLY_STATE_ENDED;
  return (flags & (wanted | unwanted)) == wanted;
}

/* Waiting for data before the first frame or after a seek is not a stall. */
static bool stalls(uint32_t flags) {
  const uint32_t wanted = TALLY_STATE_STARTED | TALLY_STATE_BUFFERING;
  return (flags & (wanted | TALLY_STATE_SEEKING)) == wanted;
}

/* Adds the time since the last call to what was going on since then. */
static void advance(struct tracker *t, int64_t now_us) {
  if (plays(t->flags)) t->play_us += now_us - t->last_us;
  if (stalls(t->flags)) t->stall_us += now_us - t->last_us;
  t->last_us = now_us;
}

static void arm(struct tracker *t, int64_t deadline_us) {
  uint64_t timer = 0;
  tally_status status = t->timers.start(t->host, deadline_us, TALLY_TIMER_SESSION, &timer);
  t->heartbeat = status < 0 ? 0 : timer;
}

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct tracker *t = self->plugin_data;
  t->flags = tally_event_state(snapshot).flags; /* a tracker that joins counts from here on */
  t->last_us = snapshot->time_us;
  t->play_us = t->stall_us = t->stalls = t->seeks = t->renditions = 0;
  uint64_t number = t->random.next_u64(t->host);
  snprintf(t->session_id, sizeof t->session_id, "%016llx", (unsigned long long)number);
  arm(t, snapshot->time_us + t->interval_us);
  return TALLY_OK;
}

/* An event that this tracker has never heard of still carries the state: what changed in it is counted all the same. */
static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct tracker *t = self->plugin_data;
  tally_state now = tally_event_state(event);
  advance(t, event->time_us);
  uint32_t before = t->flags, after = now.flags, rose = after & ~before, fell = before & ~after;
  t->flags = after;
  if (!(after & TALLY_STATE_IN_SESSION)) return TALLY_OK; /* flags that fall at the unload are no changes of playback */

  tally_str phase = tally_attr_text(event, tally_event_find(event, TALLY_KEY_RENDITION_PHASE));
  bool rendition = event->type == TALLY_EVENT_TYPE_RENDITION_CHANGE && !tally_text_is(phase, "decided");
  t->seeks += (fell & TALLY_STATE_SEEKING) != 0;
  t->stalls += !stalls(before) && stalls(after);
  t->renditions += rendition;

  t->status = TALLY_OK;
  if (rose & TALLY_STATE_STARTED) say(t, "started", &now);
  if (rose & TALLY_STATE_PAUSED) say(t, "paused", &now);
  if ((fell & TALLY_STATE_PAUSED) && (after & TALLY_STATE_PLAYING)) say(t, "resumed", &now);
  if (fell & TALLY_STATE_SEEKING) say(t, "seeked", &now);
  if (!stalls(before) && stalls(after)) say(t, "stalled", &now);
  if (stalls(before) && !stalls(after)) say(t, "recovered", &now);
  if (rose & TALLY_STATE_ENDED) say(t, "ended", &now);
  if (rendition) {
    struct tally_draft draft = begin(t, "rendition", &now);
    const tally_attr *bitrate = tally_event_find(event, TALLY_KEY_RENDITION_BITRATE_BPS);
    if (bitrate && bitrate->type == TALLY_T_INT) tally_draft_int(&draft, "bitrate_bps", bitrate->v.i);
    emit(t, &draft);
  }
  return t->status;
}

/* The next deadline counts from the last one: the period does not drift. */
static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *state) {
  struct tracker *t = self->plugin_data;
  if (timer != t->heartbeat) return;
  tally_state now;
  tally_copy(&now, sizeof now, state);
  advance(t, deadline_us);
  say(t, "heartbeat", &now);
  arm(t, deadline_us + t->interval_us);
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *state) {
  (void)reason;
  struct tracker *t = self->plugin_data;
  tally_state now;
  tally_copy(&now, sizeof now, state);
  advance(t, now_us);
  struct tally_draft draft = begin(t, "summary", &now);
  tally_draft_int(&draft, "stalls", t->stalls);
  tally_draft_int(&draft, "stall_time_ms", t->stall_us / 1000);
  tally_draft_int(&draft, "seeks", t->seeks);
  tally_draft_int(&draft, "renditions", t->renditions);
  emit(t, &draft);
  t->flags = 0;
  t->heartbeat = 0; /* a session's timers end with it */
}

/* ---- configuration --------------------------------------------------------------------------------------------- */

struct scanner {
  const char *at, *end;
};

/* Skips white space and then `word`, if it stands there. */
static bool accept(struct scanner *in, const char *word) {
  while (in->at < in->end && strchr(" \t\r\n", *in->at) && *in->at) in->at++;
  size_t length = strlen(word);
  if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0) return false;
  in->at += length;
  return true;
}

/* The host has checked the form against our schema. This still accepts nothing but {} and {"interval_seconds": N}. */
static bool read_interval(tally_str config, int64_t *seconds) {
  *seconds = DEFAULT_INTERVAL_SECONDS;
  if (!config.ptr || config.len == 0) return true;
  struct scanner in = {.at = config.ptr, .end = config.ptr + config.len};
  if (!accept(&in, "{")) return false;
  if (!accept(&in, "}")) {
    if (!accept(&in, "\"interval_seconds\"") || !accept(&in, ":")) return false;
    accept(&in, ""); /* white space */
    for (*seconds = 0; in.at < in.end && *in.at >= '0' && *in.at <= '9'; in.at++) {
      *seconds = *seconds * 10 + (*in.at - '0');
      if (*seconds > MAX_INTERVAL_SECONDS) return false;
    }
    if (!accept(&in, "}")) return false;
  }
  accept(&in, "");
  return in.at == in.end && *seconds >= 1;
}

/* ---- life cycle ------------------------------------------------------------------------------------------------ */

static const void *host_extension(const struct tracker *t, const char *id) {
  return t->calls.get_extension ? t->calls.get_extension(t->host, id) : NULL;
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct tracker *t = self->plugin_data;
  int64_t seconds;
  if (!read_interval(config, &seconds))
    return fail(t, TALLY_ERR_CONFIG, "the configuration may hold interval_seconds, a whole number from 1 to 3600");
  t->interval_us = seconds * 1000000;
  tally_copy(&t->emit, sizeof t->emit, host_extension(t, TALLY_EXT_EMIT));
  tally_copy(&t->timers, sizeof t->timers, host_extension(t, TALLY_EXT_TIMER));
  tally_copy(&t->random, sizeof t->random, host_extension(t, TALLY_EXT_RANDOM));
  if (!t->emit.record || !t->timers.start || !t->random.next_u64)
    return fail(t, TALLY_ERR_UNSUPPORTED, "needs tally.emit/1, tally.timer/1 and tally.random/1 of the host");
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

/* ---- entry ----------------------------------------------------------------------------------------------------- */

static const char *const needed[] = {TALLY_EXT_EMIT, TALLY_EXT_TIMER, TALLY_EXT_RANDOM, NULL};

static const tally_descriptor about = {
    .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_TRACKER,
    .caps = TALLY_CAP_DETERMINISTIC, .id = ID, .name = "Example tracker in C", .vendor = "Tally", .version = "1.0.0",
    .config_schema = "{\"type\":\"object\",\"properties\":{\"interval_seconds\":{\"type\":\"integer\",\"minimum\":1,"
                     "\"maximum\":3600,\"default\":10,\"description\":\"Time between two heartbeat records, s.\"}},"
                     "\"additionalProperties\":false}",
    .requires_extensions = needed};

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)run;
  if (!host || !plugin_id || strcmp(plugin_id, ID) != 0) return NULL;
  struct tracker *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->host = host;
  tally_copy(&t->calls, sizeof t->calls, host);
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
