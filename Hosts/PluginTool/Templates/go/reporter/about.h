/* What hosts show of this plugin. */
#include "tables.h"

#define PLUGIN_KIND TALLY_KIND_REPORTER
#define PLUGIN_CAPS TALLY_CAP_STREAMS | TALLY_CAP_OWN_THREADS
#define PLUGIN_ID "@ID@"
#define PLUGIN_NAME "@NAME@"
#define PLUGIN_VENDOR "@VENDOR@"
#define PLUGIN_VERSION "0.1.0"
#define PLUGIN_SCHEMA "{\"type\":\"object\",\"additionalProperties\":false}"
