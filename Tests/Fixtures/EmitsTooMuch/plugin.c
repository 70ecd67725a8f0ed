/* Goes beyond each limit of what a tracker may say, once at session begin, and reports in a record "limits" which
 * status it got for each try. Each must be TALLY_ERR_TOO_LARGE but `invalid_kind`, an empty one. */
#include "../Shared/fixture.h"

#define ATTRIBUTES 201
#define TIMERS 10001
#define HEAP (1100 * 1024)

struct greedy {
  struct fixture base;
  struct block {
    tally_record header;
    tally_attr attrs[ATTRIBUTES];
    char heap[HEAP]; /* all 'x': kinds, names and texts at once */
  } block;
};

#define TEXTS ((uint32_t)offsetof(struct block, heap))

/* Emits a record of a kind of so many bytes, with the first attributes and the first bytes of the heap. */
static tally_status emit(struct greedy *greedy, uint32_t kind_length, uint32_t count, uint32_t heap) {
  greedy->block.header = (tally_record){
      .size = (TEXTS + heap + 7) & ~7u, .header_size = sizeof greedy->block.header, .kind_off = TEXTS,
      .kind_len = kind_length, .attr_off = offsetof(struct block, attrs), .attr_count = count};
  return greedy->base.emit->record(greedy->base.host, &greedy->block.header, NULL);
}

/* `count` texts of `length` bytes, one behind the other; the names differ in their length unless it is given. */
static void fill(struct greedy *greedy, uint32_t count, uint32_t length, uint16_t name) {
  for (uint32_t i = 0; i < count; i++)
    greedy->block.attrs[i] = (tally_attr){
        .key_off = TEXTS, .key_len = (uint16_t)(name ? name : i + 1), .type = TALLY_T_STRING, .len = length,
        .v.off = TEXTS + (uint64_t)i * length};
}

/* Lists in lists, `depth` of them, in the heap: each is an array of one attribute with an empty name. */
static void nest(struct greedy *greedy, uint32_t depth) {
  tally_attr *inner = (tally_attr *)(void *)greedy->block.heap;
  for (uint32_t i = 0; i < depth; i++)
    inner[i] = (tally_attr){
        .type = i + 1 < depth ? TALLY_T_LIST : TALLY_T_NULL, .len = i + 1 < depth,
        .v.off = i + 1 < depth ? TEXTS + (i + 1) * sizeof(tally_attr) : 0};
  greedy->block.attrs[0] = (tally_attr){
      .key_off = TEXTS + 4096, .key_len = 4, .type = TALLY_T_LIST, .len = 1, .v.off = TEXTS};
}

static tally_status beacon(struct greedy *greedy) {
  tally_beacon beacon = {
      .struct_size = sizeof beacon, .destination = fixture_str("fixture"), .method = fixture_str("POST"),
      .url = fixture_str("http://127.0.0.1/"), .body = {.ptr = greedy->block.heap, .len = 1024 * 1024 + 1}};
  return greedy->base.emit->beacon(greedy->base.host, &beacon);
}

static tally_status session_begin(const tally_plugin *self, const tally_event *snapshot) {
  struct greedy *greedy = fixture_of(self);
  const char *names[] = {"attributes", "record", "value",  "name",  "depth",
                         "beacon",     "kind",   "timers", "started", "invalid_kind"};
  int64_t got[10] = {0};
  memset(greedy->block.heap, 'x', HEAP);
  fill(greedy, ATTRIBUTES, 1, 0);
  got[0] = emit(greedy, 4, ATTRIBUTES, 256);
  fill(greedy, 6, 50 * 1024, 0);
  got[1] = emit(greedy, 5, 6, 300 * 1024);
  fill(greedy, 1, 64 * 1024 + 1, 1);
  got[2] = emit(greedy, 4, 1, 64 * 1024 + 1);
  fill(greedy, 1, 1, 256);
  got[3] = emit(greedy, 4, 1, 256);
  nest(greedy, 9);
  got[4] = emit(greedy, 4, 1, 8192);
  got[5] = beacon(greedy);
  got[6] = emit(greedy, 256, 0, 256);
  for (int i = 0; i < TIMERS && got[7] >= 0; i++) {
    uint64_t id = 0;
    got[7] = greedy->base.timer->start(
        greedy->base.host, snapshot->time_us + 3600000000, TALLY_TIMER_SESSION, &id);
    got[8] += got[7] >= 0;
  }
  got[9] = emit(greedy, 0, 0, 0);

  uint32_t used = 0;
  greedy->block.header = (tally_record){.header_size = sizeof greedy->block.header, .attr_count = 10};
  for (uint32_t i = 0; i < 10; i++) {
    uint16_t length = (uint16_t)strlen(names[i]);
    memcpy(greedy->block.heap + used, names[i], length);
    greedy->block.attrs[i] = (tally_attr){
        .key_off = TEXTS + used, .key_len = length, .type = TALLY_T_INT, .v.i = got[i]};
    used += length;
  }
  memcpy(greedy->block.heap + used, "limits", 6);
  greedy->block.header.kind_off = TEXTS + used;
  greedy->block.header.kind_len = 6;
  greedy->block.header.attr_off = offsetof(struct block, attrs);
  greedy->block.header.size = (TEXTS + used + 6 + 7) & ~7u;
  return greedy->base.emit->record(greedy->base.host, &greedy->block.header, NULL);
}

#define FIXTURE_ID "org.tally.fixture.emits-too-much"
#define FIXTURE_INSTANCE struct greedy
#define FIXTURE_SESSION_BEGIN session_begin
#include "../Shared/entry.h"
