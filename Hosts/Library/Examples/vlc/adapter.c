#define _GNU_SOURCE
#include "rules.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { SAMPLE_MS = 250, QUALITY_MS = 10000, STALL_MS = 1500 };

static const libvlc_event_type_t heard[] = {
    libvlc_MediaPlayerBuffering,   libvlc_MediaPlayerPlaying,       libvlc_MediaPlayerPaused,
    libvlc_MediaPlayerTimeChanged, libvlc_MediaPlayerLengthChanged, libvlc_MediaPlayerEndReached,
    libvlc_MediaPlayerEncounteredError};
enum { HEARD = sizeof heard / sizeof *heard };

/* On libVLC's threads, where a call of libVLC could wait for itself: it is only noted. */
static void note(const libvlc_event_t *event, void *context) {
  const adapter *a = context;
  struct signal signal = {event->type, 0};
  if (event->type == libvlc_MediaPlayerBuffering) signal.value = (int64_t)event->u.media_player_buffering.new_cache;
  if (event->type == libvlc_MediaPlayerTimeChanged) signal.value = event->u.media_player_time_changed.new_time;
  if (event->type == libvlc_MediaPlayerLengthChanged) signal.value = event->u.media_player_length_changed.new_length;
  /* A pipe takes so few bytes whole or not at all; it is full only when the loop has stood still for minutes. */
  if (write(a->ends[1], &signal, sizeof signal) < 0) return;
}

adapter *adapter_begin(libvlc_media_player_t *player, tally_run *run, const char *url) {
  adapter *a = calloc(1, sizeof *a);
  if (!a || pipe2(a->ends, O_NONBLOCK | O_CLOEXEC) != 0) return free(a), NULL;
  a->player = player;
  a->run = run;
  a->url = url;
  a->measured_at = now_ms();
  for (int i = 0; i < HEARD; i++) libvlc_event_attach(libvlc_media_player_event_manager(player), heard[i], note, a);
  describe(a);
  look(a);
  tally_track_load(run);
  tally_track_play(run);
  return a;
}

int adapter_descriptor(const adapter *a) { return a->ends[0]; }

bool adapter_step(adapter *a) {
  struct signal signal;
  while (!a->is_over && read(a->ends[0], &signal, sizeof signal) == sizeof signal) tell(a, signal);
  int64_t now = now_ms();
  if (!is_moving(a) || now - a->sampled_at < SAMPLE_MS) return !a->is_over;
  look(a);
  /* libVLC says that it waits for data only when they have come. Until then it is silent, and plays the second that it
   * has buffered unless it was told otherwise: so long after the last place that it said, it stalls. */
  if (now - a->heard_at >= STALL_MS) return set_waiting(a, true), true;
  tally_track_playhead(a->run, a->time_ms);
  a->sampled_at = now;
  if (now - a->measured_at < QUALITY_MS) return true;
  tally_track_quality(a->run);
  a->measured_at = now;
  return true;
}

void adapter_seek(adapter *a, int64_t to_ms) {
  if (!a->has_begun || a->is_over || !libvlc_media_player_is_seekable(a->player)) return;
  look(a);
  tally_track_seek(a->run, a->time_ms, to_ms);
  a->is_seeking = true;
  a->time_ms = to_ms; /* libVLC says the place of a seek only when it is not paused */
  libvlc_media_player_set_time(a->player, to_ms);
}

void adapter_end(adapter *a) {
  look(a);
  for (int i = 0; i < HEARD; i++) libvlc_event_detach(libvlc_media_player_event_manager(a->player), heard[i], note, a);
  tally_track_unload(a->run);
  close(a->ends[0]);
  close(a->ends[1]);
  free(a);
}
