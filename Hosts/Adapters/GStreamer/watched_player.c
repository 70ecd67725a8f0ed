#define _GNU_SOURCE
#include "watched_player.h"

#include <stdio.h>
#include <string.h>

/* How many looks lie between two at what changes slowly. */
enum { slow_polls = 4 };

struct watched_player {
  gint references;
  GWeakRef pipeline;
  adapter_host *host;
  look_function look_soon;
  gpointer look_context;
  GMutex mutex; /* guards what follows; never held while anything is asked of an element, which may hold locks of its own */
  adapter_player *player;
  gboolean wants_demuxers;
  gboolean is_playbin, has_decoder, has_demuxer, has_sink;
  gboolean is_open;       /* somebody wants it to play, and it was told to be opening */
  gboolean is_prerolled;  /* its length is known, or is to be asked for */
  gboolean is_length_asked;
  gboolean is_changing;   /* the streams of the next item have come to the sinks, and it is to be opened */
  gboolean has_picture;
  gboolean has_ended;
  GWeakRef picture;       /* the video sink */
  gconstpointer video_sink, audio_sink; /* only to be compared */
  guint32 seek_number;    /* of the seek that goes on, or the last one */
  gboolean is_seeking;
  guint group;            /* of the item's streams */
  gint64 duration_ms;
  char url[2048];
  char next_url[2048];       /* what the pipeline is to play when it begins anew */
  gboolean has_url_property; /* the pipeline says the address itself */
  guint polls;
};

static GQuark watch_quark(void) { return g_quark_from_static_string("tally-watched-player"); }

watched_player *watched_player_ref(watched_player *self) {
  g_atomic_int_inc(&self->references);
  return self;
}

void watched_player_unref(watched_player *self) {
  if (!g_atomic_int_dec_and_test(&self->references)) return;
  if (self->player) adapter_player_end(self->player);
  g_weak_ref_clear(&self->pipeline);
  g_weak_ref_clear(&self->picture);
  g_mutex_clear(&self->mutex);
  g_free(self);
}

/* ---- Signals ---- */

static void tell(watched_player *self, const char *name, const tally_attribute *attributes, size_t count) {
  if (self->player) adapter_signal(self->player, name, attributes, count);
}

static void tell_alone(watched_player *self, const char *name) { tell(self, name, NULL, 0); }

static void tell_integer(watched_player *self, const char *name, const char *attribute, gint64 value) {
  tally_attribute one = tally_integer(attribute, value);
  tell(self, name, &one, 1);
}

static void tell_truth(watched_player *self, const char *name, const char *attribute, gboolean value) {
  tally_attribute one = tally_truth(attribute, value);
  tell(self, name, &one, 1);
}

/* ---- What a pipeline is ---- */

static gboolean has_class(GstElement *element, const char *part) {
  const char *names = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
  return names && strstr(names, part);
}

static gboolean is_made_by(GstElement *element, const char *prefix) {
  GstElementFactory *factory = gst_element_get_factory(element);
  return factory && g_str_has_prefix(GST_OBJECT_NAME(factory), prefix);
}

static gboolean is_shown(GstElement *element) {
  return has_class(element, "Sink") && (has_class(element, "Video") || has_class(element, "Audio"));
}

/* Whether it is a player: playbin, or an address that is decoded into what is seen or heard. A transcoder, a
 * thumbnailer and an analyser have other sinks. */
static gboolean is_player(const watched_player *self) {
  return self->is_playbin || (self->has_sink && (self->has_decoder || (self->wants_demuxers && self->has_demuxer)));
}

static gboolean has_property(gpointer object, const char *name) {
  return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name) != NULL;
}

/* ---- Opening ---- */

/* The address that an element has, without the lock. */
static void read_url(watched_player *self, char *url) {
  g_mutex_lock(&self->mutex);
  if (url) g_strlcpy(self->url, url, sizeof self->url);
  g_mutex_unlock(&self->mutex);
  g_free(url);
}

static void look_soon(watched_player *self) { self->look_soon(self->look_context); }

