/* Goes beyond each limit of what a tracker may say, once at session begin, and reports in a record "limits" which
 * status it got for each try. Each must be TALLY_ERR_TOO_LARGE but `invalid_kind`, an empty one. */
#include "../Shared/fixture.h"

#define ATTRIBUTES 201
#define TIMERS 10001
#define HEAP (1100 * 1024)

struct greedy {
  struct fixture base;
  tally_attr attrs[ATTRIBUTES];
  char heap[HEAP]; /* all 'x': names and texts at once */
  char report[1024];
};

static tally_status emit(struct greedy *greedy, const char *kind, size_t kind_length, uint64_t count, uint64_t heap) {
  tally_record record = {
      .struct_size = sizeof record, .kind = {.ptr = kind, .len = kind_length}, .attrs = greedy->attrs,
      .attr_count = count, .heap = greedy->heap, .heap_len = heap};
  return greedy->base.emit->record(greedy->base.host, &record, NULL);
}

/* `count` texts of `length` bytes, one behind the other; the names differ in their length unless it is given. */
static void fill(struct greedy *greedy, uint32_t count, uint32_t length, uint16_t name) {
  for (uint32_t i = 0; i < count; i++)
    greedy->attrs[i] = (tally_attr){
        .key_len = (uint16_t)(name ? name : i + 1), .type = TALLY_T_STRING, .len = length,
        .v.off = (uint64_t)i * length};
}

/* Lists in lists, `depth` of them, in the heap: each is an array of one attribute with an empty name. */
static void nest(struct greedy *greedy, uint32_t depth) {
  tally_attr *inner = (tally_attr *)(void *)greedy->heap;
  for (uint32_t i = 0; i < depth; i++)
    inner[i] = (tally_attr){
        .type = i + 1 < depth ? TALLY_T_LIST : TALLY_T_NULL, .len = i + 1 < depth,
        .v.off = i + 1 < depth ? (i + 1) * sizeof(tally_attr) : 0};
  greedy->attrs[0] = (tally_attr){.key_off = 4096, .key_len = 4, .type = TALLY_T_LIST, .len = 1, .v.off = 0};
}

static tally_status beacon(struct greedy *greedy) {
  tally_beacon beacon = {
      .struct_size = sizeof beacon, .destination = fixture_str("fixture"), .method = fixture_str("POST"),
      .url = fixture_str("http://127.0.0.1/"), .body = {.ptr = greedy->heap, .len = 1024 * 1024 + 1}};
  return greedy->base.emit->beacon(greedy->base.host, &beacon);
}

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct greedy *greedy = fixture_of(self);
  const char *names[] = {"attributes", "record", "value",  "name",  "depth",
                         "beacon",     "kind",   "timers", "started", "invalid_kind"};
  int64_t got[10] = {0};
  memset(greedy->heap, 'x', HEAP);
  fill(greedy, ATTRIBUTES, 1, 0);
  got[0] = emit(greedy, "many", 4, ATTRIBUTES, 256);
  fill(greedy, 6, 50 * 1024, 0);
  got[1] = emit(greedy, "large", 5, 6, 300 * 1024);
  fill(greedy, 1, 64 * 1024 + 1, 1);
  got[2] = emit(greedy, "long", 4, 1, 64 * 1024 + 1);
  fill(greedy, 1, 1, 256);
  got[3] = emit(greedy, "name", 4, 1, 256);
  nest(greedy, 9);
  got[4] = emit(greedy, "deep", 4, 1, 8192);
  got[5] = beacon(greedy);
  got[6] = emit(greedy, greedy->heap + 8192, 256, 0, 0);
  for (int i = 0; i < TIMERS && got[7] >= 0; i++) {
    uint64_t id = 0;
    got[7] = greedy->base.timer->start(
        greedy->base.host, snapshot->time_us + 3600000000, TALLY_TIMER_SESSION, &id);
    got[8] += got[7] >= 0;
  }
  got[9] = emit(greedy, "", 0, 0, 0);

  uint32_t used = 0;
  for (uint32_t i = 0; i < 10; i++) {
    uint16_t length = (uint16_t)strlen(names[i]);
    memcpy(greedy->report + used, names[i], length);
    greedy->attrs[i] = (tally_attr){.key_off = used, .key_len = length, .type = TALLY_T_INT, .v.i = got[i]};
    used += length;
  }
  tally_record record = {
      .struct_size = sizeof record, .kind = fixture_str("limits"), .attrs = greedy->attrs, .attr_count = 10,
      .heap = greedy->report, .heap_len = used};
  return greedy->base.emit->record(greedy->base.host, &record, NULL);
}

#define FIXTURE_ID "org.tally.fixture.emits-too-much"
#define FIXTURE_INSTANCE struct greedy
#define FIXTURE_SESSION_BEGIN session_begin
#include "../Shared/entry.h"
