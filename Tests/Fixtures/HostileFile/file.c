/* A tracker whose file is hostile as it is loaded, described or made, which a configuration cannot choose. Compiled by
 * the tests, once for each kind, with -DHOSTILE_FILE=NAME -DIS_NAME for one of the names below. Without, it is a
 * tracker that says a record for each event.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "tally_blocks.h"
#include "../Shared/fixture.h"

enum {
  HARMLESS,
  CONSTRUCTOR_CRASH,
  CONSTRUCTOR_EXIT,
  CONSTRUCTOR_HANG,
  HOST_CONSTRUCTOR_CRASH, /* only in the player: the probe sees nothing of it */
  HOST_CONSTRUCTOR_EXIT,
  HOST_CONSTRUCTOR_HANG,
  HOST_ENTRY_CRASH,
  DESTRUCTOR_CRASH,
  DESTRUCTOR_HANG,
  ENTRY_NULL,
  ENTRY_CRASH,
  ENTRY_NO_FUNCTIONS,
  ENTRY_SMALL,
  ENTRY_LARGE,
  ENTRY_MANY,
  DESCRIPTOR_CRASH,
  DESCRIPTOR_GARBAGE,
  DESCRIPTOR_CHANGES,
  DESCRIPTOR_SMALL,
  CREATE_NULL,
  CREATE_CRASH,
  CREATE_HANG,
  CREATE_GARBAGE,
  CREATE_CALLS_HOST,
  CREATE_WRITES_RUN,
  PLUGIN_NO_FUNCTIONS,
  PLUGIN_SMALL,
  PLUGIN_LARGE,
  EXTENSION_GARBAGE,
  EXTENSION_CRASH,
  TABLE_NO_FUNCTIONS,
  TABLE_SMALL,
  TABLE_LARGE,
  RESOLVER_CRASH,
};

#ifndef HOSTILE_FILE
#define HOSTILE_FILE HARMLESS
#endif
#define IS(kind) (HOSTILE_FILE == (kind))

static void crash(void) { *(volatile int *)(uintptr_t)0x10 = 1; }

static void hang(void) {
  for (;;) pause();
}

/* Whether the process is the player, and not the probe that tries the file first. */
static int is_player(void) {
  char name[32] = "";
  FILE *file = fopen("/proc/self/comm", "re");
  if (file == NULL) return 0;
  if (fgets(name, sizeof name, file) == NULL) name[0] = 0;
  fclose(file);
  return strncmp(name, "tally-player", 12) == 0;
}

__attribute__((constructor)) static void loaded(void) {
  if (IS(CONSTRUCTOR_CRASH)) crash();
  if (IS(CONSTRUCTOR_EXIT)) exit(0);
  if (IS(CONSTRUCTOR_HANG)) hang();
  if (IS(HOST_CONSTRUCTOR_CRASH) && is_player()) crash();
  if (IS(HOST_CONSTRUCTOR_EXIT) && is_player()) exit(0);
  if (IS(HOST_CONSTRUCTOR_HANG) && is_player()) hang();
}

__attribute__((destructor)) static void unloaded(void) {
  if (IS(DESTRUCTOR_CRASH)) crash();
  if (IS(DESTRUCTOR_HANG)) hang();
}

#ifdef IS_RESOLVER_CRASH
/* Runs while the file is being relocated, before any constructor. */
static int chosen(void) { return 1; }
static int (*choose(void))(void) {
  crash();
  return chosen;
}
int choice(void) __attribute__((ifunc("choose")));
int (*volatile keep_choice)(void) = choice;
#endif

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct fixture *fixture = fixture_of(self);
  struct tally_draft draft = tally_draft_begin("event");
  tally_draft_int(&draft, "ordinal", (int64_t)event->ordinal);
  return fixture->emit->record(fixture->host, tally_draft_end(&draft), NULL);
}

