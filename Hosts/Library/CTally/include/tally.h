/* Tally for every player: what happens in a player is told to any number of measurement systems.
 *
 *   tally_error error = tally_error_none();
 *   tally_options options = tally_options_default();
 *   options.configuration = "tally.json5";
 *   tally *telemetry = tally_open(&options, &error);
 *   tally_run *run = tally_run_start(telemetry, NULL, &error);
 *   tally_track(run, "video_load", NULL, 0);
 *   ...
 *   tally_run_free(run);
 *   tally_close(telemetry, 10000);
 *
 * Link with `pkg-config --libs tally`, or load libtally.so.1 at run time. docs/players/c.md tells it from the start.
 *
 * Each function says on which threads it may be called and whether it waits:
 *   [any thread]  several threads at once, with the same object
 *   [one thread]  not two calls at once with the same object
 *   [quick]       takes no longer than a few microseconds and never waits for a plugin
 *   [waits]       may wait for files, plugins or the network
 *
 * Texts are UTF-8 that ends with a zero byte, and are copied unless a function says otherwise. Every structure begins
 * with its size, which the functions that make one have set: a program that was built with an older header works with
 * a newer library, and the other way round. No function writes to standard output, installs a signal handler, changes
 * the environment or the locale.
 *
 * When the process ends by exit() or by a return from main(), what is open is given half a second to be delivered, and
 * from then on every call answers TALLY_ENDED. In a process that fork() made every call answers so at once: nothing of
 * the parent's is written there.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define TALLY_CAST(type, value) static_cast<type>(value)
extern "C" {
#else
#define TALLY_CAST(type, value) ((type)(value))
#endif

/* The number of this interface. A library with the same one has all that this header declares, or says so. */
#define TALLY_LIBRARY_ABI 1

/* The plugins of a process, configured. */
typedef struct tally tally;

/* What one player does, from its making to its end: sessions one after another, and what lies between them. */
typedef struct tally_run tally_run;

/* ---- Errors ---- */

/* What went wrong: also the exit code that Tally's programs end with for it. */
enum {
  TALLY_ERROR_NONE = 0,
  TALLY_ERROR_ARGUMENT = 64,       /* a value makes no sense */
  TALLY_ERROR_DATA = 65,           /* a file is damaged */
  TALLY_ERROR_INPUT = 66,          /* a file is not there */
  TALLY_ERROR_UNAVAILABLE = 69,    /* something that is needed does not answer, or not now */
  TALLY_ERROR_INTERNAL = 70,       /* a bug */
  TALLY_ERROR_OUTPUT = 73,         /* a file or socket cannot be made */
  TALLY_ERROR_PLUGIN = 75,         /* a plugin cannot be found or used */
  TALLY_ERROR_NEWER = 76,          /* made by a newer version */
  TALLY_ERROR_CONFIGURATION = 78,  /* the configuration is wrong; the message says where */
  TALLY_ERROR_TAKEN = 1001,        /* the claim is another one's in this process */
  TALLY_ERROR_ENDED = 1002         /* the process ends, or is a copy that fork() made */
};

/* An error, with a text that says what, where and what to do. */
typedef struct tally_error {
  uint32_t size;
  int32_t code;        /* TALLY_ERROR_... */
  char message[2040];  /* lines, one for each problem; cut where it is longer */
} tally_error;

/* No error. */
static inline tally_error tally_error_none(void) {
  tally_error error;
  memset(&error, 0, sizeof error);
  error.size = TALLY_CAST(uint32_t, sizeof error);
  return error;
}

/* ---- Opening ---- */

/* How grave a log line is. */
enum { TALLY_LEVEL_DEBUG = 0, TALLY_LEVEL_INFO = 1, TALLY_LEVEL_WARNING = 2, TALLY_LEVEL_ERROR = 3 };

/* Takes a log line: called on any thread, also on one of Tally's; must be quick, and call nothing of Tally. The texts
 * are lent for the call. */
typedef void (*tally_log_function)(void *context, int32_t level, const char *plugin, const char *message);

