/* What is said is wrong, too much, or at the wrong time. */
#include "hostile.h"

#include <stdio.h>

#define UNUSED (void)tracker, (void)call

/* A record with room for one attribute and some text. */
struct block {
  tally_record header;
  tally_attr attr;
  char text[64];
};

static struct block whole(void) {
  struct block block = {
      .header = {.size = sizeof block, .header_size = sizeof(tally_record), .kind_off = offsetof(struct block, text),
                 .kind_len = 4, .attr_off = offsetof(struct block, attr), .attr_count = 1},
      .attr = {.key_off = offsetof(struct block, text) + 4, .key_len = 3, .type = TALLY_T_STRING, .len = 5,
               .v.off = offsetof(struct block, text) + 8},
      .text = "kindkey value"};
  return block;
}

static tally_status emit(struct hostile *tracker, const struct block *block) {
  tracker->base.emit->record(tracker->base.host, &block->header, NULL);
  return TALLY_OK;
}

static tally_status huge(struct hostile *tracker, const struct call *call) {
  (void)call;
  uint32_t size = 100 << 20;
  struct block *block = calloc(1, size);
  if (block == NULL) return TALLY_OK;
  *block = whole();
  block->header.size = size;
  block->attr.len = size - 1024;
  emit(tracker, block);
  free(block);
  return TALLY_OK;
}

/* Each offset and length in turn lies outside. */
static tally_status outside(struct hostile *tracker, const struct call *call) {
  (void)call;
  const uint32_t far[] = {0x10000, 0x7fffffff, 0xffffffff, 0xfffffff8};
  for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
    for (int member = 0; member < 8; member++) {
      struct block block = whole();
      switch (member) {
        case 0: block.header.kind_off = far[i]; break;
        case 1: block.header.kind_len = far[i]; break;
        case 2: block.header.attr_off = far[i]; break;
        case 3: block.header.attr_count = far[i]; break;
        case 4: block.attr.key_off = far[i]; break;
        case 5: block.attr.len = far[i]; break;
        case 6: block.attr.v.off = (uint64_t)far[i] << 32 | far[i]; break;
        default: block.header.header_size = far[i];
      }
      emit(tracker, &block);
    }
  return TALLY_OK;
}

/* Kind, name, value and the attributes themselves lie upon each other, and a list is its own member. */
static tally_status overlapping(struct hostile *tracker, const struct call *call) {
  (void)call;
  struct block block = whole();
  block.header.kind_off = block.attr.key_off = (uint32_t)offsetof(struct block, text);
  block.attr.v.off = 0;
  block.attr.len = sizeof block;
  emit(tracker, &block);
  block = whole();
  block.attr.type = TALLY_T_LIST;
  block.attr.len = 1;
  block.attr.v.off = offsetof(struct block, attr);
  block.attr.key_len = 0;
  emit(tracker, &block);
  block = whole();
  block.header.attr_off = 4;
  return emit(tracker, &block);
}

static tally_status invalid_text(struct hostile *tracker, const struct call *call) {
  (void)call;
  struct block block = whole();
  memcpy(block.text, "k\xff\xfe" "dk\xc3(\xed\xa0\x80\xf0\x9f", 13);
  return emit(tracker, &block);
}

static tally_status nul_text(struct hostile *tracker, const struct call *call) {
  (void)call;
  struct block block = whole();
  memcpy(block.text, "k\0nd\0\n\x1b\0[2J\"", 13);
  return emit(tracker, &block);
}

static tally_status flood(struct hostile *tracker, const struct call *call) {
  (void)call;
  for (int i = 0; i < 200000; i++) say(tracker, "flood", i);
  return TALLY_OK;
}

static tally_beacon request(const char *url) {
  return (tally_beacon){
      .struct_size = sizeof(tally_beacon), .destination = fixture_str("fixture"), .method = fixture_str("POST"),
      .url = fixture_str(url), .body = fixture_str("{}")};
}

static tally_status beacon_flood(struct hostile *tracker, const struct call *call) {
  (void)call;
  tally_beacon beacon = request("http://127.0.0.1:1/");
  for (int i = 0; i < 20000; i++) tracker->base.emit->beacon(tracker->base.host, &beacon);
  return TALLY_OK;
}

/* Texts that break out of a request, and patches that lie outside of it. */
static tally_status bad_beacon(struct hostile *tracker, const struct call *call) {
  (void)call;
  tally_header header = {.name = fixture_str("X\r\nY: z\r\n\r\n"), .value = fixture_str("\xff\n")};
  tally_patch patch = {.part = 7, .kind = 99, .off = UINT64_MAX, .width = UINT64_MAX};
  tally_beacon beacon = request("\xff\xfe http://\n\r");
  beacon.method = fixture_str("GET / HTTP/1.1\r\n\r\nX");
  beacon.headers = &header;
  beacon.header_count = 1;
  tracker->base.emit->beacon(tracker->base.host, &beacon);
  beacon.header_count = 0;
  beacon.patches = &patch;
  beacon.patch_count = 1;
  tracker->base.emit->beacon(tracker->base.host, &beacon);
  beacon = request("http://127.0.0.1:1/");
  beacon.body.len = (size_t)1 << 40;
  tracker->base.emit->beacon(tracker->base.host, &beacon);
  return TALLY_OK;
}

