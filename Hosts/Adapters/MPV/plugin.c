/* The plugin of mpv: `mpv --script=tally.so FILE`. What mpv says becomes signals; what they mean is libtally's to say.
 *
 * mpv calls mpv_open_cplugin on a thread of the plugin's own and waits for its first look at events before it plays.
 * Events come in order; changes of properties behind them, coalesced: so events are acted on, and properties read
 * then. */
#define _GNU_SOURCE
#include "mpv_client.h"

#include <adapter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How often the playhead is looked at, s, and how often what changes slowly is: so many looks. */
static const double poll_interval = 0.25;
static const unsigned slow_polls = 8;
/* What messages begin with. */
static const char program[] = "tally for mpv";
/* How long reporters may take to deliver as mpv ends, ms. */
static const int64_t end_limit = 2000;

enum { dropped_by_output = 1, dropped_by_decoder = 2 };

typedef struct plugin {
  mpv_handle *mpv;
  adapter_settings settings;
  adapter_host *host;
  adapter_player *player;
  bool is_open;      /* a file is open */
  bool has_picture;
  bool has_ended;    /* at the end of a file that stays open */
  bool is_still;     /* it is a picture that is to stand */
  int64_t duration;  /* ms as told last; -2 when nothing was */
  unsigned polls;
  int failure;       /* why the file could not be played, until the words for it have come; 0 for none */
  int64_t failed_ns;
  int http_status;   /* of the last answer that FFmpeg complained of, 0 for none */
  char words[512];   /* what FFmpeg complained of since the file was opened */
} plugin;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ---- Signals ---- */

static void signal_with(plugin *self, const char *name, const tally_attribute *attributes, size_t count) {
  adapter_signal(self->player, name, attributes, count);
}

static void signal_alone(plugin *self, const char *name) { signal_with(self, name, NULL, 0); }

static void signal_integer(plugin *self, const char *name, const char *attribute, int64_t value) {
  tally_attribute one = tally_integer(attribute, value);
  signal_with(self, name, &one, 1);
}

static void signal_truth(plugin *self, const char *name, const char *attribute, bool value) {
  tally_attribute one = tally_truth(attribute, value);
  signal_with(self, name, &one, 1);
}

/* ---- Properties ---- */

static bool get_double(plugin *self, const char *name, double *value) {
  return mpv_get_property(self->mpv, name, MPV_FORMAT_DOUBLE, value) >= 0 && isfinite(*value);
}

static bool get_integer(plugin *self, const char *name, int64_t *value) {
  return mpv_get_property(self->mpv, name, MPV_FORMAT_INT64, value) >= 0;
}

/* -1 when it is not known. */
static int get_flag(plugin *self, const char *name) {
  int value = 0;
  return mpv_get_property(self->mpv, name, MPV_FORMAT_FLAG, &value) >= 0 ? value != 0 : -1;
}

static int64_t get_milliseconds(plugin *self, const char *name, int64_t unknown) {
  double seconds;
  return get_double(self, name, &seconds) ? llround(seconds * 1000) : unknown;
}

static bool is_text(plugin *self, const char *name, const char *expected) {
  char *text = mpv_get_property_string(self->mpv, name);
  bool is_same = text && strcmp(text, expected) == 0;
  mpv_free(text);
  return is_same;
}

/* ---- What is played ---- */

static void tell_settings(plugin *self) {
  tally_attribute attributes[6];
  size_t count = 0;
  double number;
  int64_t width, height;
  if (get_double(self, "volume", &number)) attributes[count++] = tally_number("volume", number / 100);
  if (get_double(self, "speed", &number)) attributes[count++] = tally_number("rate", number);
  int flag = get_flag(self, "mute");
  if (flag >= 0) attributes[count++] = tally_truth("muted", flag);
  flag = get_flag(self, "fullscreen");
  if (flag >= 0) attributes[count++] = tally_truth("fullscreen", flag);
  if (get_integer(self, "osd-width", &width) && get_integer(self, "osd-height", &height) && width > 0 && height > 0) {
    attributes[count++] = tally_integer("player_width", width);
    attributes[count++] = tally_integer("player_height", height);
  }
  signal_with(self, "setting", attributes, count);
}

