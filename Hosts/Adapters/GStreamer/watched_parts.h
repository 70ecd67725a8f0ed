/* What the files of a watched player have in common: the player itself, and what each does for the others. */
#ifndef TALLY_WATCHED_PARTS_H
#define TALLY_WATCHED_PARTS_H

#include "watched_player.h"

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

/* ---- watched_player.c; with the lock ---- */

void watched_tell(watched_player *self, const char *name, const tally_attribute *attributes, size_t count);
void watched_tell_alone(watched_player *self, const char *name);
void watched_tell_integer(watched_player *self, const char *name, const char *attribute, gint64 value);
void watched_tell_truth(watched_player *self, const char *name, const char *attribute, gboolean value);

/* Opens the item that the pipeline is to play. */
void watched_open(watched_player *self);

/* The same once somebody wants the pipeline to play: what only looks into a file stays in PAUSED. */
void watched_open_if_wanted(watched_player *self, GstElement *pipeline);

/* Nothing is open any more. */
void watched_forget_item(watched_player *self);

/* Has the tracer's thread look at the player soon; with or without the lock. */
void watched_look_soon(watched_player *self);

gboolean watched_has_property(gpointer object, const char *name);
gboolean watched_has_class(GstElement *element, const char *part);

/* ---- bus_messages.c; without the lock ---- */

/* A message of the bus, on the thread that posts it; the context is the player. */
void watched_message_posted(GstBus *bus, GstMessage *message, gpointer context);

/* ---- sink_probes.c; without the lock ---- */

/* Watches what comes to a sink. */
void watched_sink(watched_player *self, GstElement *sink);

#endif
