/* A reporter that says that its instances share state, and does nothing. */
#include "../Shared/fixture.h"

static int64_t take(const tally_plugin *plugin, const tally_output *const *items, uint64_t count) {
  (void)plugin, (void)items;
  return (int64_t)count;
}

static void flush(
    const tally_plugin *plugin, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  const struct fixture *self = fixture_of(plugin);
  const tally_host_reporter *reporter = self->host->get_extension(self->host, TALLY_EXT_HOST_REPORTER);
  (void)player_run_id, (void)session, (void)budget_ms;
  if (reporter) reporter->flushed(self->host, token, 0, 0, 0);
}

static const void *extension(const char *id) {
  static const tally_reporter reporter = {.struct_size = sizeof reporter, .take = take, .flush = flush};
  return strcmp(id, TALLY_EXT_REPORTER) == 0 ? &reporter : NULL;
}

#define FIXTURE_ID "org.tally.fixture.sharing-reporter"
#define FIXTURE_KIND TALLY_KIND_REPORTER
#define FIXTURE_CAPS TALLY_CAP_SHARES_STATE
#define FIXTURE_EXTENSION(id) extension(id)
#include "../Shared/entry.h"
