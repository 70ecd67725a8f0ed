#define _GNU_SOURCE
#include "watched_parts.h"

#include <string.h>

/* What comes to the sinks, on their streaming threads. */

static void format_changed(watched_player *self, GstCaps *caps) {
  gint width = 0, height = 0, frames = 0, seconds = 1;
  const GstStructure *structure = gst_caps_get_structure(caps, 0);
  if (!gst_structure_get_int(structure, "width", &width) || !gst_structure_get_int(structure, "height", &height)) return;
  tally_attribute attributes[3] = {tally_integer("width", width), tally_integer("height", height)};
  size_t count = 2;
  if (gst_structure_get_fraction(structure, "framerate", &frames, &seconds) && frames > 0 && seconds > 0) {
    attributes[count++] = tally_number("fps", (double)frames / seconds);
  }
  watched_tell(self, "format", attributes, count);
}

static gboolean is_pad_of(GstPad *pad, gconstpointer element) {
  return element && GST_OBJECT_PARENT(pad) == element;
}

/* A sink of a player that is for anything, such as a fakesink, is known by what comes to it. */
static void know_sink(watched_player *self, GstPad *pad, const GstCaps *caps) {
  GstElement *sink = GST_ELEMENT_CAST(GST_OBJECT_PARENT(pad));
  if (!sink || sink == self->video_sink || sink == self->audio_sink || gst_caps_get_size(caps) == 0) return;
  const char *name = gst_structure_get_name(gst_caps_get_structure(caps, 0));
  if (g_str_has_prefix(name, "video/")) {
    self->video_sink = sink;
    g_weak_ref_set(&self->picture, sink);
  } else if (g_str_has_prefix(name, "audio/")) {
    self->audio_sink = sink;
  }
}

static GstPadProbeReturn buffer_came(GstPad *pad, GstPadProbeInfo *info, gpointer context) {
  (void)info;
  watched_player *self = context;
  GstElement *pipeline = g_weak_ref_get(&self->pipeline);
  if (!pipeline) return GST_PAD_PROBE_REMOVE;
  g_mutex_lock(&self->mutex);
  watched_open_if_wanted(self, pipeline);
  if (self->is_seeking) {
    self->is_seeking = FALSE;
    watched_tell_alone(self, "seeked");
  }
  GstCaps *caps = gst_pad_get_current_caps(pad);
  if (caps) know_sink(self, pad, caps);
  /* Of what has a picture the sound is no picture, be it earlier. */
  gboolean is_shown = is_pad_of(pad, self->video_sink) || (self->is_prerolled && !self->video_sink);
  if (self->is_open && !self->is_changing && !self->has_picture && is_shown) {
    self->has_picture = TRUE;
    if (caps) format_changed(self, caps);
    watched_tell_alone(self, "picture");
  }
  if (caps) gst_caps_unref(caps);
  gboolean is_done = self->has_picture && !self->is_seeking;
  g_mutex_unlock(&self->mutex);
  gst_object_unref(pipeline);
  return is_done ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK;
}

static void await_buffer(watched_player *self, GstPad *pad) {
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, buffer_came, watched_player_ref(self),
                    (GDestroyNotify)watched_player_unref);
}

static void seek_begun(watched_player *self, GstEvent *event) {
  guint32 number = gst_event_get_seqnum(event);
  gdouble rate;
  GstFormat format;
  GstSeekFlags flags;
  GstSeekType start_type, stop_type;
  gint64 start, stop;
  gst_event_parse_seek(event, &rate, &format, &flags, &start_type, &start, &stop_type, &stop);
  /* Each sink is told of a seek; a change of the rate that takes effect at once moves nothing. */
  if (number == self->seek_number || format != GST_FORMAT_TIME || (flags & (1 << 10))) return;
  if (!(flags & GST_SEEK_FLAG_FLUSH) && start_type != GST_SEEK_TYPE_SET) return;
  self->seek_number = number;
  /* Behind its end it is played once more: another session. */
  if (self->has_ended && self->is_prerolled) self->has_ended = FALSE;
  if (!self->is_open || !self->has_picture) return;
  tally_attribute attributes[2] = {tally_number("rate", rate)};
  size_t count = 1;
  if (start_type == GST_SEEK_TYPE_SET) attributes[count++] = tally_integer("to_ms", start / (gint64)GST_MSECOND);
  watched_tell(self, "seeking", attributes, count);
}

/* The next title follows without a gap: its streams are of another group. Its address is asked for elsewhere. */
static void stream_started(watched_player *self, GstEvent *event) {
  guint group = 0;
  if (!gst_event_parse_group_id(event, &group)) return;
  gboolean is_next = self->is_open && self->has_picture && self->group != 0 && group != self->group;
  self->group = group;
  if (!is_next) return;
  self->is_changing = TRUE;
  self->has_picture = FALSE;
  watched_look_soon(self);
}

/* Sinks tell of their quality upstream with each buffer: only what says something takes the lock. */
static gboolean is_telling(const GstEvent *event) {
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEEK:
    case GST_EVENT_CAPS:
    case GST_EVENT_SEGMENT:
    case GST_EVENT_STREAM_START: return TRUE;
    default: return FALSE;
  }
}

static GstPadProbeReturn event_came(GstPad *pad, GstPadProbeInfo *info, gpointer context) {
  watched_player *self = context;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
  GstCaps *caps;
  if (!is_telling(event)) return GST_PAD_PROBE_OK;
  g_mutex_lock(&self->mutex);
  gboolean awaits = FALSE;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEEK: seek_begun(self, event); break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps(event, &caps);
      know_sink(self, pad, caps);
      if (self->has_picture) format_changed(self, caps);
      break;
    case GST_EVENT_SEGMENT:
      awaits = !self->has_picture || (self->seek_number != 0 && gst_event_get_seqnum(event) == self->seek_number);
      if (awaits && self->has_picture) self->is_seeking = TRUE;
      break;
    case GST_EVENT_STREAM_START:
      stream_started(self, event);
      awaits = !self->has_picture;
      break;
    default: break;
  }
  g_mutex_unlock(&self->mutex);
  if (awaits) await_buffer(self, pad);
  return GST_PAD_PROBE_OK;
}

void watched_sink(watched_player *self, GstElement *sink) {
  GstPad *pad = gst_element_get_static_pad(sink, "sink");
  if (!pad) return;
  g_mutex_lock(&self->mutex);
  self->has_sink = TRUE;
  if (watched_has_class(sink, "Video")) {
    self->video_sink = sink;
    g_weak_ref_set(&self->picture, sink);
  } else if (watched_has_class(sink, "Audio")) {
    self->audio_sink = sink;
  }
  g_mutex_unlock(&self->mutex);
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_BOTH, event_came, watched_player_ref(self),
                    (GDestroyNotify)watched_player_unref);
  await_buffer(self, pad);
  gst_object_unref(pad);
}
