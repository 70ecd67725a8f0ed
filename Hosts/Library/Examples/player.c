/* A player without a picture: it keeps the time of one, and tells Tally what a player has to tell.
 *
 *   player PLUGIN-FOLDER ARCHIVE-FOLDER OUTPUTS-FILE
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <tally.h>
#include <time.h>

enum { STEP_MS = 250, DURATION_MS = 7000 };
static int64_t position_ms;

static void wait_ms(long ms) {
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Moves without playing: the next track call says where to. */
static void stand_at(tally_run *run, int64_t ms) {
  tally_player_state state = tally_player_state_unknown();
  state.known = TALLY_HAS_PLAYHEAD;
  state.playhead_ms = position_ms = ms;
  tally_run_set_state(run, &state);
}

/* Plays to a place. Samples are told only while playback goes on: a playhead that stands needs none. */
static void play_until(tally_run *run, int64_t end_ms) {
  while (position_ms < end_ms) {
    wait_ms(STEP_MS);
    position_ms += STEP_MS;
    tally_track_playhead(run, position_ms);
  }
}

/* Quality goes with every event but playhead samples; frames are totals of the session, which never fall. */
static void tell_quality(tally_run *run, int64_t rendered, int64_t dropped) {
  tally_player_state state = tally_player_state_unknown();
  state.known = TALLY_HAS_BITRATE | TALLY_HAS_RENDERED | TALLY_HAS_DROPPED;
  state.bitrate = 3000000;
  state.rendered_frames = rendered;
  state.dropped_frames = dropped;
  tally_run_set_state(run, &state);
  tally_track_quality(run);
}

static void play_film(tally_run *run) {
  const tally_attribute video[] = {tally_text("video_id", "film-1"), tally_text("video_name", "A film"),
                                   tally_text("stream_type", "vod"), tally_text("player_name", "Example")};
  tally_run_set_info(run, TALLY_SUBJECT_VIDEO, video, sizeof video / sizeof *video);
  tally_player_state state = tally_player_state_unknown();
  state.known = TALLY_HAS_DURATION | TALLY_HAS_VOLUME;
  state.duration_ms = DURATION_MS;
  state.volume = 0.8;
  tally_run_set_state(run, &state);
  stand_at(run, 0);

  tally_track_load(run);
  tally_track_play(run);
  tally_track_buffering(run, "initial");
  wait_ms(300);
  tally_track_buffered(run);
  tally_track_first_frame(run);
  play_until(run, 1000);
  tell_quality(run, 50, 0);

  tally_track_pause(run);
  wait_ms(300);
  tally_track_play(run);
  play_until(run, 1500);

  tally_track_seek(run, position_ms, 6000);
  wait_ms(200);
  stand_at(run, 6000);
  tally_track_seeked(run);
  play_until(run, 6500);

  tally_track_buffering(run, "stall");
  wait_ms(700);
  tally_track_buffered(run);
  /* Playback goes on, so it is not fatal; a fatal one would be followed by an unload, and by no complete. */
  tally_track_error(run, "subtitle-missing", "no subtitles in this language", false);
  play_until(run, DURATION_MS);
  tell_quality(run, 173, 2);
  tally_track_complete(run);
  tally_track_unload(run);
}

int main(int count, char **arguments) {
  if (count != 4) return TALLY_ERROR_ARGUMENT;
  /* With a slash at its end the folder is made when it is not there. */
  char archive[1024], path[1024];
  snprintf(archive, sizeof archive, "%s/", arguments[2]);
  snprintf(path, sizeof path, "plugins.jsonlines.config.path=%s", arguments[3]);
  const char *folders[] = {arguments[1]}, *settings[] = {path};

  tally_error error = tally_error_none();
  tally_options options = tally_options_default();
  options.plugins = "new-relic-video,jsonlines";
  options.plugin_folders = folders;
  options.plugin_folder_count = options.setting_count = 1;
  options.settings = settings;
  options.archive = archive;
  tally *telemetry = tally_open(&options, &error);
  tally_run *run = telemetry ? tally_run_start(telemetry, NULL, &error) : NULL;
  if (run) play_film(run);
  else fprintf(stderr, "player: %s\n", error.message);
  if (!telemetry) return error.code;

  /* The run is over before reports are asked for: that of its last session is there then. */
  tally_run_free(run);
  tally_report said = tally_report_empty();
  while (tally_next_report(telemetry, &said))
    if (said.kind == TALLY_REPORT_SESSION)
      printf("session %" PRIu32 ": delivered %" PRIu64 ", lost %" PRIu64 "\n", said.session, said.delivered,
             said.dropped);
    else if (said.message) fprintf(stderr, "player: %s\n", said.message);
  tally_close(telemetry, 5000);
  return error.code;
}
