/* A good tracker, and one for each check that breaks its rule and no other: see fixture.h. */
#define _GNU_SOURCE
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tally_blocks.h"
#include "tally_plugin.h"

struct tracker {
  tally_plugin plugin;
  const tally_host *host;
  tally_emit emit;
  tally_timer timers;
  tally_random random;
  tally_store store;
  uint64_t timer;
  int64_t events, number;
  bool in_session, is_disabled, has_emitted, was_loaded, was_enabled, has_sought;
  char session[40], run[64], name[128];
  const char *lent;
  char *kept;
  char secret[64];
};

/* What some variants keep where nothing belongs. */
/* Rules that are broken in several ways: which one, by a variable of the environment. */
static bool is_how(const char *way) {
  const char *how = getenv("BAD_HOW");
  return strcmp(how ? how : "", way) == 0;
}

static void change_process(void) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR2);
  if (is_how("")) umask(077);
  /* Few: where copies go on they would make copies in turn. */
  static int copies;
  if (is_how("fork") && copies++ < 3) (void)!fork();
  if (is_how("alarm")) alarm(1000);
  if (is_how("block")) pthread_sigmask(SIG_BLOCK, &one, NULL);
  if (is_how("ignore")) signal(SIGUSR1, SIG_IGN);
  if (is_how("setenv")) setenv("BAD_SECRET", "hunter3", 1);
  if (is_how("unsetenv")) unsetenv("BAD_SECRET");
}

static int creations, living, sessions_open, other_runs;
static char open_name[128], made_before[64], title[64];

static void say(struct tracker *t, const char *kind) {
  struct tally_draft draft = tally_draft_begin(kind);
  tally_draft_text(&draft, "session", t->session);
  tally_draft_int(&draft, "events", t->events);
  if (IS(TEXTS)) tally_draft_text(&draft, "text", "\xff\xfe");
  if (IS(SECRETS) && t->secret[0]) tally_draft_text(&draft, "secret", t->secret);
  if (IS(REPEAT_PROCESS)) tally_draft_int(&draft, "day", time(NULL) / 86400);
  if (IS(REPEAT_INSTANCE)) tally_draft_int(&draft, "created", creations);
  if (IS(REPEAT_SESSION)) tally_draft_int(&draft, "others", other_runs);
  if (IS(SIDE_BY_SIDE)) tally_draft_text(&draft, "title", title);
  if (IS(REPLACED)) tally_draft_int(&draft, "open", t->number);
  if (IS(ANY_THREAD)) tally_draft_int(&draft, "thread", gettid() == getpid());
  if (IS(MEMORY_LENT) && t->lent) tally_draft_int(&draft, "lent", t->lent[0]);
  if (IS(NEWER_STRUCTURES)) tally_draft_int(&draft, "size", t->number);
  if (IS(REPLAY_TWICE) && strncmp(t->run, "sample", 6) == 0) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    tally_draft_int(&draft, "clock", now.tv_nsec);
  }
  if (IS(REPLAY_JOINED)) tally_draft_int(&draft, "behind", t->number);
  if (IS(LIVE_AND_REPLAY) && strcmp(t->run, "virtualrun01") == 0) tally_draft_int(&draft, "created", creations);
  if (IS(REPLAY_BESIDE) && strncmp(t->run, "sample", 6) == 0) tally_draft_int(&draft, "living", living);
  const tally_record *record = tally_draft_end(&draft);
  if (IS(BLOCKS)) ((tally_record *)record)->size -= 4;
  tally_status status = t->emit.record(t->host, record, NULL);
  while (IS(REFUSED) && status < 0) usleep(1000), status = t->emit.record(t->host, record, NULL);
  t->has_emitted = true;
}

