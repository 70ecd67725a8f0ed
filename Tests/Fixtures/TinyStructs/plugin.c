/* Two plugins whose function tables are shorter than version 1.0 says, each at the end of a page with nothing behind
 * it: a host that reads more than struct_size bytes crashes. Both must be refused with a text, not called.
 *   ...tiny-plugin: the plugin's table ends behind plugin_data; ...tiny-tracker: the tracker's behind struct_size. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tally_plugin.h"

#define TINY_PLUGIN "org.tally.fixture.tiny-plugin"
#define TINY_TRACKER "org.tally.fixture.tiny-tracker"

/* A copy of the first `size` bytes that ends where the readable memory ends; like all tables it is never freed. */
static void *at_the_edge(const void *bytes, size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0) return NULL;
  return memcpy(pages + page - size, bytes, size);
}

static tally_status init(const tally_plugin *self, tally_str config) { return (void)self, (void)config, TALLY_OK; }
static tally_status enable(const tally_plugin *self) { return (void)self, TALLY_OK; }
static void nothing(const tally_plugin *self) { (void)self; }

static const void *get_extension(const tally_plugin *self, const char *id) {
  const tally_tracker tracker = {.struct_size = 8};
  (void)self;
  return strcmp(id, TALLY_EXT_TRACKER) == 0 ? at_the_edge(&tracker, 8) : NULL;
}

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  static tally_descriptor about[2] = {
      {.struct_size = sizeof about[0], .kind = TALLY_KIND_TRACKER, .caps = TALLY_CAP_DETERMINISTIC, .id = TINY_PLUGIN,
       .name = TINY_PLUGIN, .vendor = "Tally", .version = "1.0.0"},
      {.struct_size = sizeof about[1], .kind = TALLY_KIND_TRACKER, .caps = TALLY_CAP_DETERMINISTIC, .id = TINY_TRACKER,
       .name = TINY_TRACKER, .vendor = "Tally", .version = "1.0.0"}};
  return index < 2 ? &about[index] : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)host, (void)run;
  bool tiny = strcmp(plugin_id, TINY_PLUGIN) == 0;
  size_t size = tiny ? offsetof(tally_plugin, init) : sizeof(tally_plugin);
  const tally_plugin plugin = {
      .struct_size = (uint32_t)size, .init = init, .enable = enable, .disable = nothing, .destroy = nothing,
      .get_extension = get_extension};
  return tiny || strcmp(plugin_id, TINY_TRACKER) == 0 ? at_the_edge(&plugin, size) : NULL;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 2, .descriptor = descriptor,
      .create = create};
  return &entry;
}
