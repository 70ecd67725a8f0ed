/* Returns an error for each event, with a text that counts them. After 20 in a row the host must disable it; the first
 * text must be shown, the flood must not. */
#include <stdio.h>

#include "../Shared/fixture.h"

struct counting {
  struct fixture base;
  unsigned errors;
};

static tally_status on_event(const tally_plugin *self, const tally_event *event) {
  struct counting *counting = fixture_of(self);
  char text[48];
  (void)event;
  snprintf(text, sizeof text, "error number %u of this instance", ++counting->errors);
  counting->base.host->set_error(counting->base.host, TALLY_ERR_INTERNAL, fixture_str(text));
  return TALLY_ERR_INTERNAL;
}

#define FIXTURE_ID "org.tally.fixture.errors-without-end"
#define FIXTURE_INSTANCE struct counting
#define FIXTURE_ON_EVENT on_event
#include "../Shared/entry.h"
