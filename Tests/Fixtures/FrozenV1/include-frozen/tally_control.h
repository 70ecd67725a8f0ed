/* Tally plugin ABI: extensions for changes at run time, offered by the plugin. */
#ifndef TALLY_CONTROL_H
#define TALLY_CONTROL_H

#include "tally_plugin.h"

TALLY_EXTERN_C_BEGIN
TALLY_ASSUME_NONNULL_BEGIN

/* Takes bytes from a plugin: the answer to a command. Lent for the call that it is handed to. */
typedef struct tally_sink {
  void *TALLY_NULLABLE ctx;
  tally_status (*write)(const struct tally_sink *sink, const void *bytes, size_t len);
} tally_sink;

#define TALLY_EXT_CONFIGURE "tally.configure/1"

/* A new configuration in mid-run. It is delivered in order with the events, as an archived control event. */
typedef struct tally_configure {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [core] or [reporter] {ready} `now_us` and `now` say what the time is and what the player does then: a tracker has
   * no clock, and a change can make it emit. A reporter gets 0 and NULL. */
  tally_status (*configure)(
      const tally_plugin *self, tally_str config, int64_t now_us, const tally_state *TALLY_NULLABLE now);
} tally_configure;

#define TALLY_EXT_COMMAND "tally.command/1"

/* Named commands and queries. A command that changes state is an archived control event, a query is not. */
typedef struct tally_command {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [core] or [reporter] {ready} The answer is JSON text. TALLY_ERR_NOT_FOUND for an unknown name. `now_us` and `now`
   * are as in tally_configure. */
  tally_status (*run)(
      const tally_plugin *self, tally_str name, tally_str json_arguments, int64_t now_us,
      const tally_state *TALLY_NULLABLE now, const tally_sink *answer);
  /* [any] {created} What commands there are: constant JSON text, an array of objects with `name`, `summary` and
   * `changes` (whether it changes state: true where it is left out). Valid until destroy. */
  tally_str (*list)(const tally_plugin *self);
} tally_command;

TALLY_ASSUME_NONNULL_END
TALLY_EXTERN_C_END
#endif
