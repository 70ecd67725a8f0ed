/* Cannot do without a host extension that does not exist. The loader must refuse it and name the extension. */
#include "../Shared/fixture.h"

static const char *const needed[] = {TALLY_EXT_EMIT, "tally.teleport/1", NULL};

#define FIXTURE_ID "org.tally.fixture.requires-unknown"
#define FIXTURE_REQUIRES needed
#include "../Shared/entry.h"
