/* What a tracker could do to others with what it says: the member `do` of its configuration is its number. It does so
 * when a session begins, or at each play, and tells in a record "told" which status it got for each try. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../Shared/fixture.h"

enum what { TEXTS = 1, REFUSED = 2, THREAD = 3, LEFT_BEHIND = 4, FLOOD = 5, FORK = 6, HANG = 7 };

struct block {
  tally_record header;
  tally_attr attrs[202];
  char heap[2048];
};

struct neighbour {
  struct fixture base;
  const tally_store *store;
  int64_t what, records, pipe;
  struct block block;
  uint32_t used, count;
  int64_t got[8];
  pthread_t thread;
};

/* The thread of the last instance that left one behind, and how far it is. */
static pthread_t left_behind;
static atomic_int stage;

#define HEAP ((uint32_t)offsetof(struct block, heap))

/* Puts text into the block; its offset. */
static uint32_t keep(struct neighbour *self, const char *text, size_t length) {
  uint32_t place = HEAP + self->used;
  memcpy(self->block.heap + self->used, text, length);
  self->used += (uint32_t)length;
  return place;
}

static void begin(struct neighbour *self) { self->used = self->count = 0; }

static tally_attr *add(struct neighbour *self, const char *name, uint8_t type) {
  tally_attr *attr = &self->block.attrs[self->count++];
  *attr = (tally_attr){.key_off = keep(self, name, strlen(name)), .key_len = (uint16_t)strlen(name), .type = type};
  return attr;
}

static void add_text(struct neighbour *self, const char *name, const char *text, size_t length, uint8_t type) {
  tally_attr *attr = add(self, name, type);
  attr->len = (uint32_t)length;
  attr->v.off = keep(self, text, length);
}

static void add_int(struct neighbour *self, const char *name, int64_t value) {
  add(self, name, TALLY_T_INT)->v.i = value;
}

static tally_status emit(struct neighbour *self, const char *kind) {
  uint32_t length = (uint32_t)strlen(kind);
  self->block.header = (tally_record){
      .header_size = sizeof self->block.header, .kind_off = keep(self, kind, length), .kind_len = length,
      .attr_off = offsetof(struct block, attrs), .attr_count = self->count};
  self->block.header.size = (HEAP + self->used + 7) & ~7u;
  return self->base.emit->record(self->base.host, &self->block.header, NULL);
}

static tally_beacon beacon_to(const char *destination, const char *url) {
  return (tally_beacon){
      .struct_size = sizeof(tally_beacon), .destination = fixture_str(destination), .method = fixture_str("POST"),
      .url = fixture_str(url)};
}

/* ---- what it does --------------------------------------------------------------------------------------------- */

static void say_texts(struct neighbour *self) {
  begin(self);
  /* The list's two elements lie in front of all texts, at a multiple of 8. */
  tally_attr *elements = (tally_attr *)(void *)self->block.heap;
  self->used = 2 * sizeof *elements;
  add_text(self, "plain", "caf\xc3\xa9", 5, TALLY_T_STRING);
  add_text(self, "na\xffme", "a\xe2\x82z\xf0\x9f\x98\x80", 8, TALLY_T_STRING);
  add_text(self, "nul", "a\0b", 3, TALLY_T_STRING);
  add_text(self, "bytes", "\xff\xfe", 2, TALLY_T_BYTES);
  tally_attr *list = add(self, "list", TALLY_T_LIST);
  list->len = 2;
  list->v.off = HEAP;
  elements[0] = (tally_attr){.type = TALLY_T_STRING, .len = 2, .v.off = keep(self, "\xc3(", 2)};
  elements[1] = (tally_attr){.type = TALLY_T_INT, .v.i = -1};
  emit(self, "ki\x80nd");
  tally_header headers[] = {{fixture_str("X-N\xe9"), fixture_str("v\xed\xa0\x80")}};
  tally_patch patches[] = {{TALLY_PART_URL, TALLY_PATCH_ATTEMPT, 16, 1}};
  tally_beacon beacon = beacon_to("de\xc0st", "http://h/\xe9\xff?try=0#\xfe");
  beacon.method = fixture_str("P\xffUT");
  beacon.body = fixture_str("\xff");
  beacon.headers = headers;
  beacon.header_count = 1;
  beacon.patches = patches;
  beacon.patch_count = 1;
  self->base.emit->beacon(self->base.host, &beacon);
  self->base.emit->player_error(
      self->base.host, fixture_str("co\xff"), fixture_str("mes\xfe"), fixture_str("fine"));
  self->base.host->log(self->base.host, TALLY_LOG_INFO, fixture_str("li\xffne"));
}