static void tell_format(plugin *self) {
  int64_t width, height;
  if (!get_integer(self, "video-params/w", &width) || !get_integer(self, "video-params/h", &height)) return;
  tally_attribute attributes[3] = {tally_integer("width", width), tally_integer("height", height)};
  size_t count = 2;
  double rate;
  if (get_double(self, "container-fps", &rate)) attributes[count++] = tally_number("fps", rate);
  signal_with(self, "format", attributes, count);
}

/* A stream of HLS that cannot be moved in is live when its length is not known, or grows while it plays. */
static void tell_length(plugin *self, bool is_first) {
  int64_t duration = get_milliseconds(self, "duration", -1);
  bool is_stream = is_text(self, "file-format", "hls") && get_flag(self, "seekable") == 0;
  bool is_live = is_stream && (duration < 0 || (!is_first && self->duration >= 0 && duration > self->duration));
  if (!is_first && (duration == self->duration || !(is_live && self->duration >= -1))) return;
  tally_attribute attributes[3];
  size_t count = 0;
  if (is_live || duration >= 0) attributes[count++] = tally_integer("duration_ms", is_live ? -1 : duration);
  attributes[count++] = tally_truth("live", is_live);
  attributes[count++] = tally_truth("video", !is_text(self, "vid", "no"));
  signal_with(self, "opened", attributes, count);
  self->duration = is_live ? -3 : duration;
}

static const mpv_node *member(const mpv_node *map, const char *name) {
  if (map->format != MPV_FORMAT_NODE_MAP) return NULL;
  for (int index = 0; index < map->u.list->num; index++) {
    if (strcmp(map->u.list->keys[index], name) == 0) return &map->u.list->values[index];
  }
  return NULL;
}

static void tell_chapters(plugin *self) {
  mpv_node list;
  if (mpv_get_property(self->mpv, "chapter-list", MPV_FORMAT_NODE, &list) < 0) return;
  if (list.format == MPV_FORMAT_NODE_ARRAY && list.u.list->num > 0) {
    signal_alone(self, "chapters");
    for (int index = 0; index < list.u.list->num; index++) {
      const mpv_node *time = member(&list.u.list->values[index], "time");
      const mpv_node *title = member(&list.u.list->values[index], "title");
      tally_attribute attributes[2];
      size_t count = 0;
      if (!time || time->format != MPV_FORMAT_DOUBLE) continue;
      attributes[count++] = tally_integer("start_ms", llround(time->u.double_ * 1000));
      if (title && title->format == MPV_FORMAT_STRING) attributes[count++] = tally_text("title", title->u.string);
      signal_with(self, "chapter", attributes, count);
    }
  }
  mpv_free_node_contents(&list);
}

static void tell_description(plugin *self) {
  static const char *const names[][2] = {
      {"media-title", "video_name"},
      {"video-codec", "video_codec"},
      {"audio-codec-name", "audio_codec"},
      {"current-tracks/audio/lang", "video_language"},
      {"current-tracks/sub/lang", "subtitle_language"},
  };
  enum { count = sizeof names / sizeof names[0] };
  char *texts[count];
  tally_attribute attributes[count];
  size_t known = 0;
  for (size_t index = 0; index < count; index++) {
    texts[index] = mpv_get_property_string(self->mpv, names[index][0]);
    if (texts[index] && *texts[index]) attributes[known++] = tally_text(names[index][1], texts[index]);
  }
  if (known > 0) signal_with(self, "described", attributes, known);
  for (size_t index = 0; index < count; index++) mpv_free(texts[index]);
}

/* ---- Events ---- */

static void open_file(plugin *self) {
  self->is_open = true;
  self->has_picture = self->has_ended = false;
  self->duration = -2;
  self->http_status = 0;
  self->words[0] = 0;
  self->polls = 0;
  char *path = mpv_get_property_string(self->mpv, "path");
  tally_attribute attributes[2] = {tally_text("url", path ? path : ""), tally_truth("playing", get_flag(self, "pause") != 1)};
  signal_with(self, "opening", attributes, 2);
  mpv_free(path);
  tell_settings(self);
}

