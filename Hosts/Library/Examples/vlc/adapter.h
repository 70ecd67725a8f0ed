/* Tells Tally what a media player of libVLC does. All of it is called on the thread of the application's loop. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <tally.h>
#include <vlc/vlc.h>

typedef struct adapter adapter;

/* Begins a session for the media that the player has, before it is played. All three outlive the adapter. */
adapter *adapter_begin(libvlc_media_player_t *player, tally_run *run, const char *url);

/* Readable while something waits to be told by adapter_step(). */
int adapter_descriptor(const adapter *a);

/* Tells what has happened and where playback stands: at the latest each 250 ms. False when playback is over. */
bool adapter_step(adapter *a);

/* Seeks, in place of libvlc_media_player_set_time(): libVLC does not tell a seek from a leap in the media. */
void adapter_seek(adapter *a, int64_t to_ms);

/* Ends the session. */
void adapter_end(adapter *a);

#endif
