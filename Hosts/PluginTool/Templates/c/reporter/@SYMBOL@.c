/* @NAME@: writes a line to standard output for each record that a tracker made.
 *
 * Read it from its end: entry, descriptor, life cycle, then what it writes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tally_blocks.h"

/* What one instance knows. All calls come on one thread, which may wait for a file or a connection. */
struct reporter {
  tally_plugin plugin; /* what the host calls */
  const tally_host *host;
  tally_host_reporter answers;
  uint64_t taken; /* since the last flush */
};

/* ---- what it writes ---- */

static int width(tally_str text) { return (int)text.len; }

static int64_t take(const tally_plugin *self, const tally_output *const *items, uint64_t count) {
  struct reporter *r = self->plugin_data;
  for (uint64_t i = 0; i < count; i++) {
    const tally_origin *from = items[i]->origin;
    const tally_record *record = items[i]->item;
    tally_str kind = tally_block_text(record, record->kind_off, record->kind_len);
    printf("%" PRId64 " %.*s %" PRIu32 " %.*s %.*s\n", from->time_us / 1000, width(from->player_run_id),
           from->player_run_id.ptr, from->session, width(from->instance), from->instance.ptr, width(kind), kind.ptr);
  }
  r->taken += count;
  return (int64_t)count;
}

static void flush(
    const tally_plugin *self, uint64_t token, tally_str player_run_id, uint32_t session, int64_t budget_ms) {
  struct reporter *r = self->plugin_data;
  (void)player_run_id, (void)session, (void)budget_ms;
  const bool lost = fflush(stdout) != 0;
  if (r->answers.flushed) r->answers.flushed(r->host, token, lost ? 0 : r->taken, 0, lost ? r->taken : 0);
  r->taken = 0;
}

/* ---- life cycle ---- */

static tally_status init(const tally_plugin *self, tally_str config) {
  struct reporter *r = self->plugin_data;
  (void)config;
  tally_copy(&r->answers, sizeof r->answers, r->host->get_extension(r->host, TALLY_EXT_HOST_REPORTER));
  return TALLY_OK;
}

static tally_status enable(const tally_plugin *self) {
  (void)self;
  return TALLY_OK;
}
static void disable(const tally_plugin *self) {
  (void)self;
  fflush(stdout);
}
static void destroy(const tally_plugin *self) { free(self->plugin_data); }

static const void *get_extension(const tally_plugin *self, const char *id) {
  static const tally_reporter reporter = {
      .struct_size = sizeof reporter, .wants = 1u << TALLY_OUTPUT_RECORD, .take = take, .flush = flush};
  (void)self;
  return strcmp(id, TALLY_EXT_REPORTER) == 0 ? &reporter : NULL;
}

/* ---- descriptor and entry ---- */

static const tally_descriptor about = {
    .struct_size = sizeof about, .abi_minor = TALLY_ABI_MINOR, .kind = TALLY_KIND_REPORTER,
    .caps = TALLY_CAP_STREAMS, .id = "@ID@", .name = "@NAME@", .vendor = "@VENDOR@", .version = "0.1.0",
    .config_schema = "{\"type\":\"object\",\"additionalProperties\":false}"};

static const tally_descriptor *descriptor(const tally_entry *self, uint32_t index) {
  (void)self;
  return index == 0 ? &about : NULL;
}

static const tally_plugin *create(
    const tally_entry *self, const tally_host *host, const char *plugin_id, const tally_run_info *run) {
  (void)self, (void)run;
  if (strcmp(plugin_id, about.id) != 0) return NULL;
  struct reporter *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->host = host;
  r->plugin = (tally_plugin){
      .struct_size = sizeof r->plugin, .plugin_data = r, .init = init, .enable = enable, .disable = disable,
      .destroy = destroy, .get_extension = get_extension};
  return &r->plugin;
}

const tally_entry *tally_plugin_entry_v1(void) {
  static const tally_entry entry = {
      .struct_size = sizeof entry, .abi_minor = TALLY_ABI_MINOR, .count = 1, .descriptor = descriptor,
      .create = create};
  return &entry;
}
