/* A good reporter, and one for each check of outputs that breaks its rule and no other: see fixture.h. */
#include "fixture.h"

#include <stdlib.h>

#include "tally_blocks.h"

struct reporter {
  tally_plugin plugin;
  const tally_host *host;
  tally_host_reporter answers;
  bool has_run;
};

static int64_t take(const tally_plugin *self, const tally_output *const *items, uint64_t count) {
  struct reporter *r = self->plugin_data;
  for (uint64_t index = 0; index < count; index++) {
    const tally_output *output = items[index];
    if (output->what == TALLY_OUTPUT_RUN_BEGIN) r->has_run = true;
    if (IS(TAKE_UNKNOWN) && output->what > TALLY_OUTPUT_LINE) return TALLY_ERR_INVALID;
    if (IS(TAKE_ODD) && output->what == TALLY_OUTPUT_RUN_END && !r->has_run) abort();
    if (IS(TAKE_LARGE) && output->what == TALLY_OUTPUT_EVENT && ((const tally_event *)output->item)->size > 8000)
      abort();
  }
  if (IS(TAKE_NOTHING) && count == 0) return 1;
  return (int64_t)count + (IS(TAKE) && count > 0);
}

static void flush(const tally_plugin *self, uint64_t token, tally_str run, uint32_t session, int64_t budget_ms) {
  struct reporter *r = self->plugin_data;
  (void)run, (void)session, (void)budget_ms;
  for (int count = IS(FLUSH) ? 2 : 1; r->answers.flushed && count > 0; count--)
    r->answers.flushed(r->host, token, 1, 0, 0);
}

static tally_status init(const tally_plugin *self, tally_str config) {
  struct reporter *r = self->plugin_data;
  if (config.len < 2 || config.ptr[0] != '{') {
    r->host->set_error(r->host, TALLY_ERR_CONFIG, tally_text("the configuration is no object"));
    return TALLY_ERR_CONFIG;
  }
  tally_copy(&r->answers, sizeof r->answers, r->host->get_extension(r->host, TALLY_EXT_HOST_REPORTER));
  return TALLY_OK;
}

static tally_status enable(const tally_plugin *self) { return (void)self, TALLY_OK; }
static void disable(const tally_plugin *self) { (void)self; }
static void destroy(const tally_plugin *self) { free(self->plugin_data); }

static const void *get_extension(const tally_plugin *self, const char *id) {
  static tally_reporter reporter = {.struct_size = sizeof reporter, .take = take, .flush = flush};
  (void)self;
  reporter.wants = IS(WANTS) ? 1u << 20 : 0;
  return strcmp(id, TALLY_EXT_REPORTER) == 0 ? &reporter : NULL;
}

const tally_plugin *fixture_create(const tally_host *host, const tally_run_info *info) {
  struct reporter *r = calloc(1, sizeof *r);
  (void)info;
  if (!r) return NULL;
  r->host = host;
  r->plugin = (tally_plugin){
      .struct_size = sizeof r->plugin, .plugin_data = r, .init = init, .enable = enable, .disable = disable,
      .destroy = destroy, .get_extension = get_extension};
  return &r->plugin;
}

const uint32_t fixture_kind = TALLY_KIND_REPORTER;