static void forget_item(watched_player *self) {
  self->is_open = self->is_prerolled = self->is_changing = FALSE;
  self->has_picture = self->has_ended = self->is_seeking = FALSE;
}

static void open_item(watched_player *self) {
  self->is_length_asked = self->has_picture = self->has_ended = FALSE;
  self->duration_ms = -2;
  if (!self->player) self->player = adapter_player_create(self->host, g_get_prgname(), NULL);
  if (!self->player) return;
  self->is_open = TRUE;
  tally_attribute attributes[2] = {tally_text("url", self->url), tally_truth("playing", TRUE)};
  tell(self, "opening", attributes, 2);
  /* From now on its clock says when it plays. */
  tell_truth(self, "running", "running", FALSE);
  look_soon(self);
}

/* Opens the item once somebody wants the pipeline to play: what only looks into a file stays in PAUSED. */
static void open_if_wanted(watched_player *self, GstElement *pipeline) {
  if (self->is_open || self->has_ended || !is_player(self)) return;
  if (GST_STATE_TARGET(pipeline) != GST_STATE_PLAYING) return;
  open_item(self);
}

/* ---- Messages of the bus, on the thread that posts them ---- */

static void state_changed(watched_player *self, GstElement *pipeline, GstMessage *message) {
  if (GST_MESSAGE_SRC(message) != GST_OBJECT(pipeline)) return;
  GstState old, new, pending;
  gst_message_parse_state_changed(message, &old, &new, &pending);
  if (new == GST_STATE_PLAYING) {
    tell_truth(self, "running", "running", TRUE);
  } else if (old == GST_STATE_PLAYING && new == GST_STATE_PAUSED) {
    if (GST_STATE_TARGET(pipeline) >= GST_STATE_PAUSED) tell_truth(self, "running", "running", FALSE);
  } else if (new == GST_STATE_READY) {
    if (self->is_open) tell_alone(self, "closed");
    forget_item(self);
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
  if (count > 0) tell(self, "described", attributes, count);
  for (size_t index = 0; index < G_N_ELEMENTS(names); index++) g_free(texts[index]);
  guint bitrate = 0;
  gconstpointer source = GST_MESSAGE_SRC(message);
  const char *stream = source == self->video_sink ? "video" : source == self->audio_sink ? "audio" : NULL;
  if (stream && (gst_tag_list_get_uint(list, GST_TAG_BITRATE, &bitrate) ||
                 gst_tag_list_get_uint(list, GST_TAG_NOMINAL_BITRATE, &bitrate))) {
    tell_integer(self, "bitrate", stream, bitrate);
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
  tell(self, "request", attributes, count);
  if (headers) gst_structure_free(headers);
}

static void element_said(watched_player *self, GstMessage *message) {
  const GstStructure *structure = gst_message_get_structure(message);
  if (!structure) return;
  gint64 bitrate;
  if (gst_structure_has_name(structure, "http-headers")) {
    requested(self, structure);
  } else if (gst_structure_has_name(structure, "adaptive-streaming-statistics")) {
    if ((bitrate = number_of(structure, "bitrate")) > 0) tell_integer(self, "variant", "bitrate", bitrate);
  } else if (gst_structure_has_name(structure, "missing-plugin")) {
    const char *name = gst_structure_get_string(structure, "name");
    GstCaps *caps = NULL;
    gst_structure_get(structure, "detail", GST_TYPE_CAPS, &caps, NULL);
    const char *type = caps && gst_caps_get_size(caps) > 0 ? gst_structure_get_name(gst_caps_get_structure(caps, 0)) : "";
    tally_attribute attributes[2] = {tally_text("media_type", type), tally_text("name", name ? name : type)};
    tell(self, "missing_decoder", attributes, 2);
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
  tell(self, "dropped", attributes, 3);
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
      tell(self, "chapter", attributes, count);
      g_free(title);
    }
  }
}

static void chapters_found(watched_player *self, GstMessage *message) {
  GstToc *toc = NULL;
  gst_message_parse_toc(message, &toc, NULL);
  if (!toc) return;
  tell_alone(self, "chapters");
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
  tell(self, "failed", attributes, count);
  self->is_open = FALSE;
  self->has_ended = TRUE;
  g_clear_error(&error);
  g_free(debug);
}

static void message_posted(GstBus *bus, GstMessage *message, gpointer context) {
  (void)bus;
  watched_player *self = context;
  GstElement *pipeline = g_weak_ref_get(&self->pipeline);
  if (!pipeline) return;
  g_mutex_lock(&self->mutex);
  open_if_wanted(self, pipeline);
  gint percent = 0;
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_STATE_CHANGED: state_changed(self, pipeline, message); break;
    case GST_MESSAGE_ASYNC_DONE:
      if (!self->is_prerolled) {
        self->is_prerolled = TRUE;
        look_soon(self);
      }
      break;
    case GST_MESSAGE_BUFFERING:
      gst_message_parse_buffering(message, &percent);
      tell_integer(self, "buffering", "percent", percent);
      break;
    case GST_MESSAGE_TAG: if (self->is_open) tags_found(self, message); break;
    case GST_MESSAGE_ELEMENT: element_said(self, message); break;
    case GST_MESSAGE_QOS: frames_dropped(self, message); break;
    case GST_MESSAGE_TOC: chapters_found(self, message); break;
    case GST_MESSAGE_ERROR:
      /* A player that cannot even open what it was given may not have come to play it. */
      if (!self->is_open && !self->has_ended && self->is_playbin && GST_STATE_TARGET(pipeline) >= GST_STATE_PAUSED) {
        open_item(self);
      }
      if (self->is_open) failed(self, message);
      break;
    case GST_MESSAGE_EOS:
      if (self->is_open) tell_alone(self, "ended");
      self->is_open = FALSE;
      self->has_ended = TRUE;
      break;
    default: break;
  }
  g_mutex_unlock(&self->mutex);
  gst_object_unref(pipeline);
}

