/* Tally plugin ABI 1: the one header to include. Version rules: docs/decisions/0002-abi-versioning.md.
 *
 * A plugin is a shared library that exports one function, tally_plugin_entry_v1. What it offers beyond the life cycle
 * is found by name in extensions, on both sides. Nothing here needs an answer from another process.
 * In-process plugins are trusted: a fault in a plugin can end the host.
 */
#ifndef TALLY_PLUGIN_H
#define TALLY_PLUGIN_H

#include "tally_base.h"
#include "tally_block.h"
#include "tally_vocabulary.h"
#include "tally_output.h"

TALLY_EXTERN_C_BEGIN
TALLY_ASSUME_NONNULL_BEGIN

/* ---- host ---------------------------------------------------------------------------------------------------- */

/* What the host offers to one instance; valid from create until destroy returns.
 *   Rationale: there is no function for the time, a random source or the machine. Time comes with each call, and what a
 *   tracker could learn of another plugin, of a reporter or of the machine would break "live equals replay". */
typedef struct tally_host {
  uint32_t struct_size;
  uint32_t abi_minor;
  void *TALLY_NULLABLE host_data; /* the host's own; a plugin does not look at it */
  /* [any] {created} Writes a line to the host's log. Log lines are no part of the output. */
  void (*log)(const struct tally_host *host, int32_t level, tally_str message);
  /* [core] or [reporter] {created} Says why the error that this call is about to return happened. In a tracker's
   * function that returns nothing, on_timer or session_end, it is the error itself. */
  void (*set_error)(const struct tally_host *host, int32_t code, tally_str text);
  /* [any] {ready} and during init. NULL when the host does not know the id. Valid until destroy returns.
   *   Rationale: not in create, so that a host can make and drop an instance without having set anything up. */
  const void *TALLY_NULLABLE (*TALLY_NONNULL get_extension)(const struct tally_host *host, const char *id);
} tally_host;

/* ---- plugin -------------------------------------------------------------------------------------------------- */

/* One instance: create -> init -> (enable -> disable)* -> destroy. */
typedef struct tally_plugin {
  uint32_t struct_size;
  uint32_t reserved0;
  void *TALLY_NULLABLE plugin_data; /* the plugin's own; the host does not look at it */
  /* [core] or [reporter] {created}, once. `config` is JSON text that fits descriptor.config_schema; what it means is
   * the plugin's to judge. An error ends the instance: destroy follows. */
  tally_status (*init)(const struct tally_plugin *self, tally_str config);
  /* [core] or [reporter] {ready}. A tracker may emit from here on. */
  tally_status (*enable)(const struct tally_plugin *self);
  /* [core] or [reporter] {enabled}. May not emit. After it returns no timer fires and nothing calls the host.
   *   Rationale: the last batch belongs into session_end, which the host calls before. */
  void (*disable)(const struct tally_plugin *self);
  /* [core] or [reporter] {created} The last call. Legal at once after create and after a failed init. */
  void (*destroy)(const struct tally_plugin *self);
  /* [any] {created} NULL when the plugin does not offer `id`. Valid until destroy.
   *   Rationale: not from init on, so that a host can say what a file offers without setting anything up. */
  const void *TALLY_NULLABLE (*TALLY_NONNULL get_extension)(const struct tally_plugin *self, const char *id);
} tally_plugin;

/* ---- descriptor and entry ------------------------------------------------------------------------------------ */

#define TALLY_KIND_TRACKER 0x1u
#define TALLY_KIND_REPORTER 0x2u

#define TALLY_CAP_DETERMINISTIC 0x1u   /* output follows from configuration, events and timers alone; trackers must */
#define TALLY_CAP_OWN_THREADS 0x2u     /* reporters only */
#define TALLY_CAP_NETWORK 0x4u         /* reporters only: connects to other machines */
#define TALLY_CAP_HANDLES_CONSENT 0x8u /* the tracker reacts to consent events itself, as its vendor does */
#define TALLY_CAP_SPILLS 0x10u         /* the reporter keeps what it took on disk: its queue is longer */
#define TALLY_CAP_LISTENS 0x20u        /* reporters only: waits for connections of others */
#define TALLY_CAP_SHARES_STATE 0x40u   /* reporters only: its instances share something of the library, so they have to
                                        * be in one process; they find it by tally_entry.entry_data */
#define TALLY_CAP_STREAMS 0x80u        /* reporters only: writes to standard output or standard error */

