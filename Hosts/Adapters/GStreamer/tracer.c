/* The tracer of GStreamer: GST_TRACERS="tally(config=/etc/tally.json5)". Every pipeline of a program that is a player
 * becomes a run, without a change of the program.
 *
 * It registers no hook: the first one, whichever, costs 390 ns at every link of every pipeline. An emission hook on
 * GstBin::element-added finds pipelines and their sinks; the bus and probes at sinks tell the rest. */
#define _GNU_SOURCE
#include "watched_player.h"

#include <stdio.h>
#include <string.h>

/* How often playheads are looked at, us. */
static const gint64 poll_interval = 250000;
static const char program[] = "tally for GStreamer";

typedef struct TallyTracer {
  GstTracer parent;
  adapter_host *host;
  gboolean wants_demuxers;
  GMutex mutex; /* guards what follows */
  GCond wake;
  GPtrArray *players;
  GThread *thread;
  gboolean is_asked; /* somebody wants it to look at once */
} TallyTracer;

typedef struct TallyTracerClass {
  GstTracerClass parent;
} TallyTracerClass;

G_DEFINE_TYPE(TallyTracer, tally_tracer, GST_TYPE_TRACER)

/* ---- The thread that looks ---- */

static void look_at_players(TallyTracer *self, gboolean is_regular) {
  g_mutex_lock(&self->mutex);
  GPtrArray *players = g_ptr_array_copy(self->players, (GCopyFunc)(void (*)(void))watched_player_ref, NULL);
  g_mutex_unlock(&self->mutex);
  for (guint index = 0; index < players->len; index++) {
    watched_player *player = players->pdata[index];
    if (!watched_player_look(player, is_regular)) {
      g_mutex_lock(&self->mutex);
      g_ptr_array_remove(self->players, player);
      g_mutex_unlock(&self->mutex);
    }
  }
  /* The copy has the references that it was made with. */
  g_ptr_array_free(players, TRUE);
}

static gpointer look(gpointer context) {
  TallyTracer *self = context;
  gint64 next = g_get_monotonic_time() + poll_interval;
  g_mutex_lock(&self->mutex);
  while (TRUE) {
    gboolean is_early = self->is_asked;
    if (!is_early && self->players->len == 0) {
      g_cond_wait(&self->wake, &self->mutex);
      continue;
    }
    if (!is_early && g_cond_wait_until(&self->wake, &self->mutex, next)) continue;
    self->is_asked = FALSE;
    g_mutex_unlock(&self->mutex);
    look_at_players(self, !is_early);
    gint64 now = g_get_monotonic_time();
    if (!is_early) next = MAX(next + poll_interval, now);
    g_mutex_lock(&self->mutex);
  }
  return NULL;
}

static void look_soon(gpointer context) {
  TallyTracer *self = context;
  g_mutex_lock(&self->mutex);
  self->is_asked = TRUE;
  g_cond_signal(&self->wake);
  g_mutex_unlock(&self->mutex);
}

/* ---- Pipelines ---- */

static void watch(TallyTracer *self, GstElement *pipeline, GstElement *element) {
  watched_player *player = watched_player_of(pipeline, self->host, self->wants_demuxers, look_soon, self);
  if (!player) return;
  g_mutex_lock(&self->mutex);
  if (!g_ptr_array_find(self->players, player, NULL)) {
    g_ptr_array_add(self->players, watched_player_ref(player));
    if (!self->thread) self->thread = g_thread_new("tally-look", look, self);
    g_cond_signal(&self->wake);
  }
  g_mutex_unlock(&self->mutex);
  watched_player_add(player, element);
  watched_player_unref(player);
}

/* On whichever thread adds an element to a bin. */
static gboolean element_added(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer context) {
  (void)hint;
  TallyTracer *self = context;
  if (count < 2 || adapter_has_failed(self->host)) return TRUE;
  GstElement *top = gst_object_ref(g_value_get_object(&values[0]));
  GstObject *parent;
  while ((parent = gst_object_get_parent(GST_OBJECT(top)))) {
    gst_object_unref(top);
    top = GST_ELEMENT(parent);
  }
  if (GST_IS_PIPELINE(top)) watch(self, top, g_value_get_object(&values[1]));
  gst_object_unref(top);
  return TRUE;
}

/* ---- The tracer ---- */

static void complain(const char *problem) { fprintf(stderr, "%s: nothing is tracked: %s\n", program, problem); }

typedef struct reading {
  adapter_settings *settings;
  gboolean *wants_demuxers;
  gboolean is_good;
} reading;