/* ---- Probes at sinks, on their streaming threads ---- */

static void format_changed(watched_player *self, GstCaps *caps) {
  gint width = 0, height = 0, frames = 0, seconds = 1;
  const GstStructure *structure = gst_caps_get_structure(caps, 0);
  if (!gst_structure_get_int(structure, "width", &width) || !gst_structure_get_int(structure, "height", &height)) return;
  tally_attribute attributes[3] = {tally_integer("width", width), tally_integer("height", height)};
  size_t count = 2;
  if (gst_structure_get_fraction(structure, "framerate", &frames, &seconds) && frames > 0 && seconds > 0) {
    attributes[count++] = tally_number("fps", (double)frames / seconds);
  }
  tell(self, "format", attributes, count);
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
  open_if_wanted(self, pipeline);
  if (self->is_seeking) {
    self->is_seeking = FALSE;
    tell_alone(self, "seeked");
  }
  GstCaps *caps = gst_pad_get_current_caps(pad);
  if (caps) know_sink(self, pad, caps);
  /* Of what has a picture the sound is no picture, be it earlier. */
  gboolean is_shown = is_pad_of(pad, self->video_sink) || (self->is_prerolled && !self->video_sink);
  if (self->is_open && !self->is_changing && !self->has_picture && is_shown) {
    self->has_picture = TRUE;
    if (caps) format_changed(self, caps);
    tell_alone(self, "picture");
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
  tell(self, "seeking", attributes, count);
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
  look_soon(self);
}

static GstPadProbeReturn event_came(GstPad *pad, GstPadProbeInfo *info, gpointer context) {
  watched_player *self = context;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
  GstCaps *caps;
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

static void watch_sink(watched_player *self, GstElement *sink) {
  GstPad *pad = gst_element_get_static_pad(sink, "sink");
  if (!pad) return;
  g_mutex_lock(&self->mutex);
  self->has_sink = TRUE;
  if (has_class(sink, "Video")) {
    self->video_sink = sink;
    g_weak_ref_set(&self->picture, sink);
  } else if (has_class(sink, "Audio")) {
    self->audio_sink = sink;
  }
  g_mutex_unlock(&self->mutex);
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_BOTH, event_came, watched_player_ref(self),
                    (GDestroyNotify)watched_player_unref);
  await_buffer(self, pad);
  gst_object_unref(pad);
}

/* ---- Elements ---- */

static void add_one(watched_player *self, GstElement *element) {
  if (is_made_by(element, "uridecodebin") || is_made_by(element, "urisourcebin") || is_made_by(element, "decodebin")) {
    self->has_decoder = TRUE;
  }
  if (has_class(element, "Demuxer")) self->has_demuxer = TRUE;
  if (has_class(element, "Source") && GST_IS_URI_HANDLER(element) && !self->has_url_property && !self->is_open) {
    read_url(self, gst_uri_handler_get_uri(GST_URI_HANDLER(element)));
  }
  /* A sink may be a bin, and what is in it is no second one. */
  gboolean is_any = self->is_playbin && !GST_IS_BIN(element) && GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SINK);
  if (!is_shown(element) && !is_any) return;
  GstObject *parent = gst_object_get_parent(GST_OBJECT(element));
  gboolean is_inner = parent && GST_IS_ELEMENT(parent) && is_shown(GST_ELEMENT(parent)) && !is_made_by(GST_ELEMENT(parent), "play");
  if (parent) gst_object_unref(parent);
  if (!is_inner) watch_sink(self, element);
}

