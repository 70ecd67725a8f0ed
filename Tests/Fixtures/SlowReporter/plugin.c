/* A reporter that sleeps in each take, {"milliseconds": 100}, and counts what reached it. The counts are the answer to
 * the command "counts", and a log line when it is disabled. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "../Shared/fixture.h"

#define KINDS 9 /* TALLY_OUTPUT_..., by number; 0 is for numbers of the future */

struct slow {
  struct fixture base;
  const tally_host_reporter *reporter;
  int64_t milliseconds;
  uint64_t takes, counts[KINDS], lost, since_flush;
};

static tally_status init(const tally_plugin *self, tally_str config) {
  struct slow *slow = fixture_of(self);
  slow->milliseconds = fixture_number(config, "milliseconds", 100);
  slow->reporter = slow->base.host->get_extension(slow->base.host, TALLY_EXT_HOST_REPORTER);
  return slow->reporter ? TALLY_OK : TALLY_ERR_UNSUPPORTED;
}

static int64_t take(const tally_plugin *self, const tally_output *const *items, uint64_t count) {
  struct slow *slow = fixture_of(self);
  struct timespec pause = {.tv_sec = slow->milliseconds / 1000, .tv_nsec = slow->milliseconds % 1000 * 1000000};
  nanosleep(&pause, NULL);
  slow->takes++;
  for (uint64_t i = 0; i < count; i++) {
    slow->counts[items[i]->what < KINDS ? items[i]->what : 0]++;
    if (items[i]->what == TALLY_OUTPUT_GAP) slow->lost += *(const uint64_t *)items[i]->item;
  }
  slow->since_flush += count;
  return (int64_t)count;
}

static void flush(
    const tally_plugin *self, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  struct slow *slow = fixture_of(self);
  (void)player_run_id, (void)session, (void)budget_ms;
  slow->reporter->flushed(slow->base.host, token, slow->since_flush, 0, 0);
  slow->since_flush = 0;
}

static size_t describe(const struct slow *slow, char *text, size_t size) {
  int length = snprintf(
      text, size,
      "{\"takes\":%" PRIu64 ",\"events\":%" PRIu64 ",\"records\":%" PRIu64 ",\"beacons\":%" PRIu64
      ",\"session_begins\":%" PRIu64 ",\"session_ends\":%" PRIu64 ",\"run_begins\":%" PRIu64 ",\"run_ends\":%" PRIu64
      ",\"gaps\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"unknown\":%" PRIu64 "}",
      slow->takes, slow->counts[1], slow->counts[2], slow->counts[3], slow->counts[4], slow->counts[5],
      slow->counts[6], slow->counts[7], slow->counts[8], slow->lost, slow->counts[0]);
  return length < 0 ? 0 : (size_t)length;
}

static tally_status run(const tally_plugin *self, tally_str name, tally_str arguments, int64_t now_us,
                        const tally_state *now, const tally_sink *answer) {
  char text[512];
  (void)arguments, (void)now_us, (void)now;
  if (name.len != 6 || memcmp(name.ptr, "counts", 6) != 0) return TALLY_ERR_NOT_FOUND;
  return answer->write(answer, text, describe(fixture_of(self), text, sizeof text));
}

static tally_str list(const tally_plugin *self) {
  (void)self;
  return fixture_str("[{\"name\":\"counts\",\"summary\":\"What it took.\",\"changes\":false}]");
}

static void disable(const tally_plugin *self) {
  const struct slow *slow = fixture_of(self);
  char text[512];
  size_t length = describe(slow, text, sizeof text);
  slow->base.host->log(slow->base.host, TALLY_LOG_INFO, (tally_str){.ptr = text, .len = length});
}

static const void *extension(const char *id) {
  static const tally_reporter reporter = {.struct_size = sizeof reporter, .take = take, .flush = flush};
  static const tally_command command = {.struct_size = sizeof command, .run = run, .list = list};
  if (strcmp(id, TALLY_EXT_REPORTER) == 0) return &reporter;
  return strcmp(id, TALLY_EXT_COMMAND) == 0 ? &command : NULL;
}

#define FIXTURE_ID "org.tally.fixture.slow-reporter"
#define FIXTURE_KIND TALLY_KIND_REPORTER
#define FIXTURE_SCHEMA "{\"type\":\"object\",\"properties\":{\"milliseconds\":{\"type\":\"integer\",\"minimum\":0}}}"
#define FIXTURE_INSTANCE struct slow
#define FIXTURE_INIT init
#define FIXTURE_DISABLE disable
#define FIXTURE_EXTENSION(id) extension(id)
#include "../Shared/entry.h"
