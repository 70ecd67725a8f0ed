/* In place of libtally, to measure what adapters cost alone: it opens, and nothing comes of what it is told. */
#include <tally.h>

static int place;

const char *tally_version(void) { return "silent"; }

uint32_t tally_library_abi(void) { return TALLY_LIBRARY_ABI; }

tally *tally_open(const tally_options *options, tally_error *error) {
  (void)options;
  (void)error;
  return (tally *)&place;
}

int32_t tally_close(tally *telemetry, int64_t limit_ms) {
  (void)telemetry;
  (void)limit_ms;
  return 0;
}

tally_adapter *tally_adapter_start(tally *telemetry, const tally_run_options *options, const tally_attribute *player,
                                   size_t count, tally_error *error) {
  (void)telemetry;
  (void)options;
  (void)player;
  (void)count;
  (void)error;
  return (tally_adapter *)&place;
}

void tally_adapter_free(tally_adapter *adapter, int64_t limit_ms) {
  (void)adapter;
  (void)limit_ms;
}

int32_t tally_signal(tally_adapter *adapter, int64_t time_ns, const char *name, const tally_attribute *attributes,
                     size_t count) {
  (void)adapter;
  (void)time_ns;
  (void)name;
  (void)attributes;
  (void)count;
  return 0;
}