void watched_player_add(watched_player *self, GstElement *element) {
  add_one(self, element);
  if (!GST_IS_BIN(element)) return;
  GstIterator *inner = gst_bin_iterate_recurse(GST_BIN(element));
  GValue item = G_VALUE_INIT;
  while (gst_iterator_next(inner, &item) == GST_ITERATOR_OK) {
    add_one(self, g_value_get_object(&item));
    g_value_reset(&item);
  }
  g_value_unset(&item);
  gst_iterator_free(inner);
}

static void sound_changed(GObject *object, GParamSpec *property, gpointer context) {
  (void)object;
  (void)property;
  look_soon(context);
}

static void address_changed(GObject *object, GParamSpec *property, gpointer context) {
  char *url = NULL;
  watched_player *self = context;
  g_object_get(object, property->name, &url, NULL);
  g_mutex_lock(&self->mutex);
  if (url) g_strlcpy(self->next_url, url, sizeof self->next_url);
  /* What is played goes on until its streams end: of the next title the address is asked for then. */
  if (!self->is_open) {
    forget_item(self);
    if (url) g_strlcpy(self->url, url, sizeof self->url);
  }
  g_mutex_unlock(&self->mutex);
  g_free(url);
}

static void connect(watched_player *self, GObject *object, const char *signal, GCallback function) {
  g_signal_connect_data(object, signal, function, watched_player_ref(self),
                        (GClosureNotify)(void (*)(void))watched_player_unref, 0);
}

/* The pipeline is gone: so is the player, once the last message has been handled. */
static void pipeline_gone(gpointer context) { watched_player_unref(context); }

watched_player *watched_player_of(GstElement *pipeline, adapter_host *host, gboolean wants_demuxers,
                                  look_function look_soon, gpointer look_context) {
  static GMutex making;
  g_mutex_lock(&making);
  watched_player *self = g_object_get_qdata(G_OBJECT(pipeline), watch_quark());
  gboolean is_new = self == NULL;
  if (is_new) {
    self = g_new0(watched_player, 1);
    self->references = 1;
    self->host = host;
    self->look_soon = look_soon;
    self->look_context = look_context;
    self->wants_demuxers = wants_demuxers;
    self->duration_ms = -2;
    g_weak_ref_init(&self->pipeline, pipeline);
    g_weak_ref_init(&self->picture, NULL);
    g_mutex_init(&self->mutex);
    g_object_set_qdata_full(G_OBJECT(pipeline), watch_quark(), self, pipeline_gone);
  }
  watched_player_ref(self);
  g_mutex_unlock(&making);
  if (!is_new) return self;
  /* By its type: it adds elements to itself before anybody knows who made it. */
  self->is_playbin = g_str_has_prefix(G_OBJECT_TYPE_NAME(pipeline), "GstPlayBin");
  GstBus *bus = gst_pipeline_get_bus(GST_PIPELINE(pipeline));
  gst_bus_enable_sync_message_emission(bus);
  connect(self, G_OBJECT(bus), "sync-message", G_CALLBACK(message_posted));
  gst_object_unref(bus);
  self->has_url_property = has_property(pipeline, "uri");
  if (self->has_url_property) connect(self, G_OBJECT(pipeline), "notify::uri", G_CALLBACK(address_changed));
  if (has_property(pipeline, "volume") && has_property(pipeline, "mute")) {
    connect(self, G_OBJECT(pipeline), "notify::volume", G_CALLBACK(sound_changed));
    connect(self, G_OBJECT(pipeline), "notify::mute", G_CALLBACK(sound_changed));
  }
  return self;
}