static const void *get_extension(const tally_plugin *self, const char *id) {
  static tally_tracker table = {
      .struct_size = sizeof table, .session_begin = fixture_on_event, .on_event = on_event,
      .on_timer = fixture_on_timer, .session_end = fixture_session_end};
  (void)self;
  if (IS(EXTENSION_CRASH)) crash();
  if (IS(EXTENSION_GARBAGE)) return (const void *)(uintptr_t)0x11;
  if (IS(TABLE_NO_FUNCTIONS)) table = (tally_tracker){.struct_size = sizeof table};
  if (IS(TABLE_SMALL)) table.struct_size = 8;
  if (IS(TABLE_LARGE)) table.struct_size = UINT32_MAX;
  return strcmp(id, TALLY_EXT_TRACKER) == 0 ? &table : NULL;
}

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  static tally_descriptor about = {
      .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_TRACKER,
      .caps = TALLY_CAP_DETERMINISTIC, .id = "org.tally.fixture.hostile", .name = "Hostile file", .vendor = "Tally",
      .version = "1.0.0", .config_schema = "{\"type\":\"object\"}"};
  static char version[] = "1.0.0";
  (void)self;
  if (IS(DESCRIPTOR_CRASH)) crash();
  if (IS(DESCRIPTOR_GARBAGE)) about.name = (const char *)(uintptr_t)0x11;
  if (IS(DESCRIPTOR_SMALL)) about.struct_size = 16;
  if (IS(DESCRIPTOR_CHANGES)) {
    /* A tracker at first, and in each process another one. */
    about.kind = version[0] == '1' && !is_player() ? TALLY_KIND_TRACKER : TALLY_KIND_REPORTER;
    version[0]++;
    about.version = version;
  }
  return index == 0 || IS(ENTRY_MANY) ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)plugin_id;
  if (IS(CREATE_NULL)) return NULL;
  if (IS(CREATE_CRASH)) crash();
  if (IS(CREATE_HANG)) hang();
  if (IS(CREATE_GARBAGE)) return (const tally_plugin *)(uintptr_t)0x11;
  if (IS(CREATE_CALLS_HOST)) {
    host->log(host, TALLY_LOG_ERROR, fixture_str("not yet"));
    const tally_emit *emit = host->get_extension(host, TALLY_EXT_EMIT);
    struct tally_draft draft = tally_draft_begin("early");
    if (emit != NULL) emit->record(host, tally_draft_end(&draft), NULL);
  }
  if (IS(CREATE_WRITES_RUN) && run != NULL)
    memset((char *)(uintptr_t)run->player_run_id.ptr, 'Z', run->player_run_id.len);
  struct fixture *fixture = calloc(1, sizeof *fixture);
  if (fixture == NULL) return NULL;
  fixture->host = host;
  fixture->plugin = (tally_plugin){
      .struct_size = sizeof fixture->plugin, .plugin_data = fixture, .init = fixture_init, .enable = fixture_enable,
      .disable = fixture_disable, .destroy = fixture_destroy, .get_extension = get_extension};
  if (IS(PLUGIN_NO_FUNCTIONS)) fixture->plugin = (tally_plugin){.struct_size = sizeof fixture->plugin};
  if (IS(PLUGIN_SMALL)) fixture->plugin.struct_size = 8;
  if (IS(PLUGIN_LARGE)) fixture->plugin.struct_size = UINT32_MAX;
  return &fixture->plugin;
}

TALLY_EXPORT const tally_entry *tally_plugin_entry_v1(void) {
  static tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  if (IS(ENTRY_NULL)) return NULL;
  if (IS(ENTRY_CRASH) || (IS(HOST_ENTRY_CRASH) && is_player())) crash();
  if (IS(ENTRY_NO_FUNCTIONS)) entry = (tally_entry){.struct_size = sizeof entry, .count = 1};
  if (IS(ENTRY_SMALL)) entry.struct_size = 4;
  if (IS(ENTRY_LARGE)) entry.struct_size = UINT32_MAX;
  if (IS(ENTRY_MANY)) entry.count = UINT32_MAX;
  return &entry;
}
