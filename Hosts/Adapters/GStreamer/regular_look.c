#define _GNU_SOURCE
#include "watched_parts.h"

#include <string.h>

/* What elements have to be asked for, on the tracer's own thread. */

/* How many looks lie between two at what changes slowly, and at a length that is known, of which changes are told. */
enum { slow_polls = 4, length_polls = 16 };

static void look_at_sound(watched_player *self, GstElement *pipeline) {
  if (!watched_has_property(pipeline, "volume") || !watched_has_property(pipeline, "mute")) return;
  double volume = 1;
  gboolean is_muted = FALSE;
  g_object_get(pipeline, "volume", &volume, "mute", &is_muted, NULL);
  tally_attribute attributes[2] = {tally_number("volume", volume), tally_truth("muted", is_muted)};
  watched_tell(self, "setting", attributes, 2);
}

static void look_at_length(watched_player *self, GstElement *pipeline) {
  gint64 duration = -1;
  gboolean is_known = gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration);
  gint64 ms = is_known && duration >= 0 ? duration / (gint64)GST_MSECOND : -1;
  g_mutex_lock(&self->mutex);
  if (!self->is_length_asked || ms != self->duration_ms) {
    self->is_length_asked = TRUE;
    self->duration_ms = ms;
    tally_attribute attributes[3];
    size_t count = 0;
    if (ms >= 0) attributes[count++] = tally_integer("duration_ms", ms);
    if (is_known) attributes[count++] = tally_truth("live", ms < 0);
    attributes[count++] = tally_truth("video", self->video_sink != NULL);
    watched_tell(self, "opened", attributes, count);
  }
  g_mutex_unlock(&self->mutex);
}

static void look_at_counters(watched_player *self) {
  GstElement *sink = g_weak_ref_get(&self->picture);
  GstStructure *stats = NULL;
  guint64 rendered = 0;
  if (!sink) return;
  if (watched_has_property(sink, "stats")) g_object_get(sink, "stats", &stats, NULL);
  gst_object_unref(sink);
  /* It begins anew at each flush and pause: the total is made of it elsewhere. */
  if (stats && gst_structure_get_uint64(stats, "rendered", &rendered)) watched_tell_integer(self, "rendered", "count", (gint64)rendered);
  if (stats) gst_structure_free(stats);
}

static void look_at_playhead(watched_player *self, GstElement *pipeline) {
  gint64 position = -1;
  if (gst_element_query_position(pipeline, GST_FORMAT_TIME, &position) && position >= 0) {
    watched_tell_integer(self, "position", "ms", position / (gint64)GST_MSECOND);
  } else {
    watched_tell_alone(self, "tick");
  }
}

/* The next title without a gap: the one before was played to its end, unless the address says that it goes on. */
static void look_at_next(watched_player *self, GstElement *pipeline) {
  char *url = NULL;
  if (watched_has_property(pipeline, "current-uri")) g_object_get(pipeline, "current-uri", &url, NULL);
  g_mutex_lock(&self->mutex);
  if (url && strcmp(url, self->url) != 0) {
    watched_tell_alone(self, "ended");
    g_strlcpy(self->url, url, sizeof self->url);
    watched_open(self);
    watched_tell_truth(self, "running", "running", TRUE);
  }
  self->is_changing = FALSE;
  g_mutex_unlock(&self->mutex);
  g_free(url);
}

gboolean watched_player_look(watched_player *self, gboolean is_regular) {
  GstElement *pipeline = g_weak_ref_get(&self->pipeline);
  if (!pipeline) return FALSE;
  g_mutex_lock(&self->mutex);
  watched_open_if_wanted(self, pipeline);
  gboolean is_changing = self->is_changing;
  g_mutex_unlock(&self->mutex);
  if (is_changing) look_at_next(self, pipeline);
  g_mutex_lock(&self->mutex);
  gboolean is_open = self->is_open, is_prerolled = self->is_prerolled, has_picture = self->has_picture;
  guint polls = is_regular ? self->polls++ : 0;
  gboolean is_slow = is_regular && polls % slow_polls == 0;
  gboolean is_length_due = !is_regular || (is_slow && (self->duration_ms < 0 || polls % length_polls == 0));
  g_mutex_unlock(&self->mutex);
  if (is_open) {
    if (!is_regular) look_at_sound(self, pipeline);
    if (is_prerolled && is_length_due) look_at_length(self, pipeline);
    if (is_slow && has_picture) look_at_counters(self);
    if (is_regular && has_picture && is_prerolled) look_at_playhead(self, pipeline);
  }
  gst_object_unref(pipeline);
  return TRUE;
}
