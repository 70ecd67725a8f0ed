/* What hosts show of this plugin. */
#include "tables.h"

#define PLUGIN_KIND TALLY_KIND_TRACKER
#define PLUGIN_CAPS TALLY_CAP_DETERMINISTIC
#define PLUGIN_ID "org.example.everything"
#define PLUGIN_NAME "Everything"
#define PLUGIN_VENDOR "Example"
#define PLUGIN_VERSION "1.0.0"
#define PLUGIN_SCHEMA                                                                                              \
  "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"period_ms\":{\"type\":\"integer\","       \
  "\"minimum\":1,\"maximum\":100000,\"default\":1000}}}"
#define PLUGIN_RECONFIGURES 1
#define PLUGIN_COMMANDS                                                                                            \
  "[{\"name\":\"mark\",\"summary\":\"Says a record.\",\"changes\":true},"                                          \
  "{\"name\":\"refused\",\"summary\":\"Asks for what is refused.\"},"                                              \
  "{\"name\":\"break\",\"summary\":\"Fails in an unforeseen way.\"}]"
#define PLUGIN_STORE_KEYS "visits", NULL
#define PLUGIN_WANTED_EVENTS                                                                                       \
  TALLY_EVENT_TYPE_CUSTOM, TALLY_EVENT_TYPE_PLAYER_ERROR, TALLY_EVENT_TYPE_APPLICATION_ERROR,                      \
      TALLY_EVENT_TYPE_FIRST_UNKNOWN, 0
