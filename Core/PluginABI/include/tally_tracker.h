/* Tally plugin ABI: extensions for trackers.
 *
 * A tracker is a function of its own state and the next event or timer. It reads no clock, no random source, no file,
 * no environment, and has no threads.
 */
#ifndef TALLY_TRACKER_H
#define TALLY_TRACKER_H

#include "tally_plugin.h"

TALLY_EXTERN_C_BEGIN
TALLY_ASSUME_NONNULL_BEGIN

/* ---- tally.tracker/1, offered by the plugin ------------------------------------------------------------------- */

#define TALLY_EXT_TRACKER "tally.tracker/1"

/* Why a session ends for a tracker. */
#define TALLY_END_UNLOAD 1u   /* the video was unloaded */
#define TALLY_END_DISABLE 2u  /* the tracker is about to be disabled */
#define TALLY_END_REPLACE 3u  /* the tracker is about to be replaced by a newer file */
#define TALLY_END_SHUTDOWN 4u /* the player run ends */

typedef struct tally_tracker {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [core] {enabled} Before the video load event, or when the tracker joins a session that is going on. `snapshot` has
   * the state; when joining, it has the attribute joined = true and all that is known of video, break, ad, chapter and
   * metadata, since no earlier event is delivered again. */
  tally_status (*session_begin)(const struct tally_plugin *self, const tally_event *snapshot);
  /* [core] {enabled} Each event that tally_descriptor.wanted_events names, in order, legal or not. An unknown type is
   * to be ignored. */
  tally_status (*on_event)(const struct tally_plugin *self, const tally_event *event);
  /* [core] {enabled} `deadline_us` is "now". */
  void (*on_timer)(const struct tally_plugin *self, uint64_t timer, int64_t deadline_us, const tally_state *now);
  /* [core] {enabled} The last chance to emit a batch of this session. */
  void (*session_end)(const struct tally_plugin *self, uint32_t reason, int64_t now_us, const tally_state *now);
} tally_tracker;

/* ---- tally.emit/1, offered by the host ------------------------------------------------------------------------ */

#define TALLY_EXT_EMIT "tally.emit/1"

/* Taken inside a call of the host into this instance, on the thread that makes the call: TALLY_ERR_STATE otherwise, as
 * for timers, random numbers (0) and values. TALLY_ERR_TOO_LARGE above 100,000 records and beacons, or 64 MiB, in one
 * call.
 *   Rationale: results depend on the arguments alone, never on a queue or a reporter. */
typedef struct tally_emit {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [core] {enabled} Copies the record; what is not UTF-8 in its texts is U+FFFD there. `ordinal` (may be NULL) becomes
   * its number, from 1, per run and instance. */
  tally_status (*record)(const tally_host *host, const tally_record *record, uint64_t *TALLY_NULLABLE ordinal);
  /* [core] {enabled} Copies the beacon. */
  tally_status (*beacon)(const tally_host *host, const tally_beacon *beacon);
  /* [core] {enabled} Tells the player's delegate of an error of this tracker; it also becomes a record of the kind
   * "tracker_error", so that a replay shows it. */
  tally_status (*player_error)(const tally_host *host, tally_str code, tally_str message, tally_str details);
} tally_emit;

/* ---- tally.timer/1, offered by the host ----------------------------------------------------------------------- */

#define TALLY_EXT_TIMER "tally.timer/1"
#define TALLY_TIMER_SESSION 1u /* scope: cancelled when session_end has returned */
#define TALLY_TIMER_INSTANCE 2u /* scope: lives until the tracker is disabled */

/* One-shot timers, ordered by deadline, then by the order in which this tracker started them.
 *   Rationale: periodic timers drift or pile up when a clock jumps; re-arming from the deadline does neither. */
typedef struct tally_timer {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [core] {enabled} A deadline less than 1 ms ahead is moved to 1 ms ahead, so that no chain of timers can hold up
   * the run. `id` is never used again. TALLY_ERR_TOO_LARGE above 10,000 timers. */
  tally_status (*start)(const tally_host *host, int64_t deadline_us, uint32_t scope, uint64_t *id);
  /* [core] {enabled} May be called twice, inside on_timer, and for the timer that is firing. */
  void (*cancel)(const tally_host *host, uint64_t id);
} tally_timer;

/* ---- tally.random/1, offered by the host ---------------------------------------------------------------------- */

#define TALLY_EXT_RANDOM "tally.random/1"

/* SplitMix64, seeded from SHA-256 of run id, instance name and session; begins anew at each session_begin. */
typedef struct tally_random {
  uint32_t struct_size;
  uint32_t reserved0;
  uint64_t (*next_u64)(const tally_host *host); /* [core] {enabled} */
} tally_random;

/* ---- tally.store/1, offered by the host ----------------------------------------------------------------------- */

#define TALLY_EXT_STORE "tally.store/1"

/* Persistent values. What a tracker may read came with tally_run_info.stored; what it writes, the next run sees. */
typedef struct tally_store {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [core] {enabled} TALLY_ERR_NOT_FOUND for a key that the descriptor does not list. */
  tally_status (*put)(const tally_host *host, tally_str key, tally_str value);
} tally_store;

TALLY_ASSUME_NONNULL_END
TALLY_EXTERN_C_END
#endif
