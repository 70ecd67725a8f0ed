/* Its descriptor ends behind `id`: the loader finds no version and must refuse it. */
#include "../Shared/fixture.h"

#define FIXTURE_ID "org.tally.fixture.tiny-descriptor"
#define FIXTURE_DESCRIPTOR_SIZE offsetof(tally_descriptor, name)
#include "../Shared/entry.h"
