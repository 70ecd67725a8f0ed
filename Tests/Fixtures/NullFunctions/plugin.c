/* Its tracker's table is as long as version 1.0 says, but on_event is NULL. It must be refused with a text; a host that
 * calls it crashes. */
#include "../Shared/fixture.h"

#define FIXTURE_ID "org.tally.fixture.null-functions"
#define FIXTURE_ON_EVENT NULL
#include "../Shared/entry.h"
