#define _GNU_SOURCE
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the plugin's settings come from: mpv's own file of script options, its command line, tally.json5. */

static void complain(const char *place, const char *name, const char *prefix) {
  fprintf(stderr, PLUGIN_PROGRAM ": nothing is tracked: %sthere is no option %s: %sthere are " ADAPTER_SETTING_NAMES "\n",
          place, name, prefix);
}

/* A file in mpv's folders, the user's before the system's; NULL when it cannot be read. To be freed. */
static char *find_file(plugin *self, const char *name) {
  const char *command[] = {"expand-path", name, NULL};
  mpv_node path;
  if (mpv_command_ret(self->mpv, command, &path) < 0) return NULL;
  char *found = NULL;
  /* Without such a folder it is a name in the present one, whose files nobody expects to be read. */
  if (path.format == MPV_FORMAT_STRING && path.u.string[0] == '/' && adapter_can_read(path.u.string)) {
    found = strdup(path.u.string);
  }
  mpv_free_node_contents(&path);
  return found;
}

static char *trim(char *text) {
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r\n", text[length - 1])) text[--length] = 0;
  return text;
}

/* One line of script-opts/tally.conf, in the form that mpv gives such files: KEY=VALUE, or a comment behind #. */
static bool read_line(plugin *self, char *line, const char *path, unsigned number) {
  line = trim(line);
  if (*line == 0 || *line == '#') return true;
  char *equals = strchr(line, '=');
  char place[1100];
  snprintf(place, sizeof place, "%s:%u: ", path, number);
  if (!equals) {
    fprintf(stderr, PLUGIN_PROGRAM ": nothing is tracked: %s'%s' is no KEY=VALUE\n", place, line);
    return false;
  }
  *equals = 0;
  if (adapter_settings_read(&self->settings, trim(line), trim(equals + 1))) return true;
  complain(place, trim(line), "");
  return false;
}

static bool read_option_file(plugin *self) {
  char *path = find_file(self, "~~/script-opts/tally.conf");
  FILE *file = path ? fopen(path, "re") : NULL;
  bool is_good = true;
  if (file) {
    char *line = NULL;
    size_t size = 0;
    for (unsigned number = 1; is_good && getline(&line, &size, file) >= 0; number++) {
      is_good = read_line(self, line, path, number);
    }
    free(line);
    fclose(file);
  }
  free(path);
  return is_good;
}

static bool read_command_line(plugin *self) {
  mpv_node options;
  if (mpv_get_property(self->mpv, "options/script-opts", MPV_FORMAT_NODE, &options) < 0) return true;
  bool is_good = true;
  for (int index = 0; is_good && options.format == MPV_FORMAT_NODE_MAP && index < options.u.list->num; index++) {
    const char *key = options.u.list->keys[index];
    const mpv_node *value = &options.u.list->values[index];
    if (strncmp(key, "tally-", 6) != 0 || value->format != MPV_FORMAT_STRING) continue;
    is_good = adapter_settings_read(&self->settings, key + 6, value->u.string);
    if (!is_good) complain("", key, "behind tally- ");
  }
  mpv_free_node_contents(&options);
  return is_good;
}

bool read_settings(plugin *self) {
  if (!read_option_file(self) || !read_command_line(self)) return false;
  if (self->settings.config) return true;
  char *path = find_file(self, "~~/tally.json5");
  if (path) adapter_settings_read(&self->settings, "config", path);
  free(path);
  if (!adapter_settings_track(&self->settings) && adapter_can_read("/etc/tally.json5")) {
    adapter_settings_read(&self->settings, "config", "/etc/tally.json5");
  }
  return adapter_settings_track(&self->settings);
}
