/* What the adapters of players share: settings, and a way for signals to libtally that no thread of a player waits on.
 *
 * An adapter is what a player loads: it links no Swift and not even libtally, so that a player that tracks nothing pays
 * for nothing. With the first signal a thread begins that loads libtally, which takes some 50 ms; signals wait for it
 * with the times at which they were told. */
#ifndef TALLY_ADAPTER_H
#define TALLY_ADAPTER_H

#include <tally.h>

/* ---- Settings ---- */

/* How an adapter is set up; each text is the adapter's own copy, NULL when it is not given. */
typedef struct adapter_settings {
  char *library;        /* the file of libtally */
  char *config;         /* tally.json5 */
  char *plugins;        /* instances or plugins, by commas */
  char *plugin_folder;  /* where plugins are looked for first */
  char *archive;        /* the folder of archives */
  char *store;
  char *control;
  char *set[32];        /* KEY=VALUE */
  size_t set_count;
} adapter_settings;

/* The names that adapter_settings_read knows, for messages. */
#define ADAPTER_SETTING_NAMES "config, plugins, plugin-folder, archive, store, control, set and library"

/* Reads one setting; `set` is KEY=VALUE, several by semicolons. False when there is none of the name, or no room. */
bool adapter_settings_read(adapter_settings *settings, const char *name, const char *value);

/* Whether they ask for anything to be tracked. */
bool adapter_settings_track(const adapter_settings *settings);

/* Frees the texts. */
void adapter_settings_free(adapter_settings *settings);

/* Whether a file can be read. */
bool adapter_can_read(const char *path);

/* ---- Signals ---- */

/* libtally as it is used by one adapter, with the thread that calls it. */
typedef struct adapter_host adapter_host;

/* One player: a run. */
typedef struct adapter_player adapter_player;

/* Makes a host, which does nothing before the first signal. `program` begins messages on standard error, `claim` keeps
 * a second copy of the adapter out; both are kept. libtally is the file that the settings name, else the one beside
 * the file that `near` lies in, else the system's. The settings become the host's. NULL when there is no memory. */
adapter_host *adapter_host_create(adapter_settings *settings, const char *program, const char *claim, const void *near);

/* Makes a player of a host, of which a name and perhaps a version are known. NULL when there is no memory. */
adapter_player *adapter_player_create(adapter_host *host, const char *name, const char *version);

/* Tells a signal as of now: see tally_signal. From any thread; takes less than a microsecond, and waits for nobody.
 * When 4,096 signals wait, or there is no memory, it is dropped. */
void adapter_signal(adapter_player *player, const char *name, const tally_attribute *attributes, size_t count);

/* Whether libtally could not be used: nothing is tracked then. From any thread. */
bool adapter_has_failed(const adapter_host *host);

/* Ends a player's run, behind what was told of it, and frees the player. Does not wait. */
void adapter_player_end(adapter_player *player);

/* Ends what is open, gives reporters so long to deliver, ms, and frees the host. Waits. */
void adapter_host_end(adapter_host *host, int64_t limit_ms);

#endif
