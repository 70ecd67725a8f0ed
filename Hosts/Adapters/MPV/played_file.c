#define _GNU_SOURCE
/* What mpv has open, as its properties say it, made signals of. */
#include "plugin.h"

#include <math.h>
#include <string.h>

/* ---- Signals ---- */

void plugin_signal(plugin *self, const char *name, const tally_attribute *attributes, size_t count) {
  adapter_signal(self->player, name, attributes, count);
}

void plugin_signal_alone(plugin *self, const char *name) { plugin_signal(self, name, NULL, 0); }

void plugin_signal_integer(plugin *self, const char *name, const char *attribute, int64_t value) {
  tally_attribute one = tally_integer(attribute, value);
  plugin_signal(self, name, &one, 1);
}

void plugin_signal_truth(plugin *self, const char *name, const char *attribute, bool value) {
  tally_attribute one = tally_truth(attribute, value);
  plugin_signal(self, name, &one, 1);
}

/* ---- Properties ---- */

bool plugin_double(plugin *self, const char *name, double *value) {
  return mpv_get_property(self->mpv, name, MPV_FORMAT_DOUBLE, value) >= 0 && isfinite(*value);
}

bool plugin_integer(plugin *self, const char *name, int64_t *value) {
  return mpv_get_property(self->mpv, name, MPV_FORMAT_INT64, value) >= 0;
}

/* -1 when it is not known. */
int plugin_flag(plugin *self, const char *name) {
  int value = 0;
  return mpv_get_property(self->mpv, name, MPV_FORMAT_FLAG, &value) >= 0 ? value != 0 : -1;
}

int64_t plugin_milliseconds(plugin *self, const char *name, int64_t unknown) {
  double seconds;
  return plugin_double(self, name, &seconds) ? llround(seconds * 1000) : unknown;
}

bool plugin_has_text(plugin *self, const char *name, const char *expected) {
  char *text = mpv_get_property_string(self->mpv, name);
  bool is_same = text && strcmp(text, expected) == 0;
  mpv_free(text);
  return is_same;
}

/* ---- What is played ---- */

void played_settings(plugin *self) {
  tally_attribute attributes[6];
  size_t count = 0;
  double number;
  int64_t width, height;
  if (plugin_double(self, "volume", &number)) attributes[count++] = tally_number("volume", number / 100);
  if (plugin_double(self, "speed", &number)) attributes[count++] = tally_number("rate", number);
  int flag = plugin_flag(self, "mute");
  if (flag >= 0) attributes[count++] = tally_truth("muted", flag);
  flag = plugin_flag(self, "fullscreen");
  if (flag >= 0) attributes[count++] = tally_truth("fullscreen", flag);
  if (plugin_integer(self, "osd-width", &width) && plugin_integer(self, "osd-height", &height) && width > 0 && height > 0) {
    attributes[count++] = tally_integer("player_width", width);
    attributes[count++] = tally_integer("player_height", height);
  }
  plugin_signal(self, "setting", attributes, count);
}

void played_format(plugin *self) {
  int64_t width, height;
  if (!plugin_integer(self, "video-params/w", &width) || !plugin_integer(self, "video-params/h", &height)) return;
  tally_attribute attributes[3] = {tally_integer("width", width), tally_integer("height", height)};
  size_t count = 2;
  double rate;
  if (plugin_double(self, "container-fps", &rate)) attributes[count++] = tally_number("fps", rate);
  plugin_signal(self, "format", attributes, count);
}

/* A stream of HLS that cannot be moved in is live when its length is not known, or grows while it plays. */
void played_length(plugin *self, bool is_first) {
  int64_t duration = plugin_milliseconds(self, "duration", -1);
  bool is_stream = plugin_has_text(self, "file-format", "hls") && plugin_flag(self, "seekable") == 0;
  bool is_live = is_stream && (duration < 0 || (!is_first && self->duration >= 0 && duration > self->duration));
  if (!is_first && (duration == self->duration || !(is_live && self->duration >= -1))) return;
  tally_attribute attributes[3];
  size_t count = 0;
  if (is_live || duration >= 0) attributes[count++] = tally_integer("duration_ms", is_live ? -1 : duration);
  attributes[count++] = tally_truth("live", is_live);
  attributes[count++] = tally_truth("video", !plugin_has_text(self, "vid", "no"));
  plugin_signal(self, "opened", attributes, count);
  self->duration = is_live ? -3 : duration;
}

static const mpv_node *member(const mpv_node *map, const char *name) {
  if (map->format != MPV_FORMAT_NODE_MAP) return NULL;
  for (int index = 0; index < map->u.list->num; index++) {
    if (strcmp(map->u.list->keys[index], name) == 0) return &map->u.list->values[index];
  }
  return NULL;
}

void played_chapters(plugin *self) {
  mpv_node list;
  if (mpv_get_property(self->mpv, "chapter-list", MPV_FORMAT_NODE, &list) < 0) return;
  if (list.format == MPV_FORMAT_NODE_ARRAY && list.u.list->num > 0) {
    plugin_signal_alone(self, "chapters");
    for (int index = 0; index < list.u.list->num; index++) {
      const mpv_node *time = member(&list.u.list->values[index], "time");
      const mpv_node *title = member(&list.u.list->values[index], "title");
      tally_attribute attributes[2];
      size_t count = 0;
      if (!time || time->format != MPV_FORMAT_DOUBLE) continue;
      attributes[count++] = tally_integer("start_ms", llround(time->u.double_ * 1000));
      if (title && title->format == MPV_FORMAT_STRING) attributes[count++] = tally_text("title", title->u.string);
      plugin_signal(self, "chapter", attributes, count);
    }
  }
  mpv_free_node_contents(&list);
}

void played_description(plugin *self) {
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
  if (known > 0) plugin_signal(self, "described", attributes, known);
  for (size_t index = 0; index < count; index++) mpv_free(texts[index]);
}