static void file_loaded(plugin *self) {
  self->is_still = get_flag(self, "current-tracks/video/image") == 1;
  tell_length(self, true);
  tell_description(self);
  tell_chapters(self);
}

/* A file that stays open at its end is played again: that is another session. */
static void reopen_at_end(plugin *self) {
  if (!self->has_ended) return;
  open_file(self);
  file_loaded(self);
  tell_format(self);
}

static bool is_limited(plugin *self) {
  return !is_text(self, "options/length", "none") || !is_text(self, "options/end", "none");
}

/* FFmpeg's words come by another way than events, and may come a little later. */
static const int64_t words_wait_ns = 500000000;

static void tell_failure(plugin *self) {
  if (self->failure == 0) return;
  tally_attribute attributes[5] = {
      tally_text("domain", "mpv"),
      tally_integer("code", self->failure),
      tally_text("message", mpv_error_string(self->failure)),
      tally_text("debug", self->words),
  };
  size_t count = 4;
  if (self->http_status > 0) attributes[count++] = tally_integer("http_status", self->http_status);
  signal_with(self, "failed", attributes, count);
  self->failure = 0;
}

static void end_file(plugin *self, const mpv_event_end_file *end) {
  self->is_open = false;
  if (self->has_ended) return;
  switch (end->reason) {
    case MPV_END_FILE_REASON_EOF:
      signal_truth(self, "ended", "limited", is_limited(self));
      break;
    case MPV_END_FILE_REASON_REDIRECT:
      signal_alone(self, "redirected");
      break;
    case MPV_END_FILE_REASON_ERROR:
      self->failure = end->error;
      self->failed_ns = now_ns();
      break;
    default:
      signal_alone(self, "closed");
  }
}

static void playback_restarted(plugin *self) {
  reopen_at_end(self);
  tell_format(self);
  if (!self->has_picture) {
    self->has_picture = true;
    signal_alone(self, "picture");
    return;
  }
  int64_t place = get_milliseconds(self, "time-pos", -1);
  if (place >= 0) signal_integer(self, "seeked", "at_ms", place);
  else signal_alone(self, "seeked");
}

static void seek_begun(plugin *self) {
  reopen_at_end(self);
  /* The place is the target already. */
  int64_t target = get_milliseconds(self, "time-pos", -1);
  if (target >= 0) signal_integer(self, "seeking", "to_ms", target);
  else signal_alone(self, "seeking");
}

static void reached_end(plugin *self) {
  if (self->has_ended || !self->is_open) return;
  signal_truth(self, "ended", "limited", is_limited(self));
  self->has_ended = true;
}

/* Where playback halts or goes on, which the regular look knows of up to 250 ms ago. */
static void tell_place(plugin *self) {
  int64_t place = self->is_open && self->has_picture ? get_milliseconds(self, "time-pos", -1) : -1;
  if (place >= 0 && !self->is_still) signal_integer(self, "position", "ms", place);
}

static void property_changed(plugin *self, const mpv_event_property *property) {
  bool is_flag = property->format == MPV_FORMAT_FLAG;
  bool flag = is_flag && *(int *)property->data != 0;
  if (strcmp(property->name, "pause") == 0 && is_flag) {
    /* At the end of a file that stays open mpv pauses itself. */
    if (flag && get_flag(self, "eof-reached") == 1) return reached_end(self);
    tell_place(self);
    signal_truth(self, "wanted", "playing", !flag);
  } else if (strcmp(property->name, "paused-for-cache") == 0 && is_flag) {
    tell_place(self);
    signal_integer(self, "buffering", "percent", flag ? 0 : 100);
  } else if (strcmp(property->name, "eof-reached") == 0) {
    if (flag) reached_end(self);
  } else if (strstr(property->name, "frame-drop-count") && property->format == MPV_FORMAT_INT64) {
    tally_attribute attributes[2] = {
        tally_integer("source", property->name[0] == 'd' ? dropped_by_decoder : dropped_by_output),
        tally_integer("count", *(int64_t *)property->data)};
    signal_with(self, "dropped", attributes, 2);
  } else if (strcmp(property->name, "chapter-list") == 0) {
    if (self->is_open) tell_chapters(self);
  } else if (strcmp(property->name, "sid") == 0 || strcmp(property->name, "aid") == 0) {
    if (self->is_open && self->has_picture) tell_description(self);
  } else {
    tell_settings(self);
  }
}

