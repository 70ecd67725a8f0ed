/* What Go and C share of one instance. Go holds it by a pointer, C holds the Go side by a number. */
#ifndef TABLES_H
#define TABLES_H

#include "tally_blocks.h"

struct instance {
  tally_plugin plugin;
  const tally_host *host;
  tally_host calls;
  tally_emit emit;
  tally_timer timer;
  tally_random random;
  tally_store store;
  tally_host_reporter answers;
  uintptr_t go; /* what goCreate answered */
  uint64_t taken;
};

/* What the host offers, as Go calls it. */
void host_log(struct instance *instance, int32_t level, tally_str line);
void host_fail(struct instance *instance, tally_status status, tally_str why);
tally_status host_emit(struct instance *instance, const void *record, uint64_t *ordinal);
tally_status host_send(struct instance *instance, const tally_beacon *beacon);
tally_status host_player_error(struct instance *instance, tally_str code, tally_str message, tally_str details);
tally_status host_start_timer(struct instance *instance, int64_t deadline_us, uint32_t scope, uint64_t *id);
void host_cancel_timer(struct instance *instance, uint64_t id);
uint64_t host_random(struct instance *instance);
tally_status host_store(struct instance *instance, tally_str key, tally_str value);
tally_status host_answer(const tally_sink *sink, tally_str text);

/* The functions that Go exports, for tables.c and nobody else. Those that fail have told the host why. */
#pragma GCC visibility push(hidden)
uintptr_t goCreate(struct instance *instance, tally_run_info *run);
void goDestroy(uintptr_t go);
tally_status goConfigure(uintptr_t go, tally_str config);
tally_status goEnable(uintptr_t go);
void goDisable(uintptr_t go);
tally_status goReconfigure(uintptr_t go, tally_str config, int64_t now_us, tally_state *now);
tally_status goCommand(
    uintptr_t go, tally_str name, tally_str arguments, int64_t now_us, tally_state *now, tally_sink *answer);
tally_status goSessionBegin(uintptr_t go, tally_event *snapshot);
tally_status goOnEvent(uintptr_t go, tally_event *event);
void goOnTimer(uintptr_t go, uint64_t timer, int64_t deadline_us, tally_state *now);
void goSessionEnd(uintptr_t go, uint32_t reason, int64_t now_us, tally_state *now);
tally_status goTake(uintptr_t go, tally_output *output);
tally_status goFlush(uintptr_t go);
#pragma GCC visibility pop

#endif
