/* What hosts show of this plugin. */
#include "tables.h"

#define PLUGIN_KIND TALLY_KIND_REPORTER
#define PLUGIN_CAPS (TALLY_CAP_OWN_THREADS | TALLY_CAP_NETWORK)
#define PLUGIN_ID "org.tally.example.socket"
#define PLUGIN_NAME "Socket"
#define PLUGIN_VENDOR "Tally"
#define PLUGIN_VERSION "1.0.0"
#define PLUGIN_SCHEMA \
  "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"path\"],\"properties\":{\"path\":{" \
  "\"type\":\"string\",\"minLength\":1,\"description\":\"Path of the Unix socket on which somebody waits.\"}}}"
