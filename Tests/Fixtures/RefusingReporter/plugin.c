/* A reporter that takes half of what it is offered, nothing of a single output at its first offer, and checks that what
 * it gets is complete and in order: per run, instance and kind the ordinals of records and beacons rise by one, unless
 * a gap was announced. With {"ready": 1} it asks for the rest at once, otherwise the host's 100 ms must pass. The
 * counts are the answer to the command "counts", and a log line when it is disabled. */
#include <inttypes.h>
#include <stdio.h>

#include "../Shared/fixture.h"

#define STREAMS 64

struct stream {
  uint64_t key, ordinal;
};

struct refusing {
  struct fixture base;
  const tally_host_reporter *reporter;
  bool calls_ready, refused_one, gap;
  uint64_t offered, taken, disordered, since_flush;
  struct stream streams[STREAMS];
};

static tally_status init(const tally_plugin *self, tally_str config) {
  struct refusing *refusing = fixture_of(self);
  refusing->calls_ready = fixture_number(config, "ready", 0) != 0;
  refusing->reporter = refusing->base.host->get_extension(refusing->base.host, TALLY_EXT_HOST_REPORTER);
  return refusing->reporter ? TALLY_OK : TALLY_ERR_UNSUPPORTED;
}

static uint64_t hash(uint64_t seed, tally_str text) {
  for (size_t i = 0; i < text.len; i++) seed = (seed ^ (unsigned char)text.ptr[i]) * 1099511628211u;
  return seed * 31;
}

static void check_order(struct refusing *refusing, const tally_output *output) {
  if (output->what == TALLY_OUTPUT_GAP) refusing->gap = true;
  if (output->what != TALLY_OUTPUT_RECORD && output->what != TALLY_OUTPUT_BEACON) return;
  uint64_t key = hash(hash(output->what, output->origin->player_run_id), output->origin->instance) | 1;
  for (int i = 0; i < STREAMS; i++) {
    struct stream *stream = &refusing->streams[i];
    if (stream->key != 0 && stream->key != key) continue;
    bool known = stream->key == key, next = output->origin->ordinal == stream->ordinal + 1;
    bool later = output->origin->ordinal > stream->ordinal;
    if (known && !next && !(refusing->gap && later)) refusing->disordered++;
    *stream = (struct stream){.key = key, .ordinal = output->origin->ordinal};
    return;
  }
}

static int64_t take(const tally_plugin *self, const tally_output *const *items, uint64_t count) {
  struct refusing *refusing = fixture_of(self);
  uint64_t accepted = count / 2;
  if (count == 1) {
    accepted = refusing->refused_one ? 1 : 0;
    refusing->refused_one = !refusing->refused_one;
  }
  for (uint64_t i = 0; i < accepted; i++) check_order(refusing, items[i]);
  refusing->offered += count;
  refusing->taken += accepted;
  refusing->since_flush += accepted;
  if (refusing->calls_ready && accepted < count) refusing->reporter->ready(refusing->base.host);
  return (int64_t)accepted;
}

static void flush(
    const tally_plugin *self, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  struct refusing *refusing = fixture_of(self);
  (void)player_run_id, (void)session, (void)budget_ms;
  refusing->reporter->flushed(refusing->base.host, token, refusing->since_flush, 0, 0);
  refusing->since_flush = 0;
}

static size_t describe(const struct refusing *refusing, char *text, size_t size) {
  int length = snprintf(
      text, size, "{\"offered\":%" PRIu64 ",\"taken\":%" PRIu64 ",\"disordered\":%" PRIu64 "}", refusing->offered,
      refusing->taken, refusing->disordered);
  return length < 0 ? 0 : (size_t)length;
}

static tally_status run(const tally_plugin *self, tally_str name, tally_str arguments, int64_t now_us,
                        const tally_state *now, const tally_sink *answer) {
  char text[128];
  (void)arguments, (void)now_us, (void)now;
  if (name.len != 6 || memcmp(name.ptr, "counts", 6) != 0) return TALLY_ERR_NOT_FOUND;
  return answer->write(answer, text, describe(fixture_of(self), text, sizeof text));
}

static tally_str list(const tally_plugin *self) {
  (void)self;
  return fixture_str("[{\"name\":\"counts\",\"summary\":\"What it took.\",\"changes\":false}]");
}

static void disable(const tally_plugin *self) {
  const struct refusing *refusing = fixture_of(self);
  char text[128];
  size_t length = describe(refusing, text, sizeof text);
  refusing->base.host->log(refusing->base.host, TALLY_LOG_INFO, (tally_str){.ptr = text, .len = length});
}

static const void *extension(const char *id) {
  static const tally_reporter reporter = {.struct_size = sizeof reporter, .take = take, .flush = flush};
  static const tally_command command = {.struct_size = sizeof command, .run = run, .list = list};
  if (strcmp(id, TALLY_EXT_REPORTER) == 0) return &reporter;
  return strcmp(id, TALLY_EXT_COMMAND) == 0 ? &command : NULL;
}

#define FIXTURE_ID "org.tally.fixture.refusing-reporter"
#define FIXTURE_KIND TALLY_KIND_REPORTER
#define FIXTURE_SCHEMA "{\"type\":\"object\",\"properties\":{\"ready\":{\"type\":\"integer\"}}}"
#define FIXTURE_INSTANCE struct refusing
#define FIXTURE_INIT init
#define FIXTURE_DISABLE disable
#define FIXTURE_EXTENSION(id) extension(id)
#include "../Shared/entry.h"