static gboolean read_setting(GQuark field, const GValue *value, gpointer context) {
  reading *reading = context;
  const char *name = g_quark_to_string(field);
  GValue text = G_VALUE_INIT;
  g_value_init(&text, G_TYPE_STRING);
  if (!g_value_transform(value, &text)) g_value_set_string(&text, "");
  if (strcmp(name, "demuxers") == 0) {
    *reading->wants_demuxers = TRUE;
  } else if (!adapter_settings_read(reading->settings, name, g_value_get_string(&text))) {
    char problem[256];
    snprintf(problem, sizeof problem, "there is no parameter %s: there are " ADAPTER_SETTING_NAMES " and demuxers", name);
    complain(problem);
    reading->is_good = FALSE;
  }
  g_value_unset(&text);
  return reading->is_good;
}

/* Parameters are those of a GstStructure: key=value, by commas, with quotes where a value has a comma. */
static gboolean read_settings(TallyTracer *self, adapter_settings *settings) {
  char *params = NULL;
  g_object_get(self, "params", &params, NULL);
  reading reading = {settings, &self->wants_demuxers, TRUE};
  if (params && *params) {
    char *text = g_strconcat("tally,", params, NULL);
    GstStructure *structure = gst_structure_from_string(text, NULL);
    if (!structure) {
      complain("the parameters are not key=value by commas; put a value that has a comma into double quotes");
      reading.is_good = FALSE;
    } else {
      gst_structure_foreach(structure, read_setting, &reading);
      gst_structure_free(structure);
    }
    g_free(text);
  }
  g_free(params);
  if (reading.is_good && !settings->config && !adapter_settings_track(settings) && adapter_can_read("/etc/tally.json5")) {
    adapter_settings_read(settings, "config", "/etc/tally.json5");
  }
  if (reading.is_good && !adapter_settings_track(settings)) {
    /* gst-inspect-1.0 makes one too. */
    if (g_getenv("GST_TRACERS")) complain("there is no configuration: say GST_TRACERS=\"tally(config=/path/tally.json5)\"");
    reading.is_good = FALSE;
  }
  return reading.is_good;
}

/* Whether GST_TRACERS has more than one: gst-inspect-1.0 makes another one by itself, to show it. */
static gboolean are_several_wanted(void) {
  char **tracers = g_strsplit(g_getenv("GST_TRACERS") ? g_getenv("GST_TRACERS") : "", ";", -1);
  guint count = 0;
  for (char **one = tracers; *one; one++) {
    const char *name = g_strchug(*one);
    if (g_str_has_prefix(name, "tally") && !g_ascii_isalnum(name[strlen("tally")])) count++;
  }
  g_strfreev(tracers);
  return count > 1;
}

static void tally_tracer_constructed(GObject *object) {
  TallyTracer *self = (TallyTracer *)object;
  G_OBJECT_CLASS(tally_tracer_parent_class)->constructed(object);
  /* What is played is one run, whatever number of tracers: two would take each other's players. */
  static gint count;
  if (g_atomic_int_add(&count, 1) > 0) {
    if (are_several_wanted()) fprintf(stderr, "%s: a second tracer tally is left out: one takes plugins=\"a,b\"\n", program);
    return;
  }
  adapter_settings settings = {0};
  if (read_settings(self, &settings)) {
    self->host = adapter_host_create(&settings, program, "gstreamer", (const void *)tally_tracer_constructed);
  }
  adapter_settings_free(&settings);
  if (!self->host) return;
  g_type_class_unref(g_type_class_ref(GST_TYPE_BIN));
  g_signal_add_emission_hook(g_signal_lookup("element-added", GST_TYPE_BIN), 0, element_added, self, NULL);
  /* Only hooks of tracers keep one, and there are none. It lives as long as the process: what is open then is ended by
   * the adapter's host. */
  g_object_ref(self);
}

static void tally_tracer_finalize(GObject *object) {
  TallyTracer *self = (TallyTracer *)object;
  g_ptr_array_free(self->players, TRUE);
  g_mutex_clear(&self->mutex);
  g_cond_clear(&self->wake);
  G_OBJECT_CLASS(tally_tracer_parent_class)->finalize(object);
}

static void tally_tracer_init(TallyTracer *self) {
  g_mutex_init(&self->mutex);
  g_cond_init(&self->wake);
  self->players = g_ptr_array_new_with_free_func((GDestroyNotify)watched_player_unref);
}

static void tally_tracer_class_init(TallyTracerClass *class) {
  G_OBJECT_CLASS(class)->constructed = tally_tracer_constructed;
  G_OBJECT_CLASS(class)->finalize = tally_tracer_finalize;
}

/* Also called by GStreamer's scanner, which makes no tracer. */
static gboolean plugin_init(GstPlugin *plugin) { return gst_tracer_register(plugin, "tally", tally_tracer_get_type()); }

#define PACKAGE "tally"
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, tally, "Tells measurement systems what players do", plugin_init,
                  "1.0", "LGPL", "tally", "https://tally.example/")
