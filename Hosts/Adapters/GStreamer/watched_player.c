#define _GNU_SOURCE
#include "watched_parts.h"

#include <string.h>

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

void watched_tell(watched_player *self, const char *name, const tally_attribute *attributes, size_t count) {
  if (self->player) adapter_signal(self->player, name, attributes, count);
}

void watched_tell_alone(watched_player *self, const char *name) { watched_tell(self, name, NULL, 0); }

void watched_tell_integer(watched_player *self, const char *name, const char *attribute, gint64 value) {
  tally_attribute one = tally_integer(attribute, value);
  watched_tell(self, name, &one, 1);
}

void watched_tell_truth(watched_player *self, const char *name, const char *attribute, gboolean value) {
  tally_attribute one = tally_truth(attribute, value);
  watched_tell(self, name, &one, 1);
}

/* ---- What a pipeline is ---- */

gboolean watched_has_class(GstElement *element, const char *part) {
  const char *names = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
  return names && strstr(names, part);
}

static gboolean is_made_by(GstElement *element, const char *prefix) {
  GstElementFactory *factory = gst_element_get_factory(element);
  return factory && g_str_has_prefix(GST_OBJECT_NAME(factory), prefix);
}

static gboolean is_shown(GstElement *element) {
  return watched_has_class(element, "Sink") && (watched_has_class(element, "Video") || watched_has_class(element, "Audio"));
}

/* Whether it is a player: playbin, or an address that is decoded into what is seen or heard. A transcoder, a
 * thumbnailer and an analyser have other sinks. */
static gboolean is_player(const watched_player *self) {
  return self->is_playbin || (self->has_sink && (self->has_decoder || (self->wants_demuxers && self->has_demuxer)));
}

gboolean watched_has_property(gpointer object, const char *name) {
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

void watched_look_soon(watched_player *self) { self->look_soon(self->look_context); }

void watched_forget_item(watched_player *self) {
  self->is_open = self->is_prerolled = self->is_changing = FALSE;
  self->has_picture = self->has_ended = self->is_seeking = FALSE;
}

void watched_open(watched_player *self) {
  self->is_length_asked = self->has_picture = self->has_ended = FALSE;
  self->duration_ms = -2;
  if (!self->player) self->player = adapter_player_create(self->host, g_get_prgname(), NULL);
  if (!self->player) return;
  self->is_open = TRUE;
  tally_attribute attributes[2] = {tally_text("url", self->url), tally_truth("playing", TRUE)};
  watched_tell(self, "opening", attributes, 2);
  /* From now on its clock says when it plays. */
  watched_tell_truth(self, "running", "running", FALSE);
  watched_look_soon(self);
}

/* Opens the item once somebody wants the pipeline to play: what only looks into a file stays in PAUSED. */
void watched_open_if_wanted(watched_player *self, GstElement *pipeline) {
  if (self->is_open || self->has_ended || !is_player(self)) return;
  if (GST_STATE_TARGET(pipeline) != GST_STATE_PLAYING) return;
  watched_open(self);
}

/* ---- Elements ---- */

static void add_one(watched_player *self, GstElement *element) {
  if (is_made_by(element, "uridecodebin") || is_made_by(element, "urisourcebin") || is_made_by(element, "decodebin")) {
    self->has_decoder = TRUE;
  }
  if (watched_has_class(element, "Demuxer")) self->has_demuxer = TRUE;
  if (watched_has_class(element, "Source") && GST_IS_URI_HANDLER(element) && !self->has_url_property && !self->is_open) {
    read_url(self, gst_uri_handler_get_uri(GST_URI_HANDLER(element)));
  }
  /* A sink may be a bin, and what is in it is no second one. */
  gboolean is_any = self->is_playbin && !GST_IS_BIN(element) && GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SINK);
  if (!is_shown(element) && !is_any) return;
  GstObject *parent = gst_object_get_parent(GST_OBJECT(element));
  gboolean is_inner = parent && GST_IS_ELEMENT(parent) && is_shown(GST_ELEMENT(parent)) && !is_made_by(GST_ELEMENT(parent), "play");
  if (parent) gst_object_unref(parent);
  if (!is_inner) watched_sink(self, element);
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
  watched_look_soon(context);
}

static void address_changed(GObject *object, GParamSpec *property, gpointer context) {
  char *url = NULL;
  watched_player *self = context;
  g_object_get(object, property->name, &url, NULL);
  g_mutex_lock(&self->mutex);
  if (url) g_strlcpy(self->next_url, url, sizeof self->next_url);
  /* What is played goes on until its streams end: of the next title the address is asked for then. */
  if (!self->is_open) {
    watched_forget_item(self);
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
  connect(self, G_OBJECT(bus), "sync-message", G_CALLBACK(watched_message_posted));
  gst_object_unref(bus);
  self->has_url_property = watched_has_property(pipeline, "uri");
  if (self->has_url_property) connect(self, G_OBJECT(pipeline), "notify::uri", G_CALLBACK(address_changed));
  if (watched_has_property(pipeline, "volume") && watched_has_property(pipeline, "mute")) {
    connect(self, G_OBJECT(pipeline), "notify::volume", G_CALLBACK(sound_changed));
    connect(self, G_OBJECT(pipeline), "notify::mute", G_CALLBACK(sound_changed));
  }
  return self;
}