/* FFmpeg's words are the only source of an HTTP status, and of why a connection failed. */
static void remember(plugin *self, const mpv_event_log_message *message) {
  const char *status = strstr(message->text, "HTTP error ");
  if (status) self->http_status = atoi(status + strlen("HTTP error "));
  size_t used = strlen(self->words);
  if (used + 2 < sizeof self->words) snprintf(self->words + used, sizeof self->words - used, "%s", message->text);
}

static void poll(plugin *self) {
  if (!self->is_open || self->has_ended) return;
  int64_t place = get_milliseconds(self, "time-pos", -1);
  if (self->polls++ % slow_polls == 0) {
    double rate, sound = 0;
    int64_t number;
    if (get_double(self, "video-bitrate", &rate) && rate > 0) {
      get_double(self, "audio-bitrate", &sound);
      tally_attribute attributes[2] = {tally_integer("video", llround(rate)), tally_integer("audio", llround(sound))};
      signal_with(self, "bitrate", attributes, 2);
    }
    /* A file of this machine is not fetched. */
    if (get_flag(self, "demuxer-via-network") == 1 && get_integer(self, "cache-speed", &number)) signal_integer(self, "throughput", "bitrate", number * 8);
    int64_t buffered = get_milliseconds(self, "demuxer-cache-duration", -1);
    if (buffered >= 0) signal_integer(self, "buffered", "ms", buffered);
    if (self->duration != -2) tell_length(self, false);
  }
  if (place >= 0 && !self->is_still) signal_integer(self, "position", "ms", place);
  else signal_alone(self, "tick");
}

/* ---- The plugin ---- */

static bool read_settings(plugin *self) {
  mpv_node options;
  if (mpv_get_property(self->mpv, "options/script-opts", MPV_FORMAT_NODE, &options) >= 0) {
    for (int index = 0; options.format == MPV_FORMAT_NODE_MAP && index < options.u.list->num; index++) {
      const char *key = options.u.list->keys[index];
      const mpv_node *value = &options.u.list->values[index];
      if (strncmp(key, "tally-", 6) != 0 || value->format != MPV_FORMAT_STRING) continue;
      if (!adapter_settings_read(&self->settings, key + 6, value->u.string)) {
        fprintf(stderr, "%s: nothing is tracked: there is no option %s: behind tally- there are " ADAPTER_SETTING_NAMES "\n",
                program, key);
        mpv_free_node_contents(&options);
        return false;
      }
    }
    mpv_free_node_contents(&options);
  }
  if (self->settings.config) return true;
  /* A file in mpv's own folder counts, then the system's. */
  const char *command[] = {"expand-path", "~~/tally.json5", NULL};
  mpv_node path;
  if (mpv_command_ret(self->mpv, command, &path) >= 0) {
    /* Without such a folder it is a name in the present one, whose files nobody expects to be read. */
    if (path.format == MPV_FORMAT_STRING && path.u.string[0] == '/' && adapter_can_read(path.u.string)) {
      adapter_settings_read(&self->settings, "config", path.u.string);
    }
    mpv_free_node_contents(&path);
  }
  if (!adapter_settings_track(&self->settings) && adapter_can_read("/etc/tally.json5")) {
    adapter_settings_read(&self->settings, "config", "/etc/tally.json5");
  }
  return adapter_settings_track(&self->settings);
}

