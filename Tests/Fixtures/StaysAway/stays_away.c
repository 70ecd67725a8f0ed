/* Says a record of the kind "begun" in each call, and does not come back from one of them: from which and how its
 * configuration says, by numbers. `after`: how many such calls come back. What computes does so for a second or two. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "../Shared/fixture.h"

enum call { IN_EVENT, IN_TIMER, IN_SESSION_BEGIN, IN_SESSION_END, IN_ENABLE, IN_INIT, IN_DISABLE };
enum how { LOOP, DEADLOCK, THREAD_EXIT, TALK, LATE, TRY_TO_WRITE };

struct staying {
  struct fixture base;
  int64_t call, how, after, milliseconds;
};

static void say(struct staying *self, const char *kind) {
  struct {
    tally_record header;
    char kind[8];
  } record = {.header = {.size = sizeof record, .header_size = sizeof record.header,
                         .kind_off = sizeof record.header, .kind_len = 5, .attr_off = sizeof record.header}};
  memcpy(record.kind, kind, 5);
  self->base.emit->record(self->base.host, &record.header, NULL);
}

/* Says "wrote" or "could", by whether the system can write there; it says so without a crash. */
static void try_to_write(struct staying *self, const void *place) {
  int zeros = open("/dev/zero", O_RDONLY);
  say(self, zeros >= 0 && read(zeros, (void *)(uintptr_t)place, 1) == 1 ? "wrote" : "could");
  close(zeros);
}

static void be(struct staying *self, enum call call) {
  if (self->base.emit && call != IN_INIT && call != IN_ENABLE) say(self, "begun");
  if ((int64_t)call != self->call || --self->after >= 0) return;
  volatile int64_t turns = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  switch ((enum how)self->how) {
    case TRY_TO_WRITE: return;
    case LOOP:
      while (turns < 2000000000) turns = turns + 1;
      for (;;) pause();
    case DEADLOCK:
      pthread_mutex_lock(&mutex);
      pthread_mutex_lock(&mutex);
      return;
    case THREAD_EXIT: pthread_exit(NULL);
    case TALK:
      while ((turns = turns + 1) < 1000000) say(self, "begun");
      for (;;) pause();
    case LATE:
      usleep((useconds_t)self->milliseconds * 1000);
      say(self, "begun");
      return;
  }
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct staying *staying = fixture_of(self);
  fixture_init(self, config);
  staying->call = fixture_number(config, "call", IN_EVENT);
  staying->how = fixture_number(config, "how", LOOP);
  staying->after = fixture_number(config, "after", 0);
  staying->milliseconds = fixture_number(config, "ms", 0);
  be(staying, IN_INIT);
  return TALLY_OK;
}

static tally_status enable(const tally_plugin *self) { return be(fixture_of(self), IN_ENABLE), TALLY_OK; }
static void disable(const tally_plugin *self) { be(fixture_of(self), IN_DISABLE); }

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct staying *staying = fixture_of(self);
  uint64_t timer;
  staying->base.timer->start(staying->base.host, snapshot->time_us + 200000, TALLY_TIMER_SESSION, &timer);
  if (staying->how == TRY_TO_WRITE) try_to_write(staying, snapshot);
  be(staying, IN_SESSION_BEGIN);
  return TALLY_OK;
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct staying *staying = fixture_of(self);
  if (staying->how == TRY_TO_WRITE) try_to_write(staying, event);
  be(staying, IN_EVENT);
  return TALLY_OK;
}

static void on_timer(const tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now) {
  struct staying *staying = fixture_of(self);
  (void)timer, (void)deadline_us;
  if (staying->how == TRY_TO_WRITE) try_to_write(staying, now);
  be(staying, IN_TIMER);
}

static void session_end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  (void)reason, (void)now_us, (void)now;
  be(fixture_of(self), IN_SESSION_END);
}

#define FIXTURE_ID "org.tally.fixture.stays-away"
#define FIXTURE_INSTANCE struct staying
#define FIXTURE_INIT init
#define FIXTURE_ENABLE enable
#define FIXTURE_DISABLE disable
#define FIXTURE_SESSION_BEGIN session_begin
#define FIXTURE_ON_EVENT on_event
#define FIXTURE_ON_TIMER on_timer
#define FIXTURE_SESSION_END session_end
#include "../Shared/entry.h"