enum {
  TALLY_OPEN_DEFAULT = 0,
  TALLY_OPEN_VERBOSE = 1,        /* debug lines are logged too */
  TALLY_OPEN_NO_RECOVERY = 2,    /* runs that a crash cut off are left alone */
  TALLY_OPEN_LOG_REPORTS = 4,    /* log lines come as reports, unless there is a function for them; in
                                  * tally_close warnings go to standard error */
  TALLY_OPEN_WATCH_CRASHES = 8   /* a plugin in which the process dies is kept out from then on: needs signal handlers */
};

/* What tally_open takes; all of it may be left out. */
typedef struct tally_options {
  uint32_t size;
  uint32_t flags;                     /* TALLY_OPEN_... */
  const char *configuration;          /* the path of a tally.json5 */
  const char *plugins;                /* which of its instances run, or plugins by name: "mux-data,jsonlines" */
  const char *const *plugin_folders;  /* where plugins are looked for first */
  size_t plugin_folder_count;
  const char *const *settings;        /* KEY=VALUE, each one key of the configuration */
  size_t setting_count;
  const char *archive;                /* runs are recorded into this folder, which is made when it is not there */
  const char *store;                  /* trackers' persistent values are kept in this file */
  const char *control;                /* commands are taken on this Unix socket */
  const char *program;                /* what log lines on standard error begin with; "libtally" unless given */
  const char *claim;                  /* a word of the adapter's: a second one that opens with it is refused */
  tally_log_function log;             /* takes log lines; without it warnings and errors go to standard error */
  void *log_context;
} tally_options;

/* Options that say nothing. */
static inline tally_options tally_options_default(void) {
  tally_options options;
  memset(&options, 0, sizeof options);
  options.size = TALLY_CAST(uint32_t, sizeof options);
  return options;
}

/* The version of the library, such as "0.5.0". [any thread] [quick] */
const char *tally_version(void);

/* The number of the interface that the library has: TALLY_LIBRARY_ABI of its header. [any thread] [quick] */
uint32_t tally_library_abi(void);

/* Finds, loads and configures the plugins. Several may be open in a process. NULL when it fails, and `error` says why;
 * `error` may be NULL. [any thread] [waits: some 10 to 100 ms, never on a thread that plays] */
tally *tally_open(const tally_options *options, tally_error *error);

/* Ends the reporters, which get `limit_ms` each, and frees the object; runs that go on are ended first. Gives the
 * number of reporters that did not come to their end. [one thread] [waits] */
int32_t tally_close(tally *telemetry, int64_t limit_ms);

/* ---- Runs ---- */

/* What tally_run_start takes. */
typedef struct tally_run_options {
  uint32_t size;
  uint32_t flags;       /* 0 */
  const char *archive;  /* the file that this run is recorded to, in place of one in the folder of tally_open */
  int64_t begun_ns;     /* when the run began, of CLOCK_MONOTONIC, at most an hour ago; 0 is now */
} tally_run_options;

/* Run options that say nothing. */
static inline tally_run_options tally_run_options_default(void) {
  tally_run_options options;
  memset(&options, 0, sizeof options);
  options.size = TALLY_CAST(uint32_t, sizeof options);
  return options;
}

/* Begins a run, one for each player; `options` and `error` may be NULL. [any thread] [waits: some ms] */
tally_run *tally_run_start(tally *telemetry, const tally_run_options *options, tally_error *error);

/* The run's id, which its archive, records and beacons carry; valid until tally_run_free. [any thread] [quick] */
const char *tally_run_id(const tally_run *run);

/* The run's archive; NULL when it is not recorded; valid until tally_run_free. [any thread] [quick] */
const char *tally_run_archive(const tally_run *run);

/* Microseconds since the run began. [any thread] [quick] */
int64_t tally_run_time(const tally_run *run);

/* What became of a run. */
typedef struct tally_run_summary {
  uint32_t size;
  uint32_t in_time;          /* 1 when the reporters delivered within the limit */
  uint64_t dropped_events;   /* track calls that were dropped at the end */
  uint64_t dropped_outputs;  /* outputs of this run that were dropped at the end */
} tally_run_summary;

