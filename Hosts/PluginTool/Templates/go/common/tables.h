/* What Go and C share of one instance. Go holds it by a pointer, C holds the Go side by a number. */
#ifndef TABLES_H
#define TABLES_H

#include "tally_blocks.h"

struct instance {
  tally_plugin plugin;
  const tally_host *host;
  tally_host calls;
  tally_emit emit;
  tally_host_reporter answers;
  uintptr_t go; /* what goCreate answered */
  uint64_t taken;
};

void host_log(struct instance *instance, int32_t level, const char *line, size_t length);
tally_status host_emit(struct instance *instance, const void *record);

/* The functions that Go exports, for tables.c and nobody else. */
#pragma GCC visibility push(hidden)
uintptr_t goCreate(struct instance *instance);
void goDestroy(uintptr_t go);
char *goConfigure(uintptr_t go, char *config, size_t length);
char *goSessionBegin(uintptr_t go, tally_event *snapshot);
char *goOnEvent(uintptr_t go, tally_event *event);
char *goSessionEnd(uintptr_t go, uint32_t reason, int64_t now_us, tally_state *now);
char *goTake(uintptr_t go, tally_output *output);
char *goFlush(uintptr_t go);
#pragma GCC visibility pop

#endif