/* Lengths without what they are the length of. */
static tally_status null_text(struct hostile *tracker, const struct call *call) {
  (void)call;
  tally_beacon beacon = request("http://127.0.0.1:1/");
  beacon.body = (tally_str){.ptr = NULL, .len = 10};
  tracker->base.emit->beacon(tracker->base.host, &beacon);
  beacon = request("http://127.0.0.1:1/");
  beacon.header_count = 3;
  tracker->base.emit->beacon(tracker->base.host, &beacon);
  tracker->base.host->log(tracker->base.host, 99, (tally_str){.ptr = NULL, .len = 10});
  return TALLY_OK;
}

static tally_status null_record(struct hostile *tracker, const struct call *call) {
  (void)call;
  const tally_record *volatile nothing = NULL;
  tracker->base.emit->record(tracker->base.host, nothing, NULL);
  return TALLY_OK;
}

static tally_status fail(struct hostile *tracker, const struct call *call) {
  (void)call;
  tracker->base.host->set_error(tracker->base.host, TALLY_ERR_INTERNAL, fixture_str("told to fail, for ever"));
  return TALLY_ERR_INTERNAL;
}

static tally_status explain(struct hostile *tracker, const struct call *call) {
  (void)call;
  tracker->base.host->set_error(tracker->base.host, TALLY_ERR_INTERNAL, fixture_str("told without an error"));
  return TALLY_OK;
}

static tally_status odd_status(struct hostile *tracker, const struct call *call) {
  (void)call;
  const int32_t statuses[] = {INT32_MAX, 12345, 7, 1};
  return statuses[tracker->calls % 4];
}

static tally_status odd_errors(struct hostile *tracker, const struct call *call) {
  (void)call;
  return tracker->calls % 2 ? INT32_MIN : -12345;
}

static tally_status long_error(struct hostile *tracker, const struct call *call) {
  (void)call;
  size_t size = 10 << 20;
  char *text = malloc(size);
  if (text == NULL) return TALLY_OK;
  memset(text, 0xff, size);
  tracker->base.host->set_error(tracker->base.host, INT32_MIN, (tally_str){.ptr = text, .len = size});
  tracker->base.emit->player_error(
      tracker->base.host, fixture_str("\xff"), (tally_str){.ptr = text, .len = size}, fixture_str(""));
  free(text);
  return TALLY_ERR_INTERNAL;
}

static tally_status log_flood(struct hostile *tracker, const struct call *call) {
  (void)call;
  for (int i = 0; i < 20000; i++)
    tracker->base.host->log(tracker->base.host, TALLY_LOG_ERROR, fixture_str("\x1b[2J\x1b[31mflood\r\n\xff"));
  return TALLY_OK;
}

static tally_status error_flood(struct hostile *tracker, const struct call *call) {
  (void)call;
  for (int i = 0; i < 5000; i++)
    tracker->base.emit->player_error(
        tracker->base.host, fixture_str("flood"), fixture_str("again"), fixture_str("and again"));
  return TALLY_OK;
}

static tally_status store_flood(struct hostile *tracker, const struct call *call) {
  (void)call;
  char key[32];
  for (int i = 0; i < 20000; i++) {
    snprintf(key, sizeof key, "not-listed-%d", i);
    tracker->store->put(tracker->base.host, fixture_str(key), fixture_str("x"));
  }
  return TALLY_OK;
}

/* In disable or destroy, where nothing may be said any more. */
static tally_status last_word(struct hostile *tracker, const struct call *call) {
  uint64_t id;
  say(tracker, "last-word", 1);
  tracker->base.timer->start(tracker->base.host, call->now_us, TALLY_TIMER_INSTANCE, &id);
  return TALLY_OK;
}

/* Those of others too, if their numbers were known outside of their instance. */
static tally_status cancel_timers(struct hostile *tracker, const struct call *call) {
  (void)call;
  for (uint64_t id = 0; id < 20000; id++) tracker->base.timer->cancel(tracker->base.host, id);
  return TALLY_OK;
}

static tally_status draw_numbers(struct hostile *tracker, const struct call *call) {
  (void)call;
  for (int i = 0; i < 1000000; i++) tracker->base.random->next_u64(tracker->base.host);
  return TALLY_OK;
}

static tally_status long_answer(struct hostile *tracker, const struct call *call) {
  (void)tracker;
  static char part[1 << 20];
  memset(part, '[', sizeof part);
  for (int i = 0; call->answer != NULL && i < 100; i++) call->answer->write(call->answer, part, sizeof part);
  return TALLY_OK;
}

const struct kind outputs[] = {
    {"huge-record", huge, 0},
    {"outside-record", outside, 0},
    {"overlapping-record", overlapping, 0},
    {"invalid-text", invalid_text, 1},
    {"nul-text", nul_text, 1},
    {"flood", flood, 0},
    {"beacon-flood", beacon_flood, 0},
    {"bad-beacon", bad_beacon, 0},
    {"null-text", null_text, 0},
    {"null-record", null_record, 0},
    {"fail", fail, 1},
    {"explain", explain, 1},
    {"odd-status", odd_status, 1},
    {"odd-errors", odd_errors, 1},
    {"long-error", long_error, 0},
    {"log-flood", log_flood, 0},
    {"error-flood", error_flood, 0},
    {"store-flood", store_flood, 0},
    {"last-word", last_word, 0},
    {"cancel-timers", cancel_timers, 1},
    {"draw-numbers", draw_numbers, 0},
    {"long-answer", long_answer, 0},
    {NULL, NULL, 0},
};