static void *late(void *data) {
  struct tracker *t = data;
  say(t, "late");
  return NULL;
}

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct tracker *t = self->plugin_data;
  if (IS(SESSIONS_ODD) && t->in_session) abort();
  if (IS(DISABLED_BETWEEN) && t->is_disabled) return TALLY_ERR_STATE;
  if (IS(JOINED) && tally_event_find_name(snapshot, "joined")) abort();
  t->in_session = true;
  t->events = 0;
  t->has_sought = false;
  if (IS(REPLACED)) {
    t->number = sessions_open++ > 0 && strcmp(open_name, t->name) == 0;
    strcpy(open_name, t->name);
  }
  snprintf(t->session, sizeof t->session, "%llx", (unsigned long long)t->random.next_u64(t->host));
  t->timers.start(t->host, snapshot->time_us + 5000000, TALLY_TIMER_SESSION, &t->timer);
  return TALLY_OK;
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct tracker *t = self->plugin_data;
  const tally_attr *video = tally_event_find_name(event, "video_id");
  t->events++;
  if (IS(SIDE_BY_SIDE) && video && video->type == TALLY_T_STRING)
    snprintf(title, sizeof title, "%.*s", (int)video->len, (const char *)event + video->v.off);
  if (IS(SESSION) && is_how("crash") && event->type == TALLY_EVENT_TYPE_PAUSE) abort();
  if (IS(SESSION) && is_how("") && event->type == TALLY_EVENT_TYPE_PAUSE) return TALLY_ERR_INTERNAL;
  if (IS(EVENTS_ALL) && event->type == TALLY_EVENT_TYPE_CHAPTER_START && t->in_session && event->attr_count == 0) abort();
  if (IS(EVENTS_OUTSIDE) && strcmp(t->run, "check-run") == 0 && !t->in_session && event->session == 0) abort();
  t->has_sought |= event->type == TALLY_EVENT_TYPE_SEEK_START;
  if (IS(ORDER_ODD) && event->type == TALLY_EVENT_TYPE_SEEK_COMPLETE && t->in_session && !t->has_sought) abort();
  if (IS(NEWER_EVENTS) && event->type >= 0x10000) return TALLY_ERR_INVALID;
  if (IS(NUMBERS)) {
    const tally_attr *size = tally_event_find_name(event, "own.number");
    if (size && size->type == TALLY_T_DOUBLE && size->v.d != size->v.d) abort();
  }
  if (IS(TYPES_ODD) && video && video->type == TALLY_T_INT) abort();
  if (IS(NEWER_ATTRIBUTES) && video && video->type > TALLY_T_BYTES) abort();
  if (IS(LARGEST) && event->attr_count > 100) abort();
  if (IS(BOUNDS)) t->number = ((const volatile char *)event)[event->size + 8] & 0;
  if (IS(NEWER_STRUCTURES)) t->number = (int64_t)event->header_size;
  if (IS(EVENTS_UNCHANGED) && strcmp(t->run, "check-run") == 0) ((tally_event *)event)->flags ^= 4;
  if (IS(STREAMS) && event->type == TALLY_EVENT_TYPE_PLAY) printf("play\n");
  if (IS(BUDGET) && event->type == TALLY_EVENT_TYPE_COMPLETE) usleep(25000);
  if (IS(MEMORY_LENT) && video) t->lent = (const char *)event + video->v.off;
  if (IS(MEMORY_ERRORS) && event->type == TALLY_EVENT_TYPE_PLAY) {
    char *gone = malloc(40), copy[40];
    if (!gone) return TALLY_OK;
    memset(gone, 0, 40);
    free(gone);
    volatile size_t count = 8;
    memcpy(copy, gone + 16, count);
    t->number = copy[0] & 0;
  }
  if (IS(CALLS_OWN_THREAD) && event->type == TALLY_EVENT_TYPE_PLAY) {
    pthread_t thread;
    pthread_create(&thread, NULL, late, t);
    pthread_join(thread, NULL);
  }
  if (event->type == TALLY_EVENT_TYPE_PLAY) say(t, "play");
  return TALLY_OK;
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  struct tracker *t = self->plugin_data;
  (void)now;
  if (IS(SESSION) && is_how("on_timer")) t->host->set_error(t->host, TALLY_ERR_INTERNAL, tally_text("told in on_timer"));
  if (timer != t->timer && IS(TIMERS_UNKNOWN)) abort();
  if (timer != t->timer) return;
  if (!IS(TIMERS_END)) say(t, "beat");
  int64_t period = IS(TIMERS_END) && strcmp(t->run, "check-run") == 0 ? 0 : 5000000;
  t->timers.start(t->host, deadline_us + period, TALLY_TIMER_SESSION, &t->timer);
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  struct tracker *t = self->plugin_data;
  (void)reason, (void)now_us, (void)now;
  if (IS(REPLACED) && t->in_session) sessions_open--;
  t->in_session = false;
  say(t, "summary");
  t->timer = 0;
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct tracker *t = self->plugin_data;
  if (IS(INIT)) return TALLY_ERR_CONFIG;
  if (config.len < 2 || config.ptr[0] != '{') {
    if (IS(INIT_REFUSES)) abort();
    if (!IS(INIT_EXPLAINS)) t->host->set_error(t->host, TALLY_ERR_CONFIG, tally_text("the configuration is no object"));
    return TALLY_ERR_CONFIG;
  }
  if (IS(SCHEMA_VALUES) && memmem(config.ptr, config.len, "\"every\":1}", 10)) return TALLY_ERR_CONFIG;
  const char *place = memmem(config.ptr, config.len, "\"token\":\"", 9);
  if (place) snprintf(t->secret, sizeof t->secret, "%.*s", 30, place + 9);
  const void *emit = t->host->get_extension(t->host, TALLY_EXT_EMIT);
  if (IS(EXTENSIONS_WITHHELD)) memcpy(&t->emit, emit, sizeof t->emit);
  tally_copy(&t->emit, sizeof t->emit, emit);
  tally_copy(&t->timers, sizeof t->timers, t->host->get_extension(t->host, TALLY_EXT_TIMER));
  tally_copy(&t->random, sizeof t->random, t->host->get_extension(t->host, TALLY_EXT_RANDOM));
  if (!t->emit.record || !t->timers.start || !t->random.next_u64) {
    t->host->set_error(t->host, TALLY_ERR_UNSUPPORTED, tally_text("needs emit, timer and random of the host"));
    return TALLY_ERR_UNSUPPORTED;
  }
  if (IS(DESCRIPTORS_CLOSED)) t->number = dup(0) & 0;
  if (IS(NO_FILES)) t->number = close(open("/dev/null", O_RDONLY)) & 0;
  if (IS(PROCESS_UNCHANGED)) change_process();
  if (IS(MEMORY_KEPT)) t->lent = malloc(20000);
  if (IS(MEMORY_REFUSED)) free(memset(malloc(64), 0, 64));
  if (IS(DESTROY_AT_ONCE)) t->kept = malloc(8);
  t->was_loaded = true;
  if (IS(CALLS_IN_TIME)) say(t, "early");
  return TALLY_OK;
}

