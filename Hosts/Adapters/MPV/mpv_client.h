/* The part of mpv's client interface (version 2) that the plugin uses, declared here as mpv exports the functions
 * itself: so the plugin is built without mpv's development files, which bring seventy packages. */
#ifndef TALLY_MPV_CLIENT_H
#define TALLY_MPV_CLIENT_H

#include <stdint.h>

typedef struct mpv_handle mpv_handle;

typedef enum mpv_format {
  MPV_FORMAT_NONE = 0,
  MPV_FORMAT_STRING = 1,
  MPV_FORMAT_FLAG = 3,
  MPV_FORMAT_INT64 = 4,
  MPV_FORMAT_DOUBLE = 5,
  MPV_FORMAT_NODE = 6,
  MPV_FORMAT_NODE_ARRAY = 7,
  MPV_FORMAT_NODE_MAP = 8
} mpv_format;

typedef struct mpv_node {
  union {
    char *string;
    int flag;
    int64_t int64;
    double double_;
    struct mpv_node_list *list;
    void *bytes;
  } u;
  mpv_format format;
} mpv_node;

typedef struct mpv_node_list {
  int num;
  mpv_node *values;
  char **keys;
} mpv_node_list;

typedef enum mpv_event_id {
  MPV_EVENT_NONE = 0,
  MPV_EVENT_SHUTDOWN = 1,
  MPV_EVENT_LOG_MESSAGE = 2,
  MPV_EVENT_START_FILE = 6,
  MPV_EVENT_END_FILE = 7,
  MPV_EVENT_FILE_LOADED = 8,
  MPV_EVENT_VIDEO_RECONFIG = 17,
  MPV_EVENT_SEEK = 20,
  MPV_EVENT_PLAYBACK_RESTART = 21,
  MPV_EVENT_PROPERTY_CHANGE = 22
} mpv_event_id;

typedef struct mpv_event {
  mpv_event_id event_id;
  int error;
  uint64_t reply_userdata;
  void *data;
} mpv_event;

typedef struct mpv_event_property {
  const char *name;
  mpv_format format;
  void *data;
} mpv_event_property;

typedef struct mpv_event_log_message {
  const char *prefix;
  const char *level;
  const char *text;
  int log_level;
} mpv_event_log_message;

typedef enum mpv_end_file_reason {
  MPV_END_FILE_REASON_EOF = 0,
  MPV_END_FILE_REASON_STOP = 2,
  MPV_END_FILE_REASON_QUIT = 3,
  MPV_END_FILE_REASON_ERROR = 4,
  MPV_END_FILE_REASON_REDIRECT = 5
} mpv_end_file_reason;

typedef struct mpv_event_end_file {
  mpv_end_file_reason reason;
  int error;
} mpv_event_end_file;

unsigned long mpv_client_api_version(void);
const char *mpv_error_string(int error);
void mpv_free(void *data);
void mpv_free_node_contents(mpv_node *node);
int mpv_command_ret(mpv_handle *ctx, const char **args, mpv_node *result);
int mpv_get_property(mpv_handle *ctx, const char *name, mpv_format format, void *data);
char *mpv_get_property_string(mpv_handle *ctx, const char *name);
int mpv_observe_property(mpv_handle *ctx, uint64_t reply_userdata, const char *name, mpv_format format);
int mpv_request_log_messages(mpv_handle *ctx, const char *min_level);
mpv_event *mpv_wait_event(mpv_handle *ctx, double timeout);

#endif
