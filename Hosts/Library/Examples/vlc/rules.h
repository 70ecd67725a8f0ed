/* The adapter's inside. */
#ifndef RULES_H
#define RULES_H

#include "adapter.h"

/* An event of libVLC, with its number. */
struct signal { int type; int64_t value; };

struct adapter {
  libvlc_media_player_t *player;
  tally_run *run;
  const char *url;
  int ends[2];         /* a pipe of signals */
  int64_t time_ms;     /* where playback stood at time_at */
  int64_t time_at;
  int64_t heard_at;    /* when libVLC said a place */
  int64_t length_ms;   /* 0 while it is not known */
  int64_t sampled_at, measured_at;
  bool has_begun, is_paused, is_waiting, is_seeking, is_over;
};

int64_t now_ms(void);
bool is_moving(const adapter *a);

/* Brings Tally's state up to date for the track call that follows. */
void look(adapter *a);

/* Says what is known of the media, for the track call that follows. */
void describe(const adapter *a);

/* Tells what a signal means. */
void tell(adapter *a, struct signal signal);

/* Tells that playback waits, or waits no longer. */
void set_waiting(adapter *a, bool is_waiting);

#endif