/* ---- The regular look ---- */

static void look_at_sound(watched_player *self, GstElement *pipeline) {
  if (!has_property(pipeline, "volume") || !has_property(pipeline, "mute")) return;
  double volume = 1;
  gboolean is_muted = FALSE;
  g_object_get(pipeline, "volume", &volume, "mute", &is_muted, NULL);
  tally_attribute attributes[2] = {tally_number("volume", volume), tally_truth("muted", is_muted)};
  tell(self, "setting", attributes, 2);
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
    tell(self, "opened", attributes, count);
  }
  g_mutex_unlock(&self->mutex);
}

static void look_at_counters(watched_player *self) {
  GstElement *sink = g_weak_ref_get(&self->picture);
  GstStructure *stats = NULL;
  guint64 rendered = 0;
  if (!sink) return;
  if (has_property(sink, "stats")) g_object_get(sink, "stats", &stats, NULL);
  gst_object_unref(sink);
  /* It begins anew at each flush and pause: the total is made of it elsewhere. */
  if (stats && gst_structure_get_uint64(stats, "rendered", &rendered)) tell_integer(self, "rendered", "count", (gint64)rendered);
  if (stats) gst_structure_free(stats);
}

static void look_at_playhead(watched_player *self, GstElement *pipeline) {
  gint64 position = -1;
  if (gst_element_query_position(pipeline, GST_FORMAT_TIME, &position) && position >= 0) {
    tell_integer(self, "position", "ms", position / (gint64)GST_MSECOND);
  } else {
    tell_alone(self, "tick");
  }
}

/* The next title without a gap: the one before was played to its end, unless the address says that it goes on. */
static void look_at_next(watched_player *self, GstElement *pipeline) {
  char *url = NULL;
  if (has_property(pipeline, "current-uri")) g_object_get(pipeline, "current-uri", &url, NULL);
  g_mutex_lock(&self->mutex);
  if (url && strcmp(url, self->url) != 0) {
    tell_alone(self, "ended");
    g_strlcpy(self->url, url, sizeof self->url);
    open_item(self);
    tell_truth(self, "running", "running", TRUE);
  }
  self->is_changing = FALSE;
  g_mutex_unlock(&self->mutex);
  g_free(url);
}

gboolean watched_player_look(watched_player *self, gboolean is_regular) {
  GstElement *pipeline = g_weak_ref_get(&self->pipeline);
  if (!pipeline) return FALSE;
  g_mutex_lock(&self->mutex);
  open_if_wanted(self, pipeline);
  gboolean is_changing = self->is_changing;
  g_mutex_unlock(&self->mutex);
  if (is_changing) look_at_next(self, pipeline);
  g_mutex_lock(&self->mutex);
  gboolean is_open = self->is_open, is_prerolled = self->is_prerolled, has_picture = self->has_picture;
  gboolean is_slow = is_regular && self->polls++ % slow_polls == 0;
  g_mutex_unlock(&self->mutex);
  if (is_open) {
    if (!is_regular) look_at_sound(self, pipeline);
    if (is_prerolled && (is_slow || !is_regular)) look_at_length(self, pipeline);
    if (is_slow && has_picture) look_at_counters(self);
    if (is_regular && has_picture && is_prerolled) look_at_playhead(self, pipeline);
  }
  gst_object_unref(pipeline);
  return TRUE;
}
