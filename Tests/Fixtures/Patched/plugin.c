/* A tracker that counts events and says its count; what it does wrong or in another way stands in `mode`, which a test
 * writes into a copy of the file. So one file is a whole family of good and bad ones.
 *
 * {"step": n} is what an event adds; 0 is refused. {"gate": "PATH"}, in the mode `gated`: it makes the file PATH at its
 * first event, and goes on when somebody has removed it. Commands: `count` asks, `add` {"n": k} adds and says so.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tally_blocks.h"
#include "../Shared/fixture.h"

#define MARK "TALLY-FIXTURE-MODE:"
/* Read through a volatile pointer, so that the compiler does not take it for what it is at build time. */
static const char text[sizeof MARK + 32] = MARK "good";
static const char *volatile mode_text = text;

static int is(const char *mode) { return strcmp(mode_text + sizeof MARK - 1, mode) == 0; }

struct counter {
  struct fixture base;
  int64_t count, step;
  char gate[256];
};

/* Whether the mode is HOW-WHEN. */
static int dies(const char *how, const char *when) {
  char mode[32];
  snprintf(mode, sizeof mode, "%s-%s", how, when);
  return is(mode);
}

__attribute__((noinline)) static int fill_stack(const volatile char *above) {
  volatile char more[1024];
  if (above[0] == 1) return 0;
  more[0] = above[0];
  return fill_stack(more) + more[0];
}

static void die(const char *when) {
  /* Not a bad address: sanitizers make an exit of that. */
  if (dies("crash", when)) __builtin_trap();
  while (dies("hang", when)) pause();
  if (dies("exit", when)) exit(3);
  if (dies("leave", when)) _exit(0);
  if (dies("vanish", when) || (dies("told", when) && getenv("TALLY_FIXTURE_VANISHES"))) syscall(SYS_exit_group, 0);
  if (dies("address", when)) *(volatile char *)0xBAD0 = 1;
  if (dies("abort", when)) abort();
  if (dies("stack", when)) fill_stack(text);
}

/* Whether this is the process in which hosts try files. */
static int is_tried(void) {
  char name[32] = "";
  FILE *file = fopen("/proc/self/comm", "r");
  if (file != NULL) {
    if (fgets(name, sizeof name, file) == NULL) name[0] = 0;
    fclose(file);
  }
  return strncmp(name, "tally-probe", 11) == 0;
}

__attribute__((constructor)) static void loaded(void) {
  die("load");
  if (!is_tried()) die("host");
}

static tally_status fail(struct counter *counter, const char *why) {
  counter->base.host->set_error(counter->base.host, TALLY_ERR_INTERNAL, fixture_str(why));
  return TALLY_ERR_INTERNAL;
}

static void say(struct counter *counter, const char *kind) {
  struct tally_draft draft = tally_draft_begin(kind);
  tally_draft_int(&draft, "count", counter->count);
  counter->base.emit->record(counter->base.host, tally_draft_end(&draft), NULL);
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct counter *counter = fixture_of(self);
  fixture_init(self, config);
  counter->step = fixture_number(config, "step", 1);
  const char *gate = config.ptr == NULL ? NULL : memmem(config.ptr, config.len, "\"gate\":\"", 8);
  if (gate != NULL) sscanf(gate + 8, "%255[^\"]", counter->gate);
  return is("fail-init") ? fail(counter, "told to refuse in init") : TALLY_OK;
}

static tally_status enable(const tally_plugin *self) {
  struct counter *counter = fixture_of(self);
  if (is("loud")) say(counter, "enabled");
  return is("fail-enable") ? fail(counter, "told to refuse in enable") : TALLY_OK;
}

static tally_status begin(const tally_plugin *self, const tally_event *snapshot) {
  (void)snapshot;
  say(fixture_of(self), is("other") ? "opened" : "begin");
  return TALLY_OK;
}

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct counter *counter = fixture_of(self);
  if (event->type == TALLY_EVENT_TYPE_CUSTOM) die("event");
  if (counter->count == 0 && is("gated")) {
    fclose(fopen(counter->gate, "w"));
    while (access(counter->gate, F_OK) == 0) usleep(1000);
  }
  counter->count += counter->step;
  say(counter, "event");
  return TALLY_OK;
}

static void end(const tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now) {
  (void)now_us, (void)now;
  say(fixture_of(self), reason == TALLY_END_REPLACE ? "end-replace" : "end");
}

/* ---- at run time ----------------------------------------------------------------------------------------------- */

static tally_status configure(const tally_plugin *self, tally_str config, int64_t now_us, const tally_state *now) {
  struct counter *counter = fixture_of(self);
  int64_t step = fixture_number(config, "step", 1);
  (void)now_us, (void)now;
  if (step == 0) return fail(counter, "a step of 0 counts nothing");
  counter->step = step;
  return TALLY_OK;
}

static tally_status run(const tally_plugin *self, tally_str name, tally_str arguments, int64_t now_us,
                        const tally_state *now, const tally_sink *answer) {
  struct counter *counter = fixture_of(self);
  char buffer[48];
  (void)now_us, (void)now;
  if (name.len == 3 && memcmp(name.ptr, "add", 3) == 0) {
    counter->count += fixture_number(arguments, "n", 0);
    say(counter, "added");
  } else if (name.len != 5 || memcmp(name.ptr, "count", 5) != 0) {
    return TALLY_ERR_NOT_FOUND;
  }
  int length = snprintf(buffer, sizeof buffer, "{\"count\":%lld}", (long long)counter->count);
  return answer->write(answer, buffer, (size_t)length);
}

static tally_str list(const tally_plugin *self) {
  (void)self;
  return fixture_str("[{\"name\":\"count\",\"summary\":\"The count.\",\"changes\":false},"
                     "{\"name\":\"add\",\"summary\":\"Adds n.\",\"changes\":true}]");
}

static const void *extension(const char *id) {
  static const tally_configure configuring = {
      .struct_size = sizeof configuring, .configure = configure};
  static const tally_command commands = {.struct_size = sizeof commands, .run = run, .list = list};
  if (strcmp(id, TALLY_EXT_CONFIGURE) == 0) return &configuring;
  if (strcmp(id, TALLY_EXT_COMMAND) == 0) return &commands;
  return NULL;
}

#define FIXTURE_ID "org.tally.fixture.patched"
#define FIXTURE_INSTANCE struct counter
#define FIXTURE_INIT init
#define FIXTURE_ENABLE enable
#define FIXTURE_SESSION_BEGIN begin
#define FIXTURE_ON_EVENT on_event
#define FIXTURE_SESSION_END end
#define FIXTURE_EXTENSION(id) extension(id)
#define tally_plugin_entry_v1 entry_of_fixture
#include "../Shared/entry.h"
#undef tally_plugin_entry_v1

static const tally_plugin *create_or_not(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *about) {
  return is("fail-create") ? NULL : create(self, host, plugin_id, about);
}

TALLY_EXPORT const tally_entry *tally_plugin_entry_v1(void) {
  static tally_entry entry;
  die("entry");
  entry = *entry_of_fixture();
  entry.create = create_or_not;
  return &entry;
}
