#define _GNU_SOURCE
#include "watched_parts.h"

#include <stdio.h>
#include <string.h>

/* What a pipeline says on its bus, on the thread that posts it. */

static void state_changed(watched_player *self, GstElement *pipeline, GstMessage *message) {
  if (GST_MESSAGE_SRC(message) != GST_OBJECT(pipeline)) return;
  GstState old, new, pending;
  gst_message_parse_state_changed(message, &old, &new, &pending);
  if (new == GST_STATE_PLAYING) {
    watched_tell_truth(self, "running", "running", TRUE);
  } else if (old == GST_STATE_PLAYING && new == GST_STATE_PAUSED) {
    if (GST_STATE_TARGET(pipeline) >= GST_STATE_PAUSED) watched_tell_truth(self, "running", "running", FALSE);
  } else if (new == GST_STATE_READY) {
    if (self->is_open) watched_tell_alone(self, "closed");
    watched_forget_item(self);
    if (self->next_url[0]) g_strlcpy(self->url, self->next_url, sizeof self->url);
  }
}

static void tags_found(watched_player *self, GstMessage *message) {
  static const char *const names[][2] = {
      {GST_TAG_TITLE, "video_name"},
      {GST_TAG_VIDEO_CODEC, "video_codec"},
      {GST_TAG_AUDIO_CODEC, "audio_codec"},
      {GST_TAG_LANGUAGE_CODE, "video_language"},
  };
  GstTagList *list = NULL;
  gst_message_parse_tag(message, &list);
  if (!list) return;
  char *texts[G_N_ELEMENTS(names)] = {NULL};
  tally_attribute attributes[G_N_ELEMENTS(names)];
  size_t count = 0;
  for (size_t index = 0; index < G_N_ELEMENTS(names); index++) {
    if (!gst_tag_list_get_string(list, names[index][0], &texts[index])) continue;
    /* The container's word for "undetermined" says nothing. */
    if (strcmp(texts[index], "und") != 0) attributes[count++] = tally_text(names[index][1], texts[index]);
  }
  if (count > 0) watched_tell(self, "described", attributes, count);
  for (size_t index = 0; index < G_N_ELEMENTS(names); index++) g_free(texts[index]);
  guint bitrate = 0;
  gconstpointer source = GST_MESSAGE_SRC(message);
  const char *stream = source == self->video_sink ? "video" : source == self->audio_sink ? "audio" : NULL;
  if (stream && (gst_tag_list_get_uint(list, GST_TAG_BITRATE, &bitrate) ||
                 gst_tag_list_get_uint(list, GST_TAG_NOMINAL_BITRATE, &bitrate))) {
    watched_tell_integer(self, "bitrate", stream, bitrate);
  }
  gst_tag_list_unref(list);
}

/* A whole number, whatever kind the element has put it in; -1 when there is none. */
static gint64 number_of(const GstStructure *structure, const char *name) {
  const GValue *value = gst_structure_get_value(structure, name);
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_INT64);
  gint64 found = value && g_value_transform(value, &number) ? g_value_get_int64(&number) : -1;
  g_value_unset(&number);
  return found;
}

static void requested(watched_player *self, const GstStructure *structure) {
  tally_attribute attributes[4];
  size_t count = 0;
  gint64 status = number_of(structure, "http-status-code");
  const char *url = gst_structure_get_string(structure, "uri");
  if (!url) return;
  attributes[count++] = tally_text("url", url);
  if (status >= 0) attributes[count++] = tally_integer("status", status);
  GstStructure *headers = NULL;
  if (gst_structure_get(structure, "response-headers", GST_TYPE_STRUCTURE, &headers, NULL) && headers) {
    const char *length = gst_structure_get_string(headers, "Content-Length");
    const char *type = gst_structure_get_string(headers, "Content-Type");
    if (length) attributes[count++] = tally_integer("bytes", g_ascii_strtoll(length, NULL, 10));
    if (type) attributes[count++] = tally_text("type", type);
  }
  watched_tell(self, "request", attributes, count);
  if (headers) gst_structure_free(headers);
}

static void element_said(watched_player *self, GstMessage *message) {
  const GstStructure *structure = gst_message_get_structure(message);
  if (!structure) return;
  gint64 bitrate;
  if (gst_structure_has_name(structure, "http-headers")) {
    requested(self, structure);
  } else if (gst_structure_has_name(structure, "adaptive-streaming-statistics")) {
    if ((bitrate = number_of(structure, "bitrate")) > 0) watched_tell_integer(self, "variant", "bitrate", bitrate);
  } else if (gst_structure_has_name(structure, "missing-plugin")) {
    const char *name = gst_structure_get_string(structure, "name");
    GstCaps *caps = NULL;
    gst_structure_get(structure, "detail", GST_TYPE_CAPS, &caps, NULL);
    const char *type = caps && gst_caps_get_size(caps) > 0 ? gst_structure_get_name(gst_caps_get_structure(caps, 0)) : "";
    tally_attribute attributes[2] = {tally_text("media_type", type), tally_text("name", name ? name : type)};
    watched_tell(self, "missing_decoder", attributes, 2);
    if (caps) gst_caps_unref(caps);
  }
}

