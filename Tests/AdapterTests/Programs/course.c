/* The course of the tests in a program on GStreamer that knows nothing of Tally: a pause of half a second at 1 s, and a
 * seek from 2 s to 4 s. */
#include <gst/gst.h>

typedef struct course {
  GstElement *player;
  GMainLoop *loop;
  int step;
} course;

static gboolean resume(gpointer context) {
  gst_element_set_state(((course *)context)->player, GST_STATE_PLAYING);
  return G_SOURCE_REMOVE;
}

static gboolean look(gpointer context) {
  course *self = context;
  gint64 place = 0;
  if (!gst_element_query_position(self->player, GST_FORMAT_TIME, &place)) return G_SOURCE_CONTINUE;
  if (self->step == 0 && place >= 1 * GST_SECOND) {
    self->step = 1;
    gst_element_set_state(self->player, GST_STATE_PAUSED);
    g_timeout_add(500, resume, self);
  } else if (self->step == 1 && place >= 2 * GST_SECOND) {
    self->step = 2;
    gst_element_seek_simple(self->player, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, 4 * GST_SECOND);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean message(GstBus *bus, GstMessage *said, gpointer context) {
  (void)bus;
  if (GST_MESSAGE_TYPE(said) == GST_MESSAGE_EOS || GST_MESSAGE_TYPE(said) == GST_MESSAGE_ERROR) {
    g_main_loop_quit(((course *)context)->loop);
  }
  return G_SOURCE_CONTINUE;
}

int main(int argc, char **argv) {
  gst_init(&argc, &argv);
  if (argc != 3) return 64;
  course self = {gst_element_factory_make(argv[1], "player"), g_main_loop_new(NULL, FALSE), 0};
  GstElement *sound = gst_element_factory_make("fakesink", NULL);
  g_object_set(sound, "sync", TRUE, NULL);
  g_object_set(self.player, "uri", argv[2], "audio-sink", sound, "video-sink",
               gst_element_factory_make("fakevideosink", NULL), NULL);
  GstBus *bus = gst_element_get_bus(self.player);
  gst_bus_add_watch(bus, message, &self);
  gst_object_unref(bus);
  g_timeout_add(20, look, &self);
  gst_element_set_state(self.player, GST_STATE_PLAYING);
  g_main_loop_run(self.loop);
  gst_element_set_state(self.player, GST_STATE_NULL);
  gst_object_unref(self.player);
  g_main_loop_unref(self.loop);
  return 0;
}