static void be_refused(struct neighbour *self) {
  for (int again = 0; again < 2; again++) {
    begin(self);
    for (int i = 0; i < 201; i++) {
      char name[8];
      snprintf(name, sizeof name, "a%d", i);
      add_int(self, name, i);
    }
    self->got[0] = emit(self, "many");
  }
  tally_beacon beacon = beacon_to("there", "http://h/\r\nHost: other");
  self->got[1] = self->base.emit->beacon(self->base.host, &beacon);
  beacon.url = (tally_str){"http://h/\0", 10};
  self->got[2] = self->base.emit->beacon(self->base.host, &beacon);
  uint64_t id;
  self->got[3] = self->base.timer->start(self->base.host, 0, 9, &id);
  self->got[4] = self->store->put(self->base.host, fixture_str("unlisted"), fixture_str("x"));
}

static void *come_from_elsewhere(void *argument) {
  struct neighbour *self = argument;
  const tally_host *host = self->base.host;
  begin(self);
  self->got[0] = emit(self, "foreign");
  tally_beacon beacon = beacon_to("foreign", "http://h/");
  self->got[1] = self->base.emit->beacon(host, &beacon);
  uint64_t id = 0;
  self->got[2] = self->base.timer->start(host, 1000, TALLY_TIMER_SESSION, &id);
  self->got[3] = self->store->put(host, fixture_str("listed"), fixture_str("x"));
  self->got[4] = self->base.emit->player_error(host, fixture_str("a"), fixture_str("b"), fixture_str("c"));
  self->got[5] = (int64_t)self->base.random->next_u64(host);
  host->set_error(host, TALLY_ERR_INTERNAL, fixture_str("foreign error"));
  host->log(host, TALLY_LOG_INFO, fixture_str("a foreign line"));
  return NULL;
}

static void *stay(void *argument) {
  const tally_host *host = ((struct neighbour *)argument)->base.host;
  const tally_emit *emit = ((struct neighbour *)argument)->base.emit;
  tally_beacon beacon = beacon_to("late", "http://h/");
  atomic_store(&stage, 1);
  /* Some of these come while the core is in a call, some behind the tracker's end. */
  for (int behind = 0; behind < 100000; behind += atomic_load(&stage) == 2) {
    emit->beacon(host, &beacon);
    host->log(host, TALLY_LOG_DEBUG, fixture_str("still there"));
  }
  return NULL;
}

static void flood(struct neighbour *self) {
  struct {
    tally_record header;
    tally_attr attr;
    char texts[16];
  } small = {.texts = "floodtext"};
  uint32_t texts = sizeof small - sizeof small.texts;
  small.attr = (tally_attr){.key_off = texts + 5, .key_len = 4, .type = TALLY_T_INT};
  small.header = (tally_record){
      .size = sizeof small, .header_size = sizeof small.header, .kind_off = texts, .kind_len = 5,
      .attr_off = sizeof small.header, .attr_count = 1};
  for (int64_t i = 0; i < self->records; i++) {
    small.attr.v.i = i;
    tally_status status = self->base.emit->record(self->base.host, &small.header, NULL);
    if (status < 0) self->got[1] = status;
    else self->got[0]++;
  }
}

/* How many of the descriptors of this process are archives of tests that are written. */
static int archives(void) {
  int count = 0;
  for (int descriptor = 3; descriptor < 1024; descriptor++) {
    char link[64], path[256] = {0};
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) continue;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    /* What other tests write meanwhile lies in folders. */
    const char *name = readlink(link, path, sizeof path - 1) > 0 ? strstr(path, "/tally-test-") : NULL;
    if (name != NULL && strchr(name + 1, '/') == NULL) count++;
  }
  return count;
}

static tally_status fork_and_return(struct neighbour *self) {
  begin(self);
  int before = archives();
  pid_t child = fork();
  if (child == 0) {
    /* So that a copy that goes on as the process ends some time. */
    alarm(20);
    int left = archives();
    if (emit(self, "copy") != TALLY_ERR_STATE || left != 0) _exit(9);
    return TALLY_OK;
  }
  int status = -1;
  waitpid(child, &status, 0);
  add_int(self, "archives", before > 0);
  add_int(self, "child", status);
  emit(self, "forked");
  return TALLY_OK;
}