static void frames_dropped(watched_player *self, GstMessage *message) {
  GstFormat format;
  guint64 processed, dropped;
  /* A sound that comes late is no picture. */
  if (GST_MESSAGE_SRC(message) == self->audio_sink) return;
  gst_message_parse_qos_stats(message, &format, &processed, &dropped);
  if (dropped == G_MAXUINT64) return;
  tally_attribute attributes[3] = {
      tally_integer("source", (gint64)(gintptr)GST_MESSAGE_SRC(message)),
      tally_integer("count", (gint64)dropped),
      tally_truth("event", TRUE),
  };
  watched_tell(self, "dropped", attributes, 3);
}

static void add_chapters(watched_player *self, GList *entries) {
  for (; entries; entries = entries->next) {
    GstTocEntry *entry = entries->data;
    if (gst_toc_entry_get_entry_type(entry) == GST_TOC_ENTRY_TYPE_EDITION) {
      add_chapters(self, gst_toc_entry_get_sub_entries(entry));
    } else if (gst_toc_entry_get_entry_type(entry) == GST_TOC_ENTRY_TYPE_CHAPTER) {
      gint64 start = 0, stop = -1;
      char *title = NULL;
      gst_toc_entry_get_start_stop_times(entry, &start, &stop);
      GstTagList *tags = gst_toc_entry_get_tags(entry);
      if (tags) gst_tag_list_get_string(tags, GST_TAG_TITLE, &title);
      tally_attribute attributes[3] = {tally_integer("start_ms", start / (gint64)GST_MSECOND),
                                       tally_text("title", title ? title : "")};
      size_t count = 2;
      if (stop > start) attributes[count++] = tally_integer("end_ms", stop / (gint64)GST_MSECOND);
      watched_tell(self, "chapter", attributes, count);
      g_free(title);
    }
  }
}

static void chapters_found(watched_player *self, GstMessage *message) {
  GstToc *toc = NULL;
  gst_message_parse_toc(message, &toc, NULL);
  if (!toc) return;
  watched_tell_alone(self, "chapters");
  add_chapters(self, gst_toc_get_entries(toc));
  gst_toc_unref(toc);
}

/* The status that a server refused with, or -1. WebKit's source has it in its words alone. */
static gint64 status_of(const GError *error, const GstStructure *details) {
  gint64 status = details ? number_of(details, "http-status-code") : -1;
  const char *words = status < 0 && error ? strstr(error->message, "Received ") : NULL;
  int said = 0;
  char last = 0;
  return words && sscanf(words, "Received %d HTTP error cod%c", &said, &last) == 2 && last == 'e' ? said : status;
}

/* The first error at the top is the cause; those behind it follow from it, and find the item closed. */
static void failed(watched_player *self, GstMessage *message) {
  GError *error = NULL;
  char *debug = NULL;
  const GstStructure *details = NULL;
  gst_message_parse_error(message, &error, &debug);
  gst_message_parse_error_details(message, &details);
  tally_attribute attributes[5];
  size_t count = 0;
  if (error) {
    attributes[count++] = tally_text("domain", g_quark_to_string(error->domain));
    attributes[count++] = tally_integer("code", error->code);
    attributes[count++] = tally_text("message", error->message);
  }
  if (debug) attributes[count++] = tally_text("debug", debug);
  gint64 status = status_of(error, details);
  if (status >= 0) attributes[count++] = tally_integer("http_status", status);
  watched_tell(self, "failed", attributes, count);
  self->is_open = FALSE;
  self->has_ended = TRUE;
  g_clear_error(&error);
  g_free(debug);
}

void watched_message_posted(GstBus *bus, GstMessage *message, gpointer context) {
  (void)bus;
  watched_player *self = context;
  GstElement *pipeline = g_weak_ref_get(&self->pipeline);
  if (!pipeline) return;
  g_mutex_lock(&self->mutex);
  watched_open_if_wanted(self, pipeline);
  gint percent = 0;
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_STATE_CHANGED: state_changed(self, pipeline, message); break;
    case GST_MESSAGE_ASYNC_DONE:
      if (!self->is_prerolled) {
        self->is_prerolled = TRUE;
        watched_look_soon(self);
      }
      break;
    case GST_MESSAGE_DURATION_CHANGED: watched_look_soon(self); break;
    case GST_MESSAGE_BUFFERING:
      gst_message_parse_buffering(message, &percent);
      watched_tell_integer(self, "buffering", "percent", percent);
      break;
    case GST_MESSAGE_TAG: if (self->is_open) tags_found(self, message); break;
    case GST_MESSAGE_ELEMENT: element_said(self, message); break;
    case GST_MESSAGE_QOS: frames_dropped(self, message); break;
    case GST_MESSAGE_TOC: chapters_found(self, message); break;
    case GST_MESSAGE_ERROR:
      /* A player that cannot even open what it was given may not have come to play it. */
      if (!self->is_open && !self->has_ended && self->is_playbin && GST_STATE_TARGET(pipeline) >= GST_STATE_PAUSED) {
        watched_open(self);
      }
      if (self->is_open) failed(self, message);
      break;
    case GST_MESSAGE_EOS:
      if (self->is_open) watched_tell_alone(self, "ended");
      self->is_open = FALSE;
      self->has_ended = TRUE;
      break;
    default: break;
  }
  g_mutex_unlock(&self->mutex);
  gst_object_unref(pipeline);
}
