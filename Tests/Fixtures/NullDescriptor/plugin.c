/* Says that it holds two plugins and has a descriptor for none. The loader must refuse the file. */
#include "tally_plugin.h"

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  return (void)self, (void)index, NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  return (void)self, (void)host, (void)plugin_id, (void)run, NULL;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 2, .descriptor = descriptor,
      .create = create};
  return &entry;
}
