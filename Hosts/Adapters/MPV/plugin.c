/* The plugin of mpv: `mpv --script=tally.so FILE`. What mpv says becomes signals; what they mean is libtally's to say.
 *
 * mpv calls mpv_open_cplugin on a thread of the plugin's own and waits for its first look at events before it plays.
 * Events come in order; changes of properties behind them, coalesced: so events are acted on, and properties read
 * then. */
#define _GNU_SOURCE
#include "plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How often the playhead is looked at, s, and how often what changes slowly is: so many looks. */
static const double poll_interval = 0.25;
static const unsigned slow_polls = 8;
/* How long reporters may take to deliver as mpv ends, ms. */
static const int64_t end_limit = 2000;

enum { dropped_by_output = 1, dropped_by_decoder = 2 };

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
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
  tally_attribute attributes[2] = {tally_text("url", path ? path : ""), tally_truth("playing", plugin_flag(self, "pause") != 1)};
  plugin_signal(self, "opening", attributes, 2);
  mpv_free(path);
  played_settings(self);
}

static void file_loaded(plugin *self) {
  self->is_still = plugin_flag(self, "current-tracks/video/image") == 1;
  played_length(self, true);
  played_description(self);
  played_chapters(self);
}

/* A file that stays open at its end is played again: that is another session. */
static void reopen_at_end(plugin *self) {
  if (!self->has_ended) return;
  open_file(self);
  file_loaded(self);
  played_format(self);
}

static bool is_limited(plugin *self) {
  return !plugin_has_text(self, "options/length", "none") || !plugin_has_text(self, "options/end", "none");
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
  plugin_signal(self, "failed", attributes, count);
  self->failure = 0;
}

static void close_file(plugin *self, int reason) {
  bool is_quit = reason == MPV_END_FILE_REASON_QUIT;
  tally_attribute cause = tally_text("cause", is_quit ? "quit" : "stop");
  plugin_signal(self, "closed", &cause, is_quit || reason == MPV_END_FILE_REASON_STOP ? 1 : 0);
}

static void end_file(plugin *self, const mpv_event_end_file *end) {
  self->is_open = false;
  if (self->has_ended) return;
  switch (end->reason) {
    case MPV_END_FILE_REASON_EOF:
      plugin_signal_truth(self, "ended", "limited", is_limited(self));
      break;
    case MPV_END_FILE_REASON_REDIRECT:
      plugin_signal_alone(self, "redirected");
      break;
    case MPV_END_FILE_REASON_ERROR:
      self->failure = end->error;
      self->failed_ns = now_ns();
      break;
    default:
      close_file(self, end->reason);
  }
}

static void playback_restarted(plugin *self) {
  reopen_at_end(self);
  played_format(self);
  if (!self->has_picture) {
    self->has_picture = true;
    plugin_signal_alone(self, "picture");
    return;
  }
  int64_t place = plugin_milliseconds(self, "time-pos", -1);
  if (place >= 0) plugin_signal_integer(self, "seeked", "at_ms", place);
  else plugin_signal_alone(self, "seeked");
}

static void seek_begun(plugin *self) {
  reopen_at_end(self);
  /* The place is the target already. */
  int64_t target = plugin_milliseconds(self, "time-pos", -1);
  if (target >= 0) plugin_signal_integer(self, "seeking", "to_ms", target);
  else plugin_signal_alone(self, "seeking");
}

static void reached_end(plugin *self) {
  if (self->has_ended || !self->is_open) return;
  plugin_signal_truth(self, "ended", "limited", is_limited(self));
  self->has_ended = true;
}

/* Where playback halts or goes on, which the regular look knows of up to 250 ms ago. */
static void tell_place(plugin *self) {
  int64_t place = self->is_open && self->has_picture ? plugin_milliseconds(self, "time-pos", -1) : -1;
  if (place >= 0 && !self->is_still) plugin_signal_integer(self, "position", "ms", place);
}

static void property_changed(plugin *self, const mpv_event_property *property) {
  bool is_flag = property->format == MPV_FORMAT_FLAG;
  bool flag = is_flag && *(int *)property->data != 0;
  if (strcmp(property->name, "pause") == 0 && is_flag) {
    /* At the end of a file that stays open mpv pauses itself. */
    if (flag && plugin_flag(self, "eof-reached") == 1) return reached_end(self);
    tell_place(self);
    plugin_signal_truth(self, "wanted", "playing", !flag);
  } else if (strcmp(property->name, "paused-for-cache") == 0 && is_flag) {
    tell_place(self);
    plugin_signal_integer(self, "buffering", "percent", flag ? 0 : 100);
  } else if (strcmp(property->name, "eof-reached") == 0) {
    if (flag) reached_end(self);
  } else if (strstr(property->name, "frame-drop-count") && property->format == MPV_FORMAT_INT64) {
    tally_attribute attributes[2] = {
        tally_integer("source", property->name[0] == 'd' ? dropped_by_decoder : dropped_by_output),
        tally_integer("count", *(int64_t *)property->data)};
    plugin_signal(self, "dropped", attributes, 2);
  } else if (strcmp(property->name, "chapter-list") == 0) {
    if (self->is_open) played_chapters(self);
  } else if (strcmp(property->name, "sid") == 0 || strcmp(property->name, "aid") == 0) {
    if (self->is_open && self->has_picture) played_description(self);
  } else {
    played_settings(self);
  }
}

/* FFmpeg's words are the only source of an HTTP status, and of why a connection failed. */
static void remember(plugin *self, const mpv_event_log_message *message) {
  /* What loudspeaker and screen say is not said of the file. */
  if (strncmp(message->prefix, "ao", 2) == 0 || strncmp(message->prefix, "vo", 2) == 0) return;
  const char *status = strstr(message->text, "HTTP error ");
  if (status) self->http_status = atoi(status + strlen("HTTP error "));
  size_t used = strlen(self->words);
  if (used + 2 < sizeof self->words) snprintf(self->words + used, sizeof self->words - used, "%s", message->text);
}

static void poll(plugin *self) {
  if (!self->is_open || self->has_ended) return;
  int64_t place = plugin_milliseconds(self, "time-pos", -1);
  if (self->polls++ % slow_polls == 0) {
    double rate, sound = 0;
    int64_t number;
    if (plugin_double(self, "video-bitrate", &rate) && rate > 0) {
      plugin_double(self, "audio-bitrate", &sound);
      tally_attribute attributes[2] = {tally_integer("video", llround(rate)), tally_integer("audio", llround(sound))};
      plugin_signal(self, "bitrate", attributes, 2);
    }
    /* A file of this machine is not fetched. */
    if (plugin_flag(self, "demuxer-via-network") == 1 && plugin_integer(self, "cache-speed", &number)) plugin_signal_integer(self, "throughput", "bitrate", number * 8);
    int64_t buffered = plugin_milliseconds(self, "demuxer-cache-duration", -1);
    if (buffered >= 0) plugin_signal_integer(self, "buffered", "ms", buffered);
    if (self->duration != -2) played_length(self, false);
  }
  if (place >= 0 && !self->is_still) plugin_signal_integer(self, "position", "ms", place);
  else plugin_signal_alone(self, "tick");
}

/* ---- The plugin ---- */

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
    case MPV_EVENT_VIDEO_RECONFIG: if (self->is_open) played_format(self); break;
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
  self->host = adapter_host_create(&self->settings, PLUGIN_PROGRAM, "mpv", (const void *)begin);
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
  }
  /* The player ends with it, within the same limit. */
  if (self.host) adapter_host_end(self.host, end_limit);
  adapter_settings_free(&self.settings);
  return 0;
}
