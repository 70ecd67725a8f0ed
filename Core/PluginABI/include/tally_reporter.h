/* Tally plugin ABI: extensions for reporters. A reporter is the only place for I/O; nothing flows back to a tracker. */
#ifndef TALLY_REPORTER_H
#define TALLY_REPORTER_H

#include "tally_plugin.h"

TALLY_EXTERN_C_BEGIN
TALLY_ASSUME_NONNULL_BEGIN

struct tally_sink; /* tally_control.h */

#define TALLY_EXT_REPORTER "tally.reporter/1"
#define TALLY_EXT_HOST_REPORTER "tally.host-reporter/1"

/* Kinds of tally_output, with the type of its `item`. */
#define TALLY_OUTPUT_EVENT 1u         /* tally_event */
#define TALLY_OUTPUT_RECORD 2u        /* tally_record */
#define TALLY_OUTPUT_BEACON 3u        /* tally_beacon */
#define TALLY_OUTPUT_SESSION_BEGIN 4u /* tally_event: the load or the snapshot */
#define TALLY_OUTPUT_SESSION_END 5u   /* none */
#define TALLY_OUTPUT_RUN_BEGIN 6u     /* none */
#define TALLY_OUTPUT_RUN_END 7u       /* none */
#define TALLY_OUTPUT_GAP 8u           /* uint64_t: how many outputs before this one a full queue cost; the origin says
                                       * whose: no instance for the core's own */
#define TALLY_OUTPUT_LINE 9u          /* tally_str: a line of the run's archive, with its break; the ordinal is its `n`.
                                       * Only to who names it in `wants`, and to runs that begin then. Each line is
                                       * handed on before the trackers see what it says. */

/* A bit of `wants`: the reporter also takes the outputs of a run that a crash cut off, from the run's begin on, and
 * knows those that it has taken before by run id, instance and ordinal. */
#define TALLY_WANTS_RECOVERED 0x80000000u

/* Where an output comes from: the same live and in replay. */
typedef struct tally_origin {
  uint32_t struct_size;
  uint32_t session;
  tally_str player_run_id;
  tally_str plugin_id;      /* empty for what the core itself says: events, sessions, runs */
  tally_str plugin_version;
  tally_str instance;       /* the configured name: run id, instance and ordinal together name an output for ever */
  uint64_t ordinal;         /* of a record or a beacon per run and instance, of an event per run */
  int64_t time_us;          /* since the run's start */
  int64_t epoch_us;         /* wall clock of time 0: epoch_us + time_us is when it happened; 0: not known */
  tally_str video_id;       /* of the session's asset, as the player has said it so far; empty: not said, no session */
} tally_origin;

typedef struct tally_output {
  uint32_t struct_size;
  uint32_t what;
  const tally_origin *origin;
  const void *TALLY_NULLABLE item;
} tally_output;

/* Offered by the plugin. */
typedef struct tally_reporter {
  uint32_t struct_size;
  uint32_t wants; /* bits 1 << TALLY_OUTPUT_... of what it wants to take; 0: everything that is not recovered, but no
                   * archive lines. Read
                   * after init and after each `configure` of tally.configure/1. */
  /* [reporter] {enabled} Returns how many of `count` it took, from the first on. Fewer means "full for now": the host
   * offers the rest again after `ready`, or after 100 ms. Negative is an error: the outputs count as dropped. */
  int64_t (*take)(
      const struct tally_plugin *self, const tally_output *TALLY_NONNULL const *TALLY_NONNULL items, uint64_t count);
  /* [reporter] {enabled} Deliver, or keep safely, what was taken of this session (0: of the whole run, and without a
   * run id: all of it), then answer with `flushed`, in this call or later. Called at the end of a session and of a run,
   * and before each `disable`; what `flushed` says is dropped counts as lost. */
  void (*flush)(
      const struct tally_plugin *self, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms);
} tally_reporter;

/* A bit of the host's `flags`: it waits until there is room, however long, and drops nothing. A replay does; a live run
 * goes on, and drops the oldest outputs of whoever has most in a queue that is full. */
#define TALLY_HOST_WAITS_FOR_ROOM 0x1u
/* Another: this instance goes on for one of the same configuration whose process has ended without a word. What that
 * one has written stays, and is not begun anew. */
#define TALLY_HOST_GOES_ON 0x2u

/* Offered by the host. */
typedef struct tally_host_reporter {
  uint32_t struct_size;
  uint32_t flags; /* TALLY_HOST_... */
  /* [any] {enabled} There is room again. While `disable` delivers what is left: it still works, which a host that waits
   * for its end may want to hear each second. */
  void (*ready)(const tally_host *host);
  /* [any] {enabled} Answers one flush. */
  void (*flushed)(const tally_host *host, uint64_t token, uint64_t delivered, uint64_t kept, uint64_t dropped);
} tally_host_reporter;

#define TALLY_EXT_STATUS "tally.status/1"

/* Offered by a host to a reporter that shows what goes on, not by every host: a reporter in a process of its own has
 * none. Without it a reporter knows of the host what its outputs say.
 *   Rationale: nothing of it flows back to a tracker, and no two calls have to say the same: it is no part of "live
 *   equals replay". */
typedef struct tally_host_status {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [any] {enabled} Writes JSON text, one object, to the sink within this call: `plugins`, what the control command
   * `plugin list` has of each plugin, in `answer` also what a reporter says to its query `stats`; `runs`, how many
   * player runs go on; `process`, the id of the process. It waits for no thread: what belongs to one is as that thread
   * said last, and is asked anew for the next call. An error where there is nothing to say. */
  tally_status (*write)(const tally_host *host, const struct tally_sink *sink);
} tally_host_status;

TALLY_ASSUME_NONNULL_END
TALLY_EXTERN_C_END
#endif
