/* A player on libVLC; commands on standard input: pause, resume, seek MS, quit.
 *
 *   player PLUGIN-FOLDER ARCHIVE-FOLDER OUTPUTS-FILE FILE-OR-URL [OPTION OF LIBVLC...]
 */
#define _POSIX_C_SOURCE 200809L
#include "adapter.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void play(libvlc_media_player_t *player, adapter *teller) {
  struct pollfd waits[] = {{adapter_descriptor(teller), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  libvlc_media_player_play(player);
  while (adapter_step(teller)) {
    /* Shorter than the interval of samples, which would drift otherwise. */
    poll(waits, 2, 50);
    if (!waits[1].revents) continue;
    char line[64];
    if (!fgets(line, sizeof line, stdin)) waits[1].fd = -1;
    else if (!strcmp(line, "pause\n")) libvlc_media_player_set_pause(player, 1);
    else if (!strcmp(line, "resume\n")) libvlc_media_player_set_pause(player, 0);
    else if (!strncmp(line, "seek ", 5)) adapter_seek(teller, atoll(line + 5));
    else if (!strcmp(line, "quit\n")) return;
  }
}

static tally *open_tally(char **arguments, tally_error *error) {
  /* With a slash at its end the folder is made when it is not there. */
  char archive[1024], path[1024];
  snprintf(archive, sizeof archive, "%s/", arguments[2]);
  snprintf(path, sizeof path, "plugins.jsonlines.config.path=%s", arguments[3]);
  const char *folders[] = {arguments[1]}, *settings[] = {path};
  tally_options options = tally_options_default();
  options.plugins = "new-relic-video,jsonlines";
  options.plugin_folders = folders;
  options.plugin_folder_count = options.setting_count = 1;
  options.settings = settings;
  options.archive = archive;
  return tally_open(&options, error);
}

int main(int count, char **arguments) {
  if (count < 5) return TALLY_ERROR_ARGUMENT;
  setvbuf(stdin, NULL, _IONBF, 0); /* what fgets() had buffered, poll() would not see */
  tally_error error = tally_error_none();
  tally *telemetry = open_tally(arguments, &error);
  tally_run *run = telemetry ? tally_run_start(telemetry, NULL, &error) : NULL;
  /* A player plays also when its telemetry does not come up: a run that is NULL takes all calls. */
  if (!run) fprintf(stderr, "player: %s\n", error.message);

  libvlc_instance_t *vlc = libvlc_new(count - 5, (const char *const *)arguments + 5);
  if (!vlc) return TALLY_ERROR_UNAVAILABLE;
  const char *url = arguments[4];
  libvlc_media_t *media = strstr(url, "://") ? libvlc_media_new_location(vlc, url) : libvlc_media_new_path(vlc, url);
  libvlc_media_player_t *player = libvlc_media_player_new_from_media(media);
  libvlc_media_release(media);
  adapter *teller = adapter_begin(player, run, url);
  if (teller) {
    play(player, teller);
    adapter_end(teller);
  }
  libvlc_media_player_stop(player);
  libvlc_media_player_release(player);
  libvlc_release(vlc);

  tally_run_free(run);
  if (telemetry) tally_close(telemetry, 5000);
  return error.code;
}
