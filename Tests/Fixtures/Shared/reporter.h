/* What reporters among the fixtures have in common: one that takes all and keeps nothing. Include it behind fixture.h. */
#ifndef FIXTURE_REPORTER_H
#define FIXTURE_REPORTER_H

static int64_t fixture_take(const tally_plugin *plugin, const tally_output *const *items, uint64_t count) {
  (void)plugin, (void)items;
  return (int64_t)count;
}

static void fixture_flush(
    const tally_plugin *plugin, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  const struct fixture *self = fixture_of(plugin);
  const tally_host_reporter *reporter = self->host->get_extension(self->host, TALLY_EXT_HOST_REPORTER);
  (void)player_run_id, (void)session, (void)budget_ms;
  if (reporter) reporter->flushed(self->host, token, 0, 0, 0);
}

static const void *fixture_reporter(const char *id) {
  static const tally_reporter reporter = {
      .struct_size = sizeof reporter, .take = fixture_take, .flush = fixture_flush};
  return strcmp(id, TALLY_EXT_REPORTER) == 0 ? &reporter : NULL;
}

#endif
