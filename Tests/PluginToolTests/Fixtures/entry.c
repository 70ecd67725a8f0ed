/* The entry and the descriptor of a good plugin, and of those that are bad before an instance is made. */
#include "fixture.h"

#include <stdlib.h>

#define ID "org.example.fixture"
#define TEN "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"

static const char *const endless[] = {TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN};
static const char *const unknown[] = {"tally.nothing/1", NULL};
static const char *const nowhere[] = {"nowhere", NULL};

#define SCHEMA(form)                                                                                       \
  "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"every\":" form ",\"token\":{\"type\":" \
  "\"string\",\"writeOnly\":true,\"description\":\"A secret.\"}}}"

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  static tally_descriptor about = {
      .struct_size = sizeof about, .abi_minor = IS(HEADER_VERSION) ? 7 : TALLY_ABI_MINOR,
      .id = IS(ID) ? "Fixture" : ID, .name = IS(NAMES) ? "two\nlines" : "Fixture",
      .vendor = IS(DESCRIPTOR_TABLE) ? NULL : "Tally", .version = IS(VERSION) ? "1.0" : "1.0.0",
      .config_schema = IS(SCHEMA)            ? "{\"type\":"
                       : IS(SCHEMA_KEYWORDS) ? SCHEMA("{\"type\":\"integer\",\"minimum\":\"1\"}")
                       : IS(SCHEMA_DEFAULTS) ? SCHEMA("{\"type\":\"integer\",\"minimum\":1,\"default\":0}")
                                             : SCHEMA("{\"type\":\"integer\",\"minimum\":1,\"default\":5}"),
      .requires_extensions = IS(REQUIRED_EXTENSIONS) ? unknown : NULL, .store_keys = IS(LISTS) ? endless : NULL,
      .read_paths = IS(PATHS) ? nowhere : NULL};
  about.kind = IS(KIND) ? 3 : fixture_kind;
  about.caps = fixture_kind == TALLY_KIND_REPORTER ? 0 : TALLY_CAP_DETERMINISTIC;
  if (IS(CAPABILITIES)) about.caps |= TALLY_CAP_NETWORK;
  return index < self->count || IS(DESCRIPTORS) ? &about : NULL;
}

static const tally_plugin *create(const tally_entry *self, const tally_host *host, const char *plugin_id,
                                  const tally_run_info *run) {
  (void)self;
  if (!IS(CREATE_UNKNOWN) && strcmp(plugin_id, IS(ID) ? "Fixture" : ID) != 0) return NULL;
  return fixture_create(host, run);
}

#if BAD_IS_EXPORTS_ENTRY
#define tally_plugin_entry_v1 tally_plugin_entry_v9
TALLY_EXPORT const tally_entry *tally_plugin_entry_v9(void);
#endif

#if BAD_IS_SYMBOLS
void tally_fixture_gone(void);
#endif
#if BAD_IS_LIBRARIES
void tally_fixture_of_library(void);
#endif
#if BAD_IS_EXPORTS_NOTHING_ELSE
TALLY_EXPORT int fixture_helper(void);
int fixture_helper(void) { return 1; }
#endif

__attribute__((constructor)) static void begin(void) {
  if (IS(LOADS)) abort();
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entries[] = {
      {.struct_size = sizeof entries[0], .abi_minor = TALLY_ABI_MINOR, .count = IS(IDS_DIFFER) ? 2 : 1,
       .descriptor = descriptor, .create = IS(ENTRY_TABLE) ? NULL : create},
      {.struct_size = sizeof entries[0], .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
       .create = create}};
  static int calls;
#if BAD_IS_SYMBOLS
  if (calls > 1000) tally_fixture_gone();
#endif
#if BAD_IS_LIBRARIES
  if (calls > 1000) tally_fixture_of_library();
#endif
  if (IS(ENTRY)) return NULL;
  return &entries[IS(ENTRY_CONSTANT) ? calls++ & 1 : 0];
}
