/* Descriptor, create and entry out of the FIXTURE_... macros; the last line of a fixture. FIXTURE_ID is required. */
#ifndef FIXTURE_INSTANCE
#define FIXTURE_INSTANCE struct fixture
#endif
#ifndef FIXTURE_KIND
#define FIXTURE_KIND TALLY_KIND_TRACKER
#endif
#ifndef FIXTURE_CAPS
#define FIXTURE_CAPS (FIXTURE_KIND == TALLY_KIND_TRACKER ? TALLY_CAP_DETERMINISTIC : 0)
#endif
#ifndef FIXTURE_VERSION
#define FIXTURE_VERSION "1.0.0"
#endif
#ifndef FIXTURE_SCHEMA
#define FIXTURE_SCHEMA "{\"type\":\"object\"}"
#endif
#ifndef FIXTURE_REQUIRES
#define FIXTURE_REQUIRES NULL
#endif
#ifndef FIXTURE_STORE_KEYS
#define FIXTURE_STORE_KEYS NULL
#endif
#ifndef FIXTURE_DESCRIPTOR_SIZE
#define FIXTURE_DESCRIPTOR_SIZE sizeof(tally_descriptor)
#endif
#ifndef FIXTURE_INIT
#define FIXTURE_INIT fixture_init
#endif
#ifndef FIXTURE_ENABLE
#define FIXTURE_ENABLE fixture_enable
#endif
#ifndef FIXTURE_DISABLE
#define FIXTURE_DISABLE fixture_disable
#endif
#ifndef FIXTURE_SESSION_BEGIN
#define FIXTURE_SESSION_BEGIN fixture_on_event
#endif
#ifndef FIXTURE_ON_EVENT
#define FIXTURE_ON_EVENT fixture_on_event
#endif
#ifndef FIXTURE_ON_TIMER
#define FIXTURE_ON_TIMER fixture_on_timer
#endif
#ifndef FIXTURE_SESSION_END
#define FIXTURE_SESSION_END fixture_session_end
#endif
/* What get_extension of the plugin answers for an id other than the tracker's. */
#ifndef FIXTURE_EXTENSION
#define FIXTURE_EXTENSION(id) NULL
#endif
/* Keeps what it likes of the run's facts. */
#ifndef FIXTURE_CREATED
#define FIXTURE_CREATED(instance, run) ((void)(run))
#endif

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_tracker tracker = {
      .struct_size = sizeof tracker, .session_begin = FIXTURE_SESSION_BEGIN, .on_event = FIXTURE_ON_EVENT,
      .on_timer = FIXTURE_ON_TIMER, .session_end = FIXTURE_SESSION_END};
  (void)self;
  if (FIXTURE_KIND == TALLY_KIND_TRACKER && strcmp(id, TALLY_EXT_TRACKER) == 0) return &tracker;
  return FIXTURE_EXTENSION(id);
}

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  static const tally_descriptor about = {
      .struct_size = FIXTURE_DESCRIPTOR_SIZE, .abi_minor = TALLY_ABI_MINOR, .kind = FIXTURE_KIND,
      .caps = FIXTURE_CAPS, .id = FIXTURE_ID,
      .name = FIXTURE_ID, .vendor = "Tally", .version = FIXTURE_VERSION, .config_schema = FIXTURE_SCHEMA,
      .requires_extensions = FIXTURE_REQUIRES, .store_keys = FIXTURE_STORE_KEYS};
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self;
  if (strcmp(plugin_id, FIXTURE_ID) != 0) return NULL;
  FIXTURE_INSTANCE *instance = calloc(1, sizeof *instance);
  if (!instance) return NULL;
  struct fixture *fixture = (struct fixture *)instance;
  fixture->host = host;
  fixture->plugin = (tally_plugin){
      .struct_size = sizeof fixture->plugin, .plugin_data = instance, .init = FIXTURE_INIT, .enable = FIXTURE_ENABLE,
      .disable = FIXTURE_DISABLE, .destroy = fixture_destroy, .get_extension = get_extension};
  FIXTURE_CREATED(instance, run);
  return &fixture->plugin;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  return &entry;
}
