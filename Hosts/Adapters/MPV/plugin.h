/* What the files of mpv's plugin have in common. */
#ifndef TALLY_MPV_PLUGIN_H
#define TALLY_MPV_PLUGIN_H

#include "mpv_client.h"

#include <adapter.h>

/* What messages begin with. */
#define PLUGIN_PROGRAM "tally for mpv"

typedef struct plugin {
  mpv_handle *mpv;
  adapter_settings settings;
  adapter_host *host;
  adapter_player *player;
  bool is_open;      /* a file is open */
  bool has_picture;
  bool has_ended;    /* at the end of a file that stays open */
  bool is_still;     /* it is a picture that is to stand */
  int64_t duration;  /* ms as told last; -2 when nothing was */
  unsigned polls;
  int failure;       /* why the file could not be played, until the words for it have come; 0 for none */
  int64_t failed_ns;
  int http_status;   /* of the last answer that FFmpeg complained of, 0 for none */
  char words[512];   /* what FFmpeg complained of since the file was opened */
} plugin;

/* ---- played_file.c: signals ---- */

void plugin_signal(plugin *self, const char *name, const tally_attribute *attributes, size_t count);
void plugin_signal_alone(plugin *self, const char *name);
void plugin_signal_integer(plugin *self, const char *name, const char *attribute, int64_t value);
void plugin_signal_truth(plugin *self, const char *name, const char *attribute, bool value);

/* ---- played_file.c: properties ---- */

/* False when it is not known, or no finite number. */
bool plugin_double(plugin *self, const char *name, double *value);
bool plugin_integer(plugin *self, const char *name, int64_t *value);

/* -1 when it is not known. */
int plugin_flag(plugin *self, const char *name);

/* A property in seconds. */
int64_t plugin_milliseconds(plugin *self, const char *name, int64_t unknown);

/* Whether a property is this text. */
bool plugin_has_text(plugin *self, const char *name, const char *expected);

/* ---- played_file.c: what is played ---- */

/* Volume, speed, sound, screen. */
void played_settings(plugin *self);

/* Size and frame rate of the picture. */
void played_format(plugin *self);

/* The length, unless it is as it was told last. */
void played_length(plugin *self, bool is_first);
void played_chapters(plugin *self);

/* Names, codecs, languages. */
void played_description(plugin *self);

/* ---- settings_files.c ---- */

/* Reads the settings from all places; false when nothing is to be tracked, or one is wrong, which it says. */
bool read_settings(plugin *self);

#endif