static tally_status session_begin(const tally_plugin *plugin, const tally_event *snapshot) {
  struct neighbour *self = fixture_of(plugin);
  (void)snapshot;
  memset(self->got, 0, sizeof self->got);
  switch (self->what) {
  case TEXTS: say_texts(self); break;
  case REFUSED: be_refused(self); break;
  case THREAD:
    if (pthread_create(&self->thread, NULL, come_from_elsewhere, self) == 0) pthread_join(self->thread, NULL);
    break;
  case LEFT_BEHIND:
    atomic_store(&stage, 0);
    if (pthread_create(&left_behind, NULL, stay, self) != 0) return TALLY_ERR_INTERNAL;
    while (atomic_load(&stage) == 0) usleep(100);
    break;
  case FORK: return fork_and_return(self);
  default: break;
  }
  const char *names[] = {"s0", "s1", "s2", "s3", "s4", "s5"};
  begin(self);
  for (int i = 0; i < 6; i++) add_int(self, names[i], self->got[i]);
  return emit(self, "told");
}

static tally_status on_event(const tally_plugin *plugin, const tally_event *event) {
  struct neighbour *self = fixture_of(plugin);
  if (event->type != TALLY_EVENT_TYPE_PLAY) return TALLY_OK;
  if (self->what == FLOOD) flood(self);
  char byte;
  /* Until the test writes into its end of a pipe. */
  if (self->what == HANG && read((int)self->pipe, &byte, 1) != 1) return TALLY_ERR_INTERNAL;
  return TALLY_OK;
}

static void session_end(const tally_plugin *plugin, uint32_t reason, int64_t now_us, const tally_state *now) {
  struct neighbour *self = fixture_of(plugin);
  (void)reason, (void)now_us, (void)now;
  if (self->what != FLOOD) return;
  begin(self);
  add_int(self, "taken", self->got[0]);
  add_int(self, "status", self->got[1]);
  emit(self, "flooded");
}

static tally_status initialize(const tally_plugin *plugin, tally_str config) {
  struct neighbour *self = fixture_of(plugin);
  self->what = fixture_number(config, "do", 0);
  self->records = fixture_number(config, "records", 0);
  self->pipe = fixture_number(config, "pipe", -1);
  self->store = self->base.host->get_extension(self->base.host, TALLY_EXT_STORE);
  return fixture_init(plugin, config);
}

/* The memory stays where a thread still reads it; the test waits for the thread with the command "join". */
static void destroy(const tally_plugin *plugin) {
  struct neighbour *self = fixture_of(plugin);
  if (self->what == LEFT_BEHIND) atomic_store(&stage, 2);
  else free(self);
}

static tally_status run(
    const tally_plugin *plugin, tally_str name, tally_str arguments, int64_t now_us, const tally_state *now,
    const tally_sink *answer) {
  (void)plugin, (void)arguments, (void)now_us, (void)now, (void)answer;
  if (name.len != 4 || memcmp(name.ptr, "join", 4) != 0) return TALLY_ERR_NOT_FOUND;
  return pthread_join(left_behind, NULL) == 0 ? TALLY_OK : TALLY_ERR_STATE;
}

static tally_str list(const tally_plugin *plugin) {
  return (void)plugin, fixture_str("[{\"name\":\"join\",\"summary\":\"Waits for a thread.\",\"changes\":false}]");
}

static const void *extension(const char *id) {
  static const tally_command command = {.struct_size = sizeof command, .run = run, .list = list};
  return strcmp(id, TALLY_EXT_COMMAND) == 0 ? &command : NULL;
}

static const char *const keys[] = {"listed", NULL};

#define FIXTURE_ID "org.tally.fixture.bad-neighbour"
#define FIXTURE_INSTANCE struct neighbour
#define FIXTURE_INIT initialize
#define FIXTURE_SESSION_BEGIN session_begin
#define FIXTURE_ON_EVENT on_event
#define FIXTURE_SESSION_END session_end
#define FIXTURE_STORE_KEYS keys
#define FIXTURE_EXTENSION(id) extension(id)
#define fixture_destroy destroy
#include "../Shared/entry.h"
