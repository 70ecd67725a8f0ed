/* A reporter that declares nothing of the machine. {"kind": 1} says what it does wrong when it has taken {"after": 10}
 * outputs, once, or with {"again": 1} in each process that goes on for it. As it is enabled it tries what it has not
 * declared, and logs "NAME refused" or "NAME done" of each. What it took is the answer to the command "counts". */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../Shared/fixture.h"

enum kind { nothing, segfault, hang, garbage, leave, fill_memory, segfault_in_init, segfault_in_flush, refuse_in_init };

struct hostile {
  struct fixture base;
  const tally_host_reporter *reporter;
  enum kind kind;
  uint64_t after, taken, lost;
};

static int early_file, early_network;

static int opens(const char *path, int flags) {
  int descriptor = open(path, flags, 0600);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

static int reaches(int family) {
  int descriptor = socket(family, SOCK_STREAM, 0);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

static int forks(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child > 0;
}

static void *return_at_once(void *data) { return data; }

static int begins_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, return_at_once, NULL) != 0) return 0;
  pthread_join(thread, NULL);
  return 1;
}

static int writes_outputs(void) {
  char byte = 0;
  return pwrite(4, &byte, 1, 0) == 1 || mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, 4, 0) != MAP_FAILED;
}

__attribute__((constructor)) static void construct(void) {
  early_file = opens("/etc/passwd", O_RDONLY);
  early_network = reaches(AF_INET);
}

static void say(const struct hostile *self, const char *name, int is_done) {
  char text[64];
  int length = snprintf(text, sizeof text, "%s %s", name, is_done ? "done" : "refused");
  self->base.host->log(self->base.host, TALLY_LOG_INFO, (tally_str){.ptr = text, .len = (size_t)length});
}

static tally_status init(const tally_plugin *plugin, tally_str config) {
  struct hostile *self = fixture_of(plugin);
  self->reporter = self->base.host->get_extension(self->base.host, TALLY_EXT_HOST_REPORTER);
  if (!self->reporter) return TALLY_ERR_UNSUPPORTED;
  self->kind = (enum kind)fixture_number(config, "kind", nothing);
  self->after = (uint64_t)fixture_number(config, "after", 10);
  int goes_on = (self->reporter->flags & TALLY_HOST_GOES_ON) != 0;
  if (goes_on && fixture_number(config, "again", 0) == 0) self->kind = nothing;
  if (self->kind == segfault_in_init) raise(SIGSEGV);
  if (self->kind != refuse_in_init) return TALLY_OK;
  self->base.host->set_error(self->base.host, TALLY_ERR_CONFIG, fixture_str("kind: must be another"));
  return TALLY_ERR_CONFIG;
}

static tally_status enable(const tally_plugin *plugin) {
  struct hostile *self = fixture_of(plugin);
  say(self, "early file", early_file);
  say(self, "early network", early_network);
  say(self, "file", opens("/etc/passwd", O_RDONLY));
  say(self, "new file", opens("/tmp", O_TMPFILE | O_WRONLY));
  say(self, "network", reaches(AF_INET) || reaches(AF_INET6));
  say(self, "socket", reaches(AF_UNIX));
  say(self, "process", forks());
  say(self, "thread", begins_thread());
  say(self, "signal", kill(getppid(), 0) == 0);
  say(self, "outputs", writes_outputs());
  return TALLY_OK;
}

static void act(struct hostile *self) {
  switch (self->kind) {
    case segfault: *(volatile int *)16 = 1; break;
    case hang: for (;;) pause();
    case garbage:
      for (int i = 0; i < 64; i++) {
        if (write(3, "this is no word of a reporter's process, and never was one......", 64) != 64) break;
      }
      for (;;) pause();
    case leave: _exit(3);
    case fill_memory:
      for (;;) {
        char *memory = malloc(1 << 20);
        if (!memory) abort();
        memset(memory, 1, 1 << 20);
      }
    default: break;
  }
}

static int64_t take(const tally_plugin *plugin, const tally_output *const *items, uint64_t count) {
  struct hostile *self = fixture_of(plugin);
  for (uint64_t i = 0; i < count; i++) {
    if (items[i]->what == TALLY_OUTPUT_GAP) self->lost += *(const uint64_t *)items[i]->item;
    if (++self->taken > self->after) act(self);
  }
  return (int64_t)count;
}

static void flush(
    const tally_plugin *plugin, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  struct hostile *self = fixture_of(plugin);
  (void)player_run_id, (void)session, (void)budget_ms;
  if (self->kind == segfault_in_flush) raise(SIGSEGV);
  self->reporter->flushed(self->base.host, token, UINT64_MAX, UINT64_MAX, UINT64_MAX);
}

static tally_status run(const tally_plugin *plugin, tally_str name, tally_str arguments, int64_t now_us,
                        const tally_state *now, const tally_sink *answer) {
  const struct hostile *self = fixture_of(plugin);
  char text[128];
  (void)name, (void)arguments, (void)now_us, (void)now;
  int length =
      snprintf(text, sizeof text, "{\"taken\":%" PRIu64 ",\"lost\":%" PRIu64 "}", self->taken, self->lost);
  return answer->write(answer, text, (size_t)length);
}

static tally_str list(const tally_plugin *self) {
  (void)self;
  return fixture_str("[{\"name\":\"counts\",\"summary\":\"What it took.\",\"changes\":false}]");
}

static const void *extension(const char *id) {
  static const tally_reporter reporter = {.struct_size = sizeof reporter, .take = take, .flush = flush};
  static const tally_command command = {.struct_size = sizeof command, .run = run, .list = list};
  if (strcmp(id, TALLY_EXT_REPORTER) == 0) return &reporter;
  return strcmp(id, TALLY_EXT_COMMAND) == 0 ? &command : NULL;
}

#define FIXTURE_ID "org.tally.fixture.hostile-reporter"
#define FIXTURE_KIND TALLY_KIND_REPORTER
#define FIXTURE_INSTANCE struct hostile
#define FIXTURE_INIT init
#define FIXTURE_ENABLE enable
#define FIXTURE_EXTENSION(id) extension(id)
#include "../Shared/entry.h"
