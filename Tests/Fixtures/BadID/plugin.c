/* Its id is not in reverse-DNS form. The loader must refuse it and quote the id. */
#include "../Shared/fixture.h"

#define FIXTURE_ID "My Tracker"
#include "../Shared/entry.h"
