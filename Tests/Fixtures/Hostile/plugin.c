/* The tracker itself: its configuration, and which call does what. */
#include "hostile.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "tally_blocks.h"

static const struct kind *const subjects[] = {deaths, hangs, outputs, memory, threads, process, machine};

tally_status say(struct hostile *tracker, const char *kind, int64_t value) {
  struct tally_draft draft = tally_draft_begin(kind);
  tally_draft_int(&draft, "value", value);
  return tracker->base.emit->record(tracker->base.host, tally_draft_end(&draft), NULL);
}

int is_called(int process, const char *name) {
  char path[32], found[32] = "";
  snprintf(path, sizeof path, "/proc/%d/comm", process);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  if (fgets(found, sizeof found, file) == NULL) found[0] = 0;
  fclose(file);
  return strncmp(found, name, strlen(name)) == 0;
}

void start_thread(void *(*run)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, argument) == 0) pthread_detach(thread);
}

/* The text behind `"key":"` in a flat JSON object; empty when it is not there. */
static void read_text(tally_str config, const char *key, char *into, size_t size) {
  char start[24];
  int length = snprintf(start, sizeof start, "\"%s\":\"", key);
  const char *at = config.ptr == NULL ? NULL : memmem(config.ptr, config.len, start, (size_t)length);
  into[0] = 0;
  if (at == NULL) return;
  at += length;
  for (size_t i = 0; i + 1 < size && at < config.ptr + config.len && *at != '"'; i++) {
    into[i] = *at++;
    into[i + 1] = 0;
  }
}

/* Does the deed when this is the call for it. */
static tally_status enter(struct hostile *tracker, const char *place, struct call call) {
  if (strcmp(tracker->at, place) != 0 || tracker->calls++ < tracker->after) return TALLY_OK;
  for (size_t subject = 0; subject < sizeof subjects / sizeof subjects[0]; subject++)
    for (const struct kind *kind = subjects[subject]; kind->name != NULL; kind++)
      if (strcmp(kind->name, tracker->kind) == 0 && (kind->repeats || !tracker->has_acted)) {
        tracker->has_acted = 1;
        return kind->act(tracker, &call);
      }
  return TALLY_OK;
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct hostile *tracker = fixture_of(self);
  fixture_init(self, config);
  tracker->store = tracker->base.host->get_extension(tracker->base.host, TALLY_EXT_STORE);
  read_text(config, "kind", tracker->kind, sizeof tracker->kind);
  read_text(config, "at", tracker->at, sizeof tracker->at);
  tracker->after = fixture_number(config, "after", 0);
  return enter(tracker, "init", (struct call){.text = config});
}

static tally_status enable(const tally_plugin *self) { return enter(fixture_of(self), "enable", (struct call){0}); }

/* A host also makes instances to see whether they take their configuration: those end without a deed. */
static void disable(const tally_plugin *self) {
  struct hostile *tracker = fixture_of(self);
  if (tracker->has_played) enter(tracker, "disable", (struct call){0});
}

static void destroy(const tally_plugin *self) {
  struct hostile *tracker = fixture_of(self);
  if (tracker->has_played) enter(tracker, "destroy", (struct call){0});
  free(tracker);
}

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct hostile *tracker = fixture_of(self);
  uint64_t id;
  tracker->base.timer->start(tracker->base.host, snapshot->time_us + 300000, TALLY_TIMER_SESSION, &id);
  return enter(tracker, "session_begin", (struct call){.event = snapshot, .now_us = snapshot->time_us});
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct hostile *tracker = fixture_of(self);
  tracker->has_played = 1;
  say(tracker, "event", (int64_t)event->ordinal);
  return enter(tracker, "on_event", (struct call){.event = event, .now_us = event->time_us});
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  struct hostile *tracker = fixture_of(self);
  uint64_t id;
  (void)timer;
  say(tracker, "timer", deadline_us);
  tracker->base.timer->start(tracker->base.host, deadline_us + 300000, TALLY_TIMER_SESSION, &id);
  enter(tracker, "on_timer", (struct call){.state = now, .now_us = deadline_us});
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  (void)reason;
  enter(fixture_of(self), "session_end", (struct call){.state = now, .now_us = now_us});
}

/* ---- at run time ----------------------------------------------------------------------------------------------- */

static tally_status configure(const tally_plugin *self, tally_str config, int64_t now_us, const tally_state *now) {
  return enter(fixture_of(self), "configure", (struct call){.state = now, .text = config, .now_us = now_us});
}

static tally_status run(const tally_plugin *self, tally_str name, tally_str arguments, int64_t now_us,
                        const tally_state *now, const tally_sink *answer) {
  (void)name;
  struct call call = {.state = now, .text = arguments, .answer = answer, .now_us = now_us};
  tally_status status = enter(fixture_of(self), "command", call);
  return status < 0 ? status : answer->write(answer, "{}", 2);
}

static tally_str list(const tally_plugin *self) {
  (void)self;
  return fixture_str("[{\"name\":\"act\",\"summary\":\"Does the deed.\",\"changes\":true}]");
}

static const void *extension(const char *id) {
  static const tally_configure configuring = {.struct_size = sizeof configuring, .configure = configure};
  static const tally_command commands = {.struct_size = sizeof commands, .run = run, .list = list};
  if (strcmp(id, TALLY_EXT_CONFIGURE) == 0) return &configuring;
  if (strcmp(id, TALLY_EXT_COMMAND) == 0) return &commands;
  return NULL;
}

#define FIXTURE_ID "org.tally.fixture.hostile"
#define FIXTURE_INSTANCE struct hostile
#define FIXTURE_INIT init
#define FIXTURE_ENABLE enable
#define FIXTURE_DISABLE disable
#define FIXTURE_SESSION_BEGIN session_begin
#define FIXTURE_ON_EVENT on_event
#define FIXTURE_ON_TIMER on_timer
#define FIXTURE_SESSION_END session_end
#define FIXTURE_EXTENSION(id) extension(id)
#define fixture_destroy destroy
#include "../Shared/entry.h"