/* A summary to be filled in. */
static inline tally_run_summary tally_run_summary_empty(void) {
  tally_run_summary summary;
  memset(&summary, 0, sizeof summary);
  summary.size = TALLY_CAST(uint32_t, sizeof summary);
  return summary;
}

/* Ends a run: what was tracked is handled, an open session ends, and reporters get `limit_ms` to deliver; below 0 all
 * that waits is dropped instead. Track calls answer TALLY_ENDED from then on. Later calls change nothing and fill in
 * the same summary, which may be NULL. [any thread] [waits] */
void tally_run_end(tally_run *run, int64_t limit_ms, tally_run_summary *summary);

/* Frees a run, which is ended first with a limit of 10 s. NULL is legal. [one thread, the last one] [waits] */
void tally_run_free(tally_run *run);

/* ---- What the player is doing ---- */

/* Which members of tally_player_state are known. */
enum {
  TALLY_HAS_PLAYHEAD = 1 << 0,
  TALLY_HAS_AD_PLAYHEAD = 1 << 1,
  TALLY_HAS_DURATION = 1 << 2,
  TALLY_HAS_LIVE_WALL = 1 << 3,
  TALLY_HAS_BITRATE = 1 << 4,
  TALLY_HAS_THROUGHPUT = 1 << 5,
  TALLY_HAS_DROPPED = 1 << 6,
  TALLY_HAS_RENDERED = 1 << 7,
  TALLY_HAS_RATE = 1 << 8,
  TALLY_HAS_VOLUME = 1 << 9,
  TALLY_HAS_FRAME_RATE = 1 << 10,
  TALLY_HAS_SIZE = 1 << 11,
  TALLY_HAS_PLAYER_SIZE = 1 << 12,
  TALLY_HAS_MUTED = 1 << 13,
  TALLY_HAS_FULLSCREEN = 1 << 14,
  TALLY_HAS_LIVE = 1 << 15,
  TALLY_HAS_AUDIO_ONLY = 1 << 16,
  TALLY_HAS_ALL = (1 << 17) - 1
};

/* Where playback stands, and the quality of what is shown. A member counts when its bit in `known` is set. */
typedef struct tally_player_state {
  uint32_t size;
  uint32_t known;           /* TALLY_HAS_... */
  int64_t playhead_ms;      /* place in the main content, without ads */
  int64_t ad_playhead_ms;   /* place in the ad */
  int64_t duration_ms;      /* length of the main content; -1 without a known end */
  int64_t live_wall_ms;     /* live: wall clock of the frame shown, since 1970 */
  int64_t bitrate;          /* of what is shown, bit/s */
  int64_t throughput;       /* measured download rate, bit/s */
  int64_t dropped_frames;   /* in this session so far: never falls */
  int64_t rendered_frames;  /* in this session so far: never falls */
  double rate;              /* 1 is normal speed; 0 is a pause */
  double volume;            /* 0 to 1 */
  double frame_rate;        /* frames a second */
  int32_t width;            /* of the picture, px */
  int32_t height;
  int32_t player_width;     /* of the player on screen, logical px */
  int32_t player_height;
  uint8_t is_muted;
  uint8_t is_fullscreen;
  uint8_t is_live;
  uint8_t is_audio_only;
  uint32_t reserved;
} tally_player_state;

/* A state of which nothing is known. */
static inline tally_player_state tally_player_state_unknown(void) {
  tally_player_state state;
  memset(&state, 0, sizeof state);
  state.size = TALLY_CAST(uint32_t, sizeof state);
  return state;
}

/* Takes over the members that are known; they stay until they are set anew or forgotten, and each track call says
 * them: playhead samples without the quality's attributes. [any thread] [quick] */
void tally_run_set_state(tally_run *run, const tally_player_state *state);

/* Says members no more: TALLY_HAS_... Of a session that is open the last value stays known. [any thread] [quick] */
void tally_run_forget(tally_run *run, uint32_t members);

/* ---- Attributes ---- */

typedef enum tally_value_kind {
  TALLY_VALUE_TEXT = 1,
  TALLY_VALUE_INTEGER = 2,
  TALLY_VALUE_NUMBER = 3,
  TALLY_VALUE_TRUTH = 4
} tally_value_kind;

