/* A pipeline that may be a player, and what it says: made signals of, which are libtally's to understand. */
#ifndef TALLY_WATCHED_PLAYER_H
#define TALLY_WATCHED_PLAYER_H

#include <adapter.h>
#include <gst/gst.h>

typedef struct watched_player watched_player;

/* Has watched_player_look called soon, on its own thread; called on any thread, and must not wait. */
typedef void (*look_function)(gpointer context);

/* Watches a pipeline from now on, unless it is watched already; gives the watch, with a reference for the caller. Keeps
 * no reference to the pipeline. `wants_demuxers`: one that is put together by hand is a player too. */
watched_player *watched_player_of(GstElement *pipeline, adapter_host *host, gboolean wants_demuxers,
                                  look_function look_soon, gpointer look_context);

/* An element, with all in it, has come into the pipeline. On any thread. */
void watched_player_add(watched_player *self, GstElement *element);

/* Looks at what elements have to be asked for: the playhead and counters when it is regular, else what is new. False
 * when the pipeline is gone. On a thread that nothing waits for: an element may take its time. */
gboolean watched_player_look(watched_player *self, gboolean is_regular);

watched_player *watched_player_ref(watched_player *self);
void watched_player_unref(watched_player *self);

#endif
