/* A player on GStreamer that knows nothing of Tally: it plays a list, and with the first of it goes through the course:
 * a pause of half a second at 1 s, and a seek from 2 s to 4 s. It halts while its buffer is filled, as players should.
 *
 * Of a ladder of HLS it plays the lowest rendition, and from 2 s on the highest one; that is all of that course.
 *
 * playlist ELEMENT ADDRESS...; it writes what it did and what was said to it, one line each: a word, the time of the
 * wall clock in us and the place in ms. */
#include <gst/gst.h>

typedef struct playlist {
  GstElement *player;
  GMainLoop *loop;
  char **addresses;
  gboolean is_first;
  gboolean is_ladder;
  gboolean is_paused;  /* by the course */
  gboolean is_halted;  /* to fill the buffer */
  gboolean is_seeking;
  int step;
} playlist;

static gint64 place_ms(playlist *self) {
  gint64 place = 0;
  return gst_element_query_position(self->player, GST_FORMAT_TIME, &place) ? place / GST_MSECOND : -1;
}

static void say(playlist *self, const char *word) {
  g_print("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", word, g_get_real_time(), place_ms(self));
}

static void set_state(playlist *self) {
  gst_element_set_state(self->player, self->is_paused || self->is_halted ? GST_STATE_PAUSED : GST_STATE_PLAYING);
}

/* What is fetched long before it is shown cannot be of another rendition. */
static void element_added(GstBin *bin, GstBin *parent, GstElement *element, gpointer context) {
  (void)bin;
  (void)parent;
  (void)context;
  const char *ahead = "max-buffering-time";
  if (!g_object_class_find_property(G_OBJECT_GET_CLASS(element), ahead)) return;
  g_object_set(element, ahead, 2 * GST_SECOND, NULL);
}

/* What a ladder's demuxer takes for the speed of the connection, kbit/s: it is a bound of its choice. */
static void set_speed(playlist *self, guint speed) {
  GstIterator *elements = gst_bin_iterate_recurse(GST_BIN(self->player));
  GValue item = G_VALUE_INIT;
  g_object_set(self->player, "connection-speed", (guint64)speed, NULL);
  while (gst_iterator_next(elements, &item) == GST_ITERATOR_OK) {
    GObject *element = g_value_get_object(&item);
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(element), "connection-speed");
    if (property && property->value_type == G_TYPE_UINT) g_object_set(element, "connection-speed", speed, NULL);
    g_value_reset(&item);
  }
  g_value_unset(&item);
  gst_iterator_free(elements);
}

static void play_next(playlist *self, gboolean is_first) {
  gst_element_set_state(self->player, GST_STATE_READY);
  /* Errors come in groups: those that follow from the first one are not of what is played next. */
  GstBus *bus = gst_element_get_bus(self->player);
  gst_bus_set_flushing(bus, TRUE);
  gst_bus_set_flushing(bus, FALSE);
  gst_object_unref(bus);
  if (!*self->addresses) {
    g_main_loop_quit(self->loop);
    return;
  }
  self->is_first = is_first;
  self->is_paused = self->is_halted = FALSE;
  self->is_ladder = g_str_has_suffix(*self->addresses, ".m3u8");
  if (self->is_ladder) set_speed(self, 400);
  g_object_set(self->player, "uri", *self->addresses++, NULL);
  set_state(self);
}

static gboolean resume(gpointer context) {
  playlist *self = context;
  say(self, "resume");
  self->is_paused = FALSE;
  set_state(self);
  return G_SOURCE_REMOVE;
}

static gboolean look(gpointer context) {
  playlist *self = context;
  gint64 place = self->is_first && !self->is_halted && !self->is_paused ? place_ms(self) : -1;
  if (self->is_ladder) {
    if (self->step > 0 || place < 2000) return G_SOURCE_CONTINUE;
    self->step = 1;
    say(self, "faster");
    set_speed(self, 100000);
  } else if (self->step == 0 && place >= 1000) {
    self->step = 1;
    say(self, "pause");
    self->is_paused = TRUE;
    set_state(self);
    g_timeout_add(500, resume, self);
  } else if (self->step == 1 && place >= 2000) {
    self->step = 2;
    self->is_seeking = TRUE;
    say(self, "seek");
    gst_element_seek_simple(self->player, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE,
                            4 * GST_SECOND);
  }
  return G_SOURCE_CONTINUE;
}

static void filled(playlist *self, gint percent) {
  if (self->is_halted == (percent < 100)) return;
  self->is_halted = percent < 100;
  say(self, self->is_halted ? "halt" : "go_on");
  set_state(self);
}

static gboolean message(GstBus *bus, GstMessage *said, gpointer context) {
  playlist *self = context;
  gint percent;
  (void)bus;
  switch (GST_MESSAGE_TYPE(said)) {
    case GST_MESSAGE_BUFFERING:
      gst_message_parse_buffering(said, &percent);
      filled(self, percent);
      break;
    case GST_MESSAGE_ASYNC_DONE:
      if (self->is_seeking) say(self, "seeked");
      self->is_seeking = FALSE;
      break;
    case GST_MESSAGE_ERROR:
      say(self, "error");
      play_next(self, FALSE);
      break;
    case GST_MESSAGE_EOS:
      say(self, "end");
      play_next(self, FALSE);
      break;
    default: break;
  }
  return G_SOURCE_CONTINUE;
}

int main(int argc, char **argv) {
  gst_init(&argc, &argv);
  if (argc < 3) return 64;
  playlist self = {.player = gst_element_factory_make(argv[1], "player"), .addresses = argv + 2};
  self.loop = g_main_loop_new(NULL, FALSE);
  GstElement *sound = gst_element_factory_make("fakesink", NULL);
  g_object_set(sound, "sync", TRUE, NULL);
  /* Two seconds are enough to go on with: more would not come before the server goes on. */
  g_object_set(self.player, "audio-sink", sound, "video-sink", gst_element_factory_make("fakevideosink", NULL),
               "buffer-duration", (gint64)(2 * GST_SECOND), NULL);
  GstBus *bus = gst_element_get_bus(self.player);
  gst_bus_add_watch(bus, message, &self);
  gst_object_unref(bus);
  g_signal_connect(self.player, "deep-element-added", G_CALLBACK(element_added), NULL);
  g_timeout_add(20, look, &self);
  play_next(&self, TRUE);
  g_main_loop_run(self.loop);
  gst_element_set_state(self.player, GST_STATE_NULL);
  gst_object_unref(self.player);
  g_main_loop_unref(self.loop);
  return 0;
}