/* One attribute; its layout never changes. A name of the data model is that attribute, any other one is your own. */
typedef struct tally_attribute {
  const char *name;
  uint32_t kind;    /* tally_value_kind */
  uint32_t length;  /* of a text in bytes; 0 when it ends with a zero byte */
  union {
    const char *text;
    int64_t integer;
    double number;
    int64_t truth;  /* 0 or 1 */
  } value;
} tally_attribute;

static inline tally_attribute tally_text(const char *name, const char *text) {
  tally_attribute attribute;
  memset(&attribute, 0, sizeof attribute);
  attribute.name = name;
  attribute.kind = TALLY_VALUE_TEXT;
  attribute.value.text = text;
  return attribute;
}

static inline tally_attribute tally_integer(const char *name, int64_t integer) {
  tally_attribute attribute;
  memset(&attribute, 0, sizeof attribute);
  attribute.name = name;
  attribute.kind = TALLY_VALUE_INTEGER;
  attribute.value.integer = integer;
  return attribute;
}

static inline tally_attribute tally_number(const char *name, double number) {
  tally_attribute attribute;
  memset(&attribute, 0, sizeof attribute);
  attribute.name = name;
  attribute.kind = TALLY_VALUE_NUMBER;
  attribute.value.number = number;
  return attribute;
}

static inline tally_attribute tally_truth(const char *name, bool truth) {
  tally_attribute attribute;
  memset(&attribute, 0, sizeof attribute);
  attribute.name = name;
  attribute.kind = TALLY_VALUE_TRUTH;
  attribute.value.truth = truth ? 1 : 0;
  return attribute;
}

/* What attributes are about that a player knows for longer than one event. */
typedef enum tally_subject {
  TALLY_SUBJECT_VIDEO = 0,     /* said at video_load and metadata_change: video_name, stream_type, ... */
  TALLY_SUBJECT_AD_BREAK = 1,  /* at ad_break_start, ad_start and seek_complete */
  TALLY_SUBJECT_AD = 2,        /* at ad_start and seek_complete */
  TALLY_SUBJECT_CHAPTER = 3,   /* at chapter_start and seek_complete */
  TALLY_SUBJECT_QUALITY = 4    /* at every event but playhead_sample: buffer_length_ms, startup_time_ms, ... */
} tally_subject;

/* Says what is known of a subject from now on, in place of what was said of it before; with no attributes nothing is
 * known. Gives the number of attributes that are left out, as they have no name or a kind that is none. [any thread]
 * [quick] */
int32_t tally_run_set_info(tally_run *run, tally_subject subject, const tally_attribute *attributes, size_t count);

/* ---- Tracking ---- */

/* What became of a track call: 0 when the event is queued; above 0 it is queued without so many attributes, which
 * break a limit. */
enum {
  TALLY_QUEUED = 0,
  TALLY_REFUSED = -1,         /* the queue is full: the next event that gets in says so */
  TALLY_ENDED = -2,           /* the run or the process is over */
  TALLY_UNKNOWN_EVENT = -3,   /* no event of a player has this name */
  TALLY_NO_RUN = -4,          /* the run is NULL */
  TALLY_WRONG_ATTRIBUTES = -5 /* of tally_signal alone: it lacks what it has to have, or has another kind of value */
};

/* Tells that something happened, by its name in the data model, with attributes of its own. What was set before goes
 * with it. Events of your own are "custom" with custom_name. [any thread] [quick] */
int32_t tally_track(tally_run *run, const char *event, const tally_attribute *attributes, size_t count);

/* Where playback stands, ms: to be called every 250 ms while it goes on. Sets the playhead and tracks a
 * playhead_sample. [any thread] [quick] */
int32_t tally_track_playhead(tally_run *run, int64_t playhead_ms);