static void observe(plugin *self) {
  static const struct {
    const char *name;
    mpv_format format;
  } properties[] = {
      {"pause", MPV_FORMAT_FLAG},       {"paused-for-cache", MPV_FORMAT_FLAG},
      {"eof-reached", MPV_FORMAT_FLAG}, {"frame-drop-count", MPV_FORMAT_INT64},
      {"volume", MPV_FORMAT_DOUBLE},    {"decoder-frame-drop-count", MPV_FORMAT_INT64},
      {"mute", MPV_FORMAT_FLAG},        {"speed", MPV_FORMAT_DOUBLE},
      {"fullscreen", MPV_FORMAT_FLAG},  {"osd-width", MPV_FORMAT_INT64},
      {"osd-height", MPV_FORMAT_INT64}, {"chapter-list", MPV_FORMAT_NONE},
      {"aid", MPV_FORMAT_NONE},         {"sid", MPV_FORMAT_NONE},
  };
  for (size_t index = 0; index < sizeof properties / sizeof properties[0]; index++) {
    mpv_observe_property(self->mpv, 0, properties[index].name, properties[index].format);
  }
  mpv_request_log_messages(self->mpv, "warn");
}

static bool act(plugin *self, mpv_event event) {
  switch (event.event_id) {
    case MPV_EVENT_SHUTDOWN: return false;
    case MPV_EVENT_LOG_MESSAGE: remember(self, event.data); break;
    case MPV_EVENT_START_FILE: open_file(self); break;
    case MPV_EVENT_FILE_LOADED: file_loaded(self); break;
    case MPV_EVENT_VIDEO_RECONFIG: if (self->is_open) tell_format(self); break;
    case MPV_EVENT_SEEK: seek_begun(self); break;
    case MPV_EVENT_PLAYBACK_RESTART: playback_restarted(self); break;
    case MPV_EVENT_END_FILE: end_file(self, event.data); break;
    case MPV_EVENT_PROPERTY_CHANGE: property_changed(self, event.data); break;
    default: break;
  }
  return true;
}

/* Waits for the words of a failure, before what comes next is acted on; gives an event that came meanwhile. */
static mpv_event await_words(plugin *self) {
  mpv_event late = {.event_id = MPV_EVENT_NONE};
  while (self->failure != 0 && !*self->words && now_ns() - self->failed_ns < words_wait_ns) {
    late = *mpv_wait_event(self->mpv, 0.01);
    if (late.event_id == MPV_EVENT_LOG_MESSAGE) remember(self, late.data);
    /* They come behind events and changed properties, however early they were said. */
    else if (late.event_id == MPV_EVENT_PROPERTY_CHANGE) property_changed(self, late.data);
    else if (late.event_id != MPV_EVENT_NONE) break;
    late.event_id = MPV_EVENT_NONE;
  }
  tell_failure(self);
  return late;
}

static bool handle(plugin *self, mpv_event event) {
  mpv_event late = {.event_id = MPV_EVENT_NONE};
  if (event.event_id == MPV_EVENT_START_FILE || event.event_id == MPV_EVENT_SHUTDOWN) {
    late = await_words(self);
  } else if (now_ns() - self->failed_ns >= words_wait_ns) {
    tell_failure(self);
  }
  return act(self, event) && (late.event_id == MPV_EVENT_LOG_MESSAGE || act(self, late));
}

static bool begin(plugin *self) {
  self->host = adapter_host_create(&self->settings, program, "mpv", (const void *)begin);
  if (!self->host) return false;
  char *version = mpv_get_property_string(self->mpv, "mpv-version");
  const char *number = version && strncmp(version, "mpv ", 4) == 0 ? version + 4 : version;
  self->player = adapter_player_create(self->host, "mpv", number);
  mpv_free(version);
  return self->player != NULL;
}

__attribute__((visibility("default"))) int mpv_open_cplugin(mpv_handle *mpv) {
  plugin self = {.mpv = mpv, .duration = -2};
  if (read_settings(&self) && begin(&self)) {
    observe(&self);
    int64_t next = now_ns();
    while (!adapter_has_failed(self.host)) {
      int64_t wait = next - now_ns();
      double limit = self.is_open ? (wait > 0 ? wait / 1e9 : 0) : self.failure != 0 ? words_wait_ns / 1e9 : -1;
      if (!handle(&self, *mpv_wait_event(mpv, limit))) break;
      if (now_ns() < next) continue;
      poll(&self);
      next = now_ns() + (int64_t)(poll_interval * 1e9);
    }
    adapter_player_end(self.player);
  }
  if (self.host) adapter_host_end(self.host, end_limit);
  adapter_settings_free(&self.settings);
  return 0;
}
