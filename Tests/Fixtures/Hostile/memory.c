/* What writes where only the host may write, and what takes all the memory. */
#include "hostile.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define UNUSED (void)tracker, (void)call

/* Other texts, another time and another state for all who get the event after this tracker. */
static tally_status write_event(struct hostile *tracker, const struct call *call) {
  (void)tracker;
  tally_event *event = (tally_event *)(uintptr_t)call->event;
  if (event == NULL) return TALLY_OK;
  event->time_us += 1000000;
  event->ordinal += 7;
  tally_state *state = (tally_state *)(uintptr_t)((char *)event + event->state_off);
  state->playhead_ms += 77777;
  state->bitrate_bps = 1;
  char *attrs = (char *)event + event->attr_off;
  for (uint32_t i = 0; i < event->attr_count; i++) {
    tally_attr *attr = (tally_attr *)(void *)attrs + i;
    if (attr->type == TALLY_T_STRING) memset((char *)event + attr->v.off, 'Z', attr->len);
    if (attr->type == TALLY_T_INT) attr->v.i = -1;
  }
  return TALLY_OK;
}

static tally_status write_state(struct hostile *tracker, const struct call *call) {
  (void)tracker;
  tally_state *state = (tally_state *)(uintptr_t)call->state;
  if (state == NULL) return TALLY_OK;
  state->playhead_ms += 77777;
  state->flags = ~0u;
  state->known = ~0u;
  return TALLY_OK;
}

static tally_status write_text(struct hostile *tracker, const struct call *call) {
  (void)tracker;
  if (call->text.ptr != NULL) memset((char *)(uintptr_t)call->text.ptr, 'Z', call->text.len);
  return TALLY_OK;
}

/* The tables that the host gave it, which may be those of others too. */
static tally_status write_tables(struct hostile *tracker, const struct call *call) {
  (void)call;
  tally_emit *emit = (tally_emit *)(uintptr_t)tracker->base.emit;
  emit->record = NULL;
  emit->beacon = NULL;
  return TALLY_OK;
}

static tally_status free_borrowed(struct hostile *tracker, const struct call *call) {
  (void)tracker;
  free((void *)(uintptr_t)call->event);
  return TALLY_OK;
}

static tally_status free_host(struct hostile *tracker, const struct call *call) {
  (void)call;
  free((void *)(uintptr_t)tracker->base.host);
  return TALLY_OK;
}

static tally_status double_free(struct hostile *tracker, const struct call *call) {
  UNUSED;
  void *volatile room = malloc(4096);
  free(room);
  free(room);
  return TALLY_OK;
}

/* In disable: destroy frees it again. */
static tally_status free_itself(struct hostile *tracker, const struct call *call) {
  (void)call;
  free(tracker);
  return TALLY_OK;
}

static tally_status overrun(struct hostile *tracker, const struct call *call) {
  UNUSED;
  volatile char *room = malloc(24);
  for (int i = 0; i < 65536; i++) room[i] = 0x41;
  return TALLY_OK;
}

/* The range of the program's own code. */
static int find_code(char **from, size_t *length) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "re");
  int found = 0;
  while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin, end;
    if (strstr(line, "r-xp") == NULL || strstr(line, "/tally-") == NULL) continue;
    if (sscanf(line, "%lx-%lx", &begin, &end) != 2) continue;
    *from = (char *)begin;
    *length = end - begin;
    found = 1;
  }
  if (maps != NULL) fclose(maps);
  return found;
}

static tally_status unmap_host(struct hostile *tracker, const struct call *call) {
  UNUSED;
  char *from;
  size_t length;
  if (find_code(&from, &length)) munmap(from, length);
  return TALLY_OK;
}

static tally_status protect_self(struct hostile *tracker, const struct call *call) {
  UNUSED;
  mprotect((void *)((uintptr_t)protect_self & ~(uintptr_t)4095), 4096, PROT_NONE);
  return TALLY_OK;
}

/* Takes what the limit of the address space leaves, which it lowers first so that the machine has no part in it. */
static tally_status memory_bomb(struct hostile *tracker, const struct call *call) {
  UNUSED;
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL || fscanf(file, "%lu", &pages) != 1) return TALLY_OK;
  fclose(file);
  rlim_t most = (rlim_t)pages * 4096 + (256 << 20);
  struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return TALLY_OK;
  for (size_t size = 64 << 20; size >= 16; size /= 2)
    while (malloc(size) != NULL) {}
  return TALLY_OK;
}

const struct kind memory[] = {
    {"write-event", write_event, 1},
    {"write-state", write_state, 1},
    {"write-text", write_text, 0},
    {"write-tables", write_tables, 0},
    {"free-event", free_borrowed, 0},
    {"free-host", free_host, 0},
    {"double-free", double_free, 0},
    {"free-itself", free_itself, 0},
    {"overrun", overrun, 0},
    {"unmap-host", unmap_host, 0},
    {"protect-self", protect_self, 0},
    {"memory-bomb", memory_bomb, 0},
    {NULL, NULL, 0},
};