/* Names for what is told most, each one tally_track. [any thread] [quick] */
static inline int32_t tally_track_load(tally_run *run) { return tally_track(run, "video_load", NULL, 0); }
static inline int32_t tally_track_unload(tally_run *run) { return tally_track(run, "video_unload", NULL, 0); }
static inline int32_t tally_track_play(tally_run *run) { return tally_track(run, "play", NULL, 0); }
static inline int32_t tally_track_first_frame(tally_run *run) { return tally_track(run, "first_frame", NULL, 0); }
static inline int32_t tally_track_pause(tally_run *run) { return tally_track(run, "pause", NULL, 0); }
static inline int32_t tally_track_complete(tally_run *run) { return tally_track(run, "complete", NULL, 0); }
static inline int32_t tally_track_quality(tally_run *run) { return tally_track(run, "quality_sample", NULL, 0); }
static inline int32_t tally_track_metadata(tally_run *run) { return tally_track(run, "metadata_change", NULL, 0); }

/* A seek begins; places in ms, below 0 when they are not known. */
static inline int32_t tally_track_seek(tally_run *run, int64_t from_ms, int64_t to_ms) {
  tally_attribute places[2];
  size_t count = 0;
  if (from_ms >= 0) places[count++] = tally_integer("seek_from_ms", from_ms);
  if (to_ms >= 0) places[count++] = tally_integer("seek_to_ms", to_ms);
  return tally_track(run, "seek_start", places, count);
}
static inline int32_t tally_track_seeked(tally_run *run) { return tally_track(run, "seek_complete", NULL, 0); }

/* Playback waits for data: "initial", "seek", "stall", or NULL when the cause is not known. */
static inline int32_t tally_track_buffering(tally_run *run, const char *cause) {
  tally_attribute attribute = tally_text("buffer_cause", cause);
  return tally_track(run, "buffer_start", &attribute, cause ? 1 : 0);
}
static inline int32_t tally_track_buffered(tally_run *run) { return tally_track(run, "buffer_complete", NULL, 0); }

/* The player met an error with this identifier; `message` may be NULL. */
static inline int32_t tally_track_error(tally_run *run, const char *id, const char *message, bool is_fatal) {
  tally_attribute attributes[3];
  attributes[0] = tally_text("error_id", id);
  attributes[1] = tally_truth("error_fatal", is_fatal);
  attributes[2] = tally_text("error_message", message);
  return tally_track(run, "player_error", attributes, message ? 3 : 2);
}

/* The viewer's consent, "in", "out" or "pending", for all trackers when `tracker` is NULL. */
static inline int32_t tally_track_consent(tally_run *run, const char *state, const char *tracker) {
  tally_attribute attributes[2];
  attributes[0] = tally_text("consent_scope", tracker ? tracker : "all");
  attributes[1] = tally_text("consent_state", state);
  return tally_track(run, "consent", attributes, 2);
}

/* An event of the application's own. */
static inline int32_t tally_track_custom(tally_run *run, const char *name) {
  tally_attribute attribute = tally_text("custom_name", name);
  return tally_track(run, "custom", &attribute, 1);
}

/* ---- Reports ---- */

enum {
  TALLY_REPORT_SESSION = 1,  /* a session's outputs were delivered, or the time for that has passed: once a session */
  TALLY_REPORT_ERROR = 2,    /* a tracker met an error that concerns the player */
  TALLY_REPORT_LOG = 3,      /* a log line, with TALLY_OPEN_LOG_REPORTS */
  TALLY_REPORT_MISSED = 4    /* reports were dropped, as nobody fetched them: `dropped` says how many */
};

/* What Tally has to say to the player. Members that a kind does not have are 0 or NULL. */
typedef struct tally_report {
  uint32_t size;
  uint32_t kind;         /* TALLY_REPORT_... */
  uint32_t session;      /* number of the session in its run, from 1 */
  uint32_t timed_out;    /* 1 when a reporter had not answered in time */
  uint64_t delivered;    /* outputs that reporters sent */
  uint64_t kept;         /* outputs that they keep for later */
  uint64_t dropped;      /* outputs that were lost */
  int32_t level;         /* TALLY_LEVEL_... of a log line */
  uint32_t reserved;
  const char *run;       /* id of the run */
  const char *plugin;    /* configured name of the tracker or reporter */
  const char *code;      /* the tracker's code of an error */
  const char *message;
  const char *details;
} tally_report;

