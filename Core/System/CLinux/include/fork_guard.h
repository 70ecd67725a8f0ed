/* What the copy of this process that a plugin's `fork` makes may not do: go on as it, with the same descriptors. */
#ifndef TALLY_FORK_GUARD_H
#define TALLY_FORK_GUARD_H

/* Its first byte is 0 in a process that was forked from this one and did not exec, otherwise 1. */
extern const unsigned char *_Nonnull tally_fork_page;

/* Whether this process is such a copy. One load: every call into a plugin asks. */
static inline _Bool tally_is_forked(void) {
  return __builtin_expect(__atomic_load_n(tally_fork_page, __ATOMIC_RELAXED) == 0, 0);
}

/* Lets this copy go on as a process of its own: the program itself has made it. */
void tally_accept_fork(void);

/* Ends a copy at once: nothing is written, flushed or told, and no handler runs. */
void tally_end_fork(void) __attribute__((noreturn, cold));

/* Has a descriptor closed in each copy that `fork` makes, so that nothing there can write to it. Past 4,096 of them it
 * is not: who writes asks tally_is_forked() too. */
void tally_close_in_forks(int descriptor);

/* Forgets a descriptor before it is closed. */
void tally_keep_in_forks(int descriptor);

#endif
