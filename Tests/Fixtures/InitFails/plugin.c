/* Fails in init and says why. The host must show the text, call destroy, and go on with the other plugins. */
#include "../Shared/fixture.h"

static tally_status init(const tally_plugin *self, tally_str config) {
  struct fixture *fixture = fixture_of(self);
  (void)config;
  fixture->host->set_error(fixture->host, TALLY_ERR_CONFIG, fixture_str("the tracking server has no name"));
  return TALLY_ERR_CONFIG;
}

#define FIXTURE_ID "org.tally.fixture.init-fails"
#define FIXTURE_INIT init
#include "../Shared/entry.h"