/* A report to be filled in. */
static inline tally_report tally_report_empty(void) {
  tally_report report;
  memset(&report, 0, sizeof report);
  report.size = TALLY_CAST(uint32_t, sizeof report);
  return report;
}

/* Fetches the oldest report; false when there is none. Its texts are valid until the next call for the same object.
 * At most 1,000 wait. [one thread] [quick] */
bool tally_next_report(tally *telemetry, tally_report *report);

/* A descriptor that can be read while reports wait: for poll, epoll and event loops; never to be read from or closed.
 * -1 when the process ends. [any thread] [quick] */
int tally_report_descriptor(tally *telemetry);

/* ---- Players that tell what happens, and not what it means ---- */

/* Follows a player by its signals: a run with the rules that are the same for all players. A load is held until it is
 * no redirect, a halt within a wait for data is told apart from a pause, seeks are merged, counters that begin anew
 * become totals, and an end before the duration is an error. */
typedef struct tally_adapter tally_adapter;

/* Begins a run that is told by signals; `player` says what is known of the player: player_name, player_version,
 * application_name and the like. [any thread] [waits: some ms] */
tally_adapter *tally_adapter_start(tally *telemetry, const tally_run_options *options, const tally_attribute *player,
                                   size_t count, tally_error *error);

/* Tells one signal, which happened at `time_ns` of CLOCK_MONOTONIC; 0 is now. Times that go back count as the last one.
 * Gives the number of track calls that it came to, or TALLY_ENDED, TALLY_UNKNOWN_EVENT, TALLY_NO_RUN,
 * TALLY_WRONG_ATTRIBUTES; what is wrong with it is logged once. docs/signals.md lists the signals; their attributes are
 * in brackets:
 *   opening [url, playing]                redirected   opened [duration_ms, live, video]
 *   described [any of the data model]     wanted [playing]      running [running]       buffering [percent]
 *   seeking [to_ms, rate]  seeked [at_ms] picture               position [ms]           tick
 *   format [width, height, fps]           bitrate [video, audio]  variant [bitrate]
 *   dropped [source, count, event]        rendered [count]      throughput [bitrate]    buffered [ms]
 *   setting [volume, muted, rate, fullscreen, player_width, player_height]
 *   chapter [start_ms, end_ms, title], once each behind `chapters`, which forgets the ones before
 *   request [url, status, bytes, type, duration_ms]             missing_decoder [media_type, name]
 *   failed [domain, code, http_status, message, debug]          ended [limited]         closed [cause]
 * [any thread] [quick] */
int32_t tally_signal(tally_adapter *adapter, int64_t time_ns, const char *signal, const tally_attribute *attributes,
                     size_t count);

/* The run of an adapter, lent: for its id, its archive, and events of the application's own. [any thread] [quick] */
tally_run *tally_adapter_run(tally_adapter *adapter);

/* Ends the session and the run, which gets `limit_ms` to deliver, and frees the adapter. [one thread] [waits] */
void tally_adapter_free(tally_adapter *adapter, int64_t limit_ms);

/* ---- Plugins while playback goes on ---- */

/* Carries out a command as the control socket takes it: "plugin enable NAME", "plugin disable NAME", "plugin load
 * FILE", "plugin replace FILE", "configure NAME JSON", "plugin list", "stats", "drain 5", "erase", "reload", "help".
 * Gives its answer as JSON, to be freed with tally_free; NULL when it was refused, and `error` says why. Changes of
 * trackers are for all runs that go on and for those that begin from now on. [any thread] [waits] */
char *tally_perform(tally *telemetry, const char *command, tally_error *error);

/* Frees what a function gave to be freed; NULL is legal. [any thread] [quick] */
void tally_free(void *memory);

/* Brings runs to their end that a crash cut off: those of a folder, or one archive. tally_open does it for its archive
 * folder, on a thread of its own. Gives how many got their end, of which there are none without a reporter that keeps
 * what it took; -1 with an error. [any thread] [waits] */
int64_t tally_recover(tally *telemetry, const char *archives, tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
