#include "library.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool adapter_can_read(const char *path) { return path && access(path, R_OK) == 0; }

static bool keep(char **place, const char *value) {
  free(*place);
  size_t size = strlen(value) + 1;
  *place = malloc(size);
  if (*place) memcpy(*place, value, size);
  return *place != NULL;
}

bool adapter_settings_read(adapter_settings *settings, const char *name, const char *value) {
  const struct {
    const char *name;
    char **place;
  } texts[] = {
      {"library", &settings->library}, {"config", &settings->config},
      {"plugins", &settings->plugins}, {"plugin-folder", &settings->plugin_folder},
      {"archive", &settings->archive}, {"store", &settings->store},
      {"control", &settings->control},
  };
  for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
    if (strcmp(name, texts[index].name) == 0) return keep(texts[index].place, value);
  }
  if (strcmp(name, "set") != 0) return false;
  /* Players take a name once: several keys are one text. */
  while (*value) {
    size_t length = strcspn(value, ";");
    if (settings->set_count == sizeof settings->set / sizeof settings->set[0]) return false;
    char one[1024];
    if (length >= sizeof one) return false;
    memcpy(one, value, length);
    one[length] = 0;
    if (length > 0 && !keep(&settings->set[settings->set_count++], one)) return false;
    value += length + (value[length] != 0);
  }
  return true;
}

bool adapter_settings_track(const adapter_settings *settings) {
  return settings->config || settings->plugins || settings->archive || settings->set_count > 0;
}

void adapter_settings_free(adapter_settings *settings) {
  free(settings->library);
  free(settings->config);
  free(settings->plugins);
  free(settings->plugin_folder);
  free(settings->archive);
  free(settings->store);
  free(settings->control);
  for (size_t index = 0; index < settings->set_count; index++) free(settings->set[index]);
  memset(settings, 0, sizeof *settings);
}
