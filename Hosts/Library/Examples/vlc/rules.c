#define _POSIX_C_SOURCE 200809L
#include "rules.h"
#include <string.h>
#include <time.h>

enum { END_MS = 1000 };

int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

bool is_moving(const adapter *a) {
  return a->has_begun && !a->is_paused && !a->is_waiting && !a->is_seeking && !a->is_over;
}

void look(adapter *a) {
  /* libVLC 3 says its time each 250 to 500 ms only: what has passed since is added. */
  int64_t now = now_ms();
  if (is_moving(a)) a->time_ms += now - a->time_at;
  if (a->length_ms > 0 && a->time_ms > a->length_ms) a->time_ms = a->length_ms;
  a->time_at = now;
  tally_player_state state = tally_player_state_unknown();
  state.known = TALLY_HAS_PLAYHEAD | (a->length_ms ? TALLY_HAS_DURATION : 0);
  state.playhead_ms = a->time_ms;
  state.duration_ms = a->length_ms;
  libvlc_media_t *media = libvlc_media_player_get_media(a->player);
  libvlc_media_stats_t stats;
  if (media && libvlc_media_get_stats(media, &stats)) {
    state.known |= TALLY_HAS_RENDERED | TALLY_HAS_DROPPED | (stats.f_demux_bitrate > 0 ? TALLY_HAS_BITRATE : 0);
    state.rendered_frames = stats.i_displayed_pictures;
    state.dropped_frames = stats.i_lost_pictures;
    state.bitrate = (int64_t)(stats.f_demux_bitrate * 8e6f); /* it is in bytes a microsecond */
  }
  if (media) libvlc_media_release(media);
  tally_run_set_state(a->run, &state);
}

void describe(const adapter *a) {
  const char *slash = strrchr(a->url, '/');
  tally_attribute video[5] = {tally_text("video_id", slash ? slash + 1 : a->url), tally_text("video_url", a->url),
                              tally_text("player_name", "libVLC"), tally_text("player_version", libvlc_get_version())};
  size_t count = 4;
  if (a->length_ms) video[count++] = tally_text("stream_type", a->length_ms > 0 ? "vod" : "live");
  tally_run_set_info(a->run, TALLY_SUBJECT_VIDEO, video, count);
}

void set_waiting(adapter *a, bool is_waiting) {
  if (is_waiting == a->is_waiting) return;
  a->is_waiting = is_waiting;
  if (is_waiting) {
    tally_track_buffering(a->run, a->is_seeking ? "seek" : a->has_begun ? "stall" : "initial");
    return;
  }
  tally_track_buffered(a->run);
  a->heard_at = a->time_at;
  if (a->is_seeking) tally_track_seeked(a->run);
  a->is_seeking = false;
}

static void set_paused(adapter *a, bool is_paused) {
  /* "Playing" is also said at the start, where nothing was paused. */
  if (is_paused == a->is_paused) return;
  a->is_paused = is_paused;
  a->heard_at = a->time_at;
  if (is_paused) tally_track_pause(a->run);
  else tally_track_play(a->run);
}

static void set_length(adapter *a, int64_t length_ms) {
  a->length_ms = length_ms;
  look(a);
  describe(a);
  tally_track_metadata(a->run);
}

static void set_time(adapter *a, int64_t time_ms) {
  bool has_moved = time_ms > a->time_ms || a->has_begun;
  a->time_ms = time_ms;
  a->heard_at = a->time_at;
  look(a);
  if (!a->is_seeking) set_waiting(a, false);
  /* The first frame is when the time moves: "Playing" and a time of 0 are said before there is a picture. */
  if (has_moved && !a->has_begun) tally_track_first_frame(a->run);
  if (has_moved && !a->length_ms) set_length(a, -1); /* live, as it seems */
  a->has_begun = has_moved;
}

static void end(adapter *a, const char *error, const char *message) {
  if (error) tally_track_error(a->run, error, message, true);
  else tally_track_complete(a->run);
  a->is_over = true;
}

void tell(adapter *a, struct signal signal) {
  look(a);
  switch (signal.type) {
  case libvlc_MediaPlayerBuffering: set_waiting(a, signal.value < 100); break;
  case libvlc_MediaPlayerPaused: set_paused(a, true); break;
  case libvlc_MediaPlayerPlaying: set_paused(a, false); break;
  case libvlc_MediaPlayerTimeChanged: set_time(a, signal.value); break;
  case libvlc_MediaPlayerLengthChanged:
    if (signal.value > 0 && signal.value != a->length_ms) set_length(a, signal.value);
    break;
  case libvlc_MediaPlayerEncounteredError: end(a, "libvlc", libvlc_errmsg()); break;
  case libvlc_MediaPlayerEndReached:
    /* A connection that breaks, and what is no media, end like a film that is over: only the place tells them apart. */
    if (!a->length_ms || a->time_ms < a->length_ms - END_MS) end(a, "ended-early", "the media ended too early");
    else end(a, NULL, NULL);
    break;
  default: break;
  }
}
