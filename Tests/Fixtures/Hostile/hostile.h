/* A tracker that does one hostile thing. What, in which call and at which of these calls stands in its configuration,
 * such as {"kind": "segfault", "at": "on_event", "after": 3}. Until then, and if it lives on, it is as well behaved as
 * any other: it says a record for each event. The kinds are in one file for each subject; what must come of each is told
 * in Tests/Support/Campaigns/Hostile, and in docs/isolation.md.
 *
 * Nothing here may outlive the player for long or harm the machine: what is started ends by itself, and what grows has
 * a bound.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#define _GNU_SOURCE
#include "../Shared/fixture.h"

/* What the call that is going on was given; what it has not is NULL. Trackers may only read it. */
struct call {
  const tally_event *event;
  const tally_state *state;
  tally_str text;
  const tally_sink *answer;
  int64_t now_us;
};

struct hostile {
  struct fixture base;
  const tally_store *store;
  char kind[32], at[16];
  int64_t after, calls;
  int has_played, has_acted;
};

typedef tally_status (*deed)(struct hostile *tracker, const struct call *call);

struct kind {
  const char *name;
  deed act;
  int repeats; /* at each call from then on, and not once */
};

/* Each ends with a name that is NULL. */
extern const struct kind deaths[], hangs[], outputs[], memory[], threads[], process[], machine[];

/* Says a record of this kind with one number. */
tally_status say(struct hostile *tracker, const char *kind, int64_t value);

/* Whether this process, or the one that started it, has this name. */
int is_called(int process, const char *name);

/* Runs a function on a thread that nobody waits for. */
void start_thread(void *(*run)(void *), void *argument);

#endif
