/* A tracker that does nothing with an event but answer: what is left is the cost of the call. */
#ifndef TRIVIAL_TRACKER_H
#define TRIVIAL_TRACKER_H

#include "tally_plugin.h"

#define TRIVIAL_TRACKER_ID "org.tally.bench.trivial"

/* The entry, under a name of its own because it is linked in. */
const tally_entry *trivial_tracker_entry(void);

/* How many events all instances were given. */
uint64_t trivial_tracker_events(void);

#endif
