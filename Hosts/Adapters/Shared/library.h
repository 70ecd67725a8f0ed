/* libtally as adapters call it: found, loaded and opened while the player runs. */
#ifndef TALLY_ADAPTER_LIBRARY_H
#define TALLY_ADAPTER_LIBRARY_H

#include "adapter.h"

/* The functions of libtally that adapters use: each member is called as the function of its name. */
#define ADAPTER_FUNCTIONS(X) \
  X(tally_version)           \
  X(tally_library_abi)       \
  X(tally_open)              \
  X(tally_close)             \
  X(tally_adapter_start)     \
  X(tally_adapter_free)      \
  X(tally_signal)

typedef struct adapter_functions {
#define ADAPTER_MEMBER(function) __typeof__(&function) function;
  ADAPTER_FUNCTIONS(ADAPTER_MEMBER)
#undef ADAPTER_MEMBER
} adapter_functions;

typedef struct adapter_library {
  adapter_functions call;
  tally *telemetry;
} adapter_library;

/* Loads libtally and opens it. False when it fails, and `problem` says why. */
bool adapter_library_open(adapter_library *library, const adapter_settings *settings, const char *program,
                          const char *claim, const void *near, char *problem, size_t size);

#endif
