/* Says one record without attributes for each custom event, and nothing else: what is measured is the way. */
#include "../../Fixtures/Shared/fixture.h"

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  static const struct {
    tally_record header;
    char kind[8];
  } block = {
      .header = {
          .size = sizeof block, .header_size = sizeof(tally_record), .kind_off = sizeof(tally_record), .kind_len = 4,
          .attr_off = sizeof(tally_record)},
      .kind = "SAID"};
  struct fixture *fixture = fixture_of(self);
  if (event->type != TALLY_EVENT_TYPE_CUSTOM) return TALLY_OK;
  return fixture->emit->record(fixture->host, &block.header, NULL);
}

#define FIXTURE_ID "org.tally.bench.speaking"
#define FIXTURE_ON_EVENT on_event
#include "../../Fixtures/Shared/entry.h"
