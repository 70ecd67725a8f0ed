/* Has the id of the FrozenV1 fixture. Of two files with one id the loader must refuse the second and name the first. */
#include "../Shared/fixture.h"

#define FIXTURE_ID "org.tally.fixture.frozen-v1"
#include "../Shared/entry.h"
