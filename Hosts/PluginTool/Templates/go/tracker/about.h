/* What hosts show of this plugin. */
#include "tables.h"

#define PLUGIN_KIND TALLY_KIND_TRACKER
#define PLUGIN_CAPS TALLY_CAP_DETERMINISTIC
#define PLUGIN_ID "@ID@"
#define PLUGIN_NAME "@NAME@"
#define PLUGIN_VENDOR "@VENDOR@"
#define PLUGIN_VERSION "0.1.0"
#define PLUGIN_SCHEMA "{\"type\":\"object\",\"additionalProperties\":false}"
