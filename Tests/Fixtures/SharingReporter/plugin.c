/* A reporter that says that its instances share state, and does nothing. */
#include "../Shared/fixture.h"
#include "../Shared/reporter.h"

#define FIXTURE_ID "org.tally.fixture.sharing-reporter"
#define FIXTURE_KIND TALLY_KIND_REPORTER
#define FIXTURE_CAPS TALLY_CAP_SHARES_STATE
#define FIXTURE_EXTENSION(id) fixture_reporter(id)
#include "../Shared/entry.h"