static void *sleeping(void *data) {
  sleep(10);
  return data;
}

static tally_status enable(const tally_plugin *self) {
  struct tracker *t = self->plugin_data;
  if (IS(LIFE_TWICE) && t->is_disabled) return TALLY_ERR_STATE;
  if (IS(THREADS)) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeping, NULL);
    pthread_detach(thread);
  }
  t->has_emitted = false;
  t->was_enabled = true;
  return TALLY_OK;
}

static void disable(const tally_plugin *self) {
  struct tracker *t = self->plugin_data;
  t->is_disabled = t->has_emitted;
  if (IS(LIFE_TWICE)) t->is_disabled = true;
  if (IS(DISABLE_QUIET) && t->has_emitted) say(t, "last");
}

static void destroy(const tally_plugin *self) {
  struct tracker *t = self->plugin_data;
  if (IS(DESTROY_AT_ONCE)) *(volatile char *)t->kept = 0;
  if (IS(DESTROY_AFTER_INIT) && t->was_loaded && !t->was_enabled) abort();
  living--;
  free(t->kept);
  free(t);
}

static tally_status configure(const tally_plugin *self, tally_str config, int64_t now_us, const tally_state *now) {
  (void)self, (void)config, (void)now_us, (void)now;
  return IS(CONFIGURE) ? TALLY_ERR_CONFIG : TALLY_OK;
}

static tally_status run(const tally_plugin *self, tally_str name, tally_str arguments, int64_t now_us,
                        const tally_state *now, const tally_sink *answer) {
  (void)self, (void)name, (void)arguments, (void)now_us, (void)now, (void)answer;
  return IS(COMMANDS) ? TALLY_OK : TALLY_ERR_NOT_FOUND;
}

static tally_str list(const tally_plugin *self) { return (void)self, tally_text("[]"); }

static const void *get_extension(const tally_plugin *self, const char *id) {
  static tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = session_begin, .on_event = on_event, .session_end = session_end};
  static const tally_configure configuring = {.struct_size = sizeof configuring, .configure = configure};
  static const tally_command commanding = {.struct_size = sizeof commanding, .run = run, .list = list};
  (void)self;
  tracker.on_timer = IS(TABLE) ? NULL : on_timer;
  if (strcmp(id, TALLY_EXT_CONFIGURE) == 0) return &configuring;
  if (strcmp(id, TALLY_EXT_COMMAND) == 0) return &commanding;
  return strcmp(id, TALLY_EXT_TRACKER) == 0 || IS(EXTENSION_UNKNOWN) ? &tracker : NULL;
}

const tally_plugin *fixture_create(const tally_host *host, const tally_run_info *info) {
  struct tracker *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  if (IS(CREATE_QUIET)) host->get_extension(host, TALLY_EXT_EMIT);
  creations++;
  living++;
  t->host = host;
  t->timer = 1000000000;
  if (info) snprintf(t->run, sizeof t->run, "%.*s", (int)info->player_run_id.len, info->player_run_id.ptr);
  if (info) snprintf(t->name, sizeof t->name, "%s/%.*s", t->run, (int)info->instance.len, info->instance.ptr);
  if (IS(REPLAY_JOINED)) t->number = strcmp(made_before, "sample-1") == 0 && strcmp(t->run, "sample-2") == 0;
  strcpy(made_before, t->run);
  other_runs += strcmp(t->run, "another-run") == 0;
  t->plugin = (tally_plugin){
      .struct_size = sizeof t->plugin, .plugin_data = t, .init = init, .enable = enable, .disable = disable,
      .destroy = IS(CREATE) ? NULL : destroy, .get_extension = get_extension};
  return &t->plugin;
}

const uint32_t fixture_kind = TALLY_KIND_TRACKER;
