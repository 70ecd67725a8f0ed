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

const volatile struct fixture_rule fixture_rule = {.mark = "tally fixture rule:", .bad = BAD};

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  static tally_descriptor about = {.struct_size = sizeof about};
  about.abi_minor = IS(HEADER_VERSION) ? 7 : TALLY_ABI_MINOR;
  about.kind = IS(KIND) ? 3 : fixture_kind;
  about.caps = fixture_kind == TALLY_KIND_REPORTER ? 0 : TALLY_CAP_DETERMINISTIC;
  if (IS(CAPABILITIES)) about.caps |= TALLY_CAP_NETWORK;
  about.id = IS(ID) ? "Fixture" : ID;
  about.name = IS(NAMES) ? "two\nlines" : "Fixture";
  about.vendor = IS(DESCRIPTOR_TABLE) ? NULL : "Tally";
  about.version = IS(VERSION) ? "1.0" : "1.0.0";
  about.config_schema = SCHEMA("{\"type\":\"integer\",\"minimum\":1,\"default\":5}");
  if (IS(SCHEMA)) about.config_schema = "{\"type\":";
  if (IS(SCHEMA_KEYWORDS)) about.config_schema = SCHEMA("{\"type\":\"integer\",\"minimum\":\"1\"}");
  if (IS(SCHEMA_DEFAULTS)) about.config_schema = SCHEMA("{\"type\":\"integer\",\"minimum\":1,\"default\":0}");
  if (IS(SCHEMA_REFUSES)) about.config_schema = "{\"type\":\"object\"}";
  about.requires_extensions = IS(REQUIRED_EXTENSIONS) ? unknown : NULL;
  about.store_keys = IS(LISTS) ? endless : NULL;
  about.read_paths = IS(PATHS) ? nowhere : NULL;
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
  static tally_entry entries[2];
  static int calls;
#if BAD_IS_SYMBOLS
  if (calls > 1000) tally_fixture_gone();
#endif
#if BAD_IS_LIBRARIES
  if (calls > 1000) tally_fixture_of_library();
#endif
  for (int index = 0; index < 2; index++)
    entries[index] = (tally_entry){
        .struct_size = sizeof entries[0], .abi_minor = TALLY_ABI_MINOR, .count = IS(IDS_DIFFER) ? 2 : 1,
        .descriptor = descriptor, .create = IS(ENTRY_TABLE) ? NULL : create};
  if (IS(ENTRY)) return NULL;
  return &entries[IS(ENTRY_CONSTANT) ? calls++ & 1 : 0];
}