/* Constant data: readable without create, valid for the life of the process, the same pointer each time. */
typedef struct tally_descriptor {
  uint32_t struct_size;
  uint32_t abi_minor; /* TALLY_ABI_MINOR of the header that the plugin was compiled with */
  uint32_t kind;
  uint32_t caps;
  const char *id;      /* reverse-DNS, never changed: "org.example.tracker" */
  const char *name;    /* for people */
  const char *vendor;
  const char *version; /* MAJOR.MINOR.MICRO */
  const char *TALLY_NULLABLE config_schema; /* JSON Schema text of the configuration */
  /* NULL-terminated lists: host extensions that it cannot do without; shared files whose content it also gets, by their
   * paths below the folder of the host's configuration, each as the member of its configuration that is named like the
   * file without its ending; keys of persistent values that it reads and writes. */
  const char *TALLY_NULLABLE const *TALLY_NULLABLE requires_extensions;
  const char *TALLY_NULLABLE const *TALLY_NULLABLE shared_config;
  const char *TALLY_NULLABLE const *TALLY_NULLABLE store_keys;
  /* PATCH-COMMIT: what stands behind MAJOR.MINOR.MICRO in the version in full (docs/versioning.md), such as
   * "0-3a4f2c1": the patch, and the first seven lower-case hexadecimal digits of the commit that it was built from.
   * NULL: "0-0000000". */
  const char *TALLY_NULLABLE build;
  /* A list of TALLY_EVENT_TYPE_... that ends with 0: what on_event of this tracker is called with. NULL: every event.
   * TALLY_EVENT_TYPE_FIRST_UNKNOWN stands for all types that have no number. Sessions and timers do not depend on
   * it. */
  const uint32_t *TALLY_NULLABLE wanted_events;
  /* NULL-terminated lists: the members of its configuration that hold paths of files and folders which it only reads,
   * and of those which it writes. A host that confines a reporter allows these paths, of a file that is written all
   * of its folder, and what the capabilities say, and nothing else. A member of a nested object is named with dots,
   * "spool.path", and "*" stands for each of its members: "credentials.*.file". */
  const char *TALLY_NULLABLE const *TALLY_NULLABLE read_paths;
  const char *TALLY_NULLABLE const *TALLY_NULLABLE written_paths;
} tally_descriptor;

/* What a tracker knows of the player run that it belongs to: all of it is in the archive's header. */
typedef struct tally_run_info {
  uint32_t struct_size;
  uint32_t semantics; /* version of the rules of time, timers and state */
  tally_str player_run_id;
  tally_str instance;  /* the configured name of this instance */
  int64_t epoch_us;    /* wall clock at time 0, us since 1970 */
  /* Persistent values as they were when the run began, of the kind "stored"; NULL when there are none. */
  const tally_record *TALLY_NULLABLE stored;
} tally_run_info;

typedef struct tally_entry {
  uint32_t struct_size;
  uint32_t abi_minor;
  uint32_t count; /* one library may hold several plugins */
  uint32_t reserved0;
  void *TALLY_NULLABLE entry_data; /* the plugin's own; the host does not look at it */
  /* [any] {loaded} NULL at `count` and above. */
  const tally_descriptor *TALLY_NULLABLE (*TALLY_NONNULL descriptor)(const struct tally_entry *self, uint32_t index);
  /* [core] or [reporter] {loaded} One instance per player run and configured tracker, one per configured reporter.
   * `host` and what it points at live until destroy returns; `run` is NULL for a reporter and lent for this call.
   * Calls no host function. NULL: refused (an unknown id, no memory). */
  const tally_plugin *TALLY_NULLABLE (*TALLY_NONNULL create)(
      const struct tally_entry *self, const tally_host *host, const char *plugin_id,
      const tally_run_info *TALLY_NULLABLE run);
} tally_entry;

/* [any] {loaded} The one symbol that a plugin exports. No work, no threads, no I/O; the same pointer each time.
 *   Rationale: a function and not data, because Swift cannot export data with a C name; the major version is part of
 *   the name, so that one file can serve two majors and a wrong major is found without running anything. */
TALLY_EXPORT const tally_entry *TALLY_NULLABLE tally_plugin_entry_v1(void);

TALLY_ASSUME_NONNULL_END
TALLY_EXTERN_C_END

#include "tally_tracker.h"
#include "tally_reporter.h"
#include "tally_control.h"

#endif
