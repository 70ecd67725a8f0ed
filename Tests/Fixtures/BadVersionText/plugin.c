/* Its version is no MAJOR.MINOR.MICRO. The loader must refuse it and quote the text. */
#include "../Shared/fixture.h"

#define FIXTURE_ID "org.tally.fixture.bad-version-text"
#define FIXTURE_VERSION "1.0-final"
#include "../Shared/entry.h"
