/* Calls into plugins that may never come back, and what goes on without them. */
#ifndef TALLY_WORK_H
#define TALLY_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* A thread's work, on a stack of its own: the thread's native stack is left to the plugins that it calls. So when a
 * call does not come back, another thread goes on with the work, behind the call; the first is left in the plugin.
 *
 * Where this is not possible (another processor than x86-64 and AArch64, or a sanitizer, which knows one stack a
 * thread) a call is a plain call, and waits as long as the plugin does. */
typedef struct tally_work tally_work;

/* Whether calls can be given up here. */
bool tally_can_give_up_calls(void);

/* A work that has not begun; NULL when there is no memory. */
tally_work *_Nullable tally_work_make(void (*_Nonnull body)(void *_Nullable), void *_Nullable context);

/* Does a work on the calling thread; returns when it is done. When another thread goes on with it, it never returns:
 * the caller is in a plugin, and is kept there should that come back. */
void tally_work_begin(tally_work *_Nonnull work);

/* Goes on with a work whose call was given up; returns when it is done. */
void tally_work_continue(tally_work *_Nonnull work);

/* Frees a work that is done. */
void tally_work_free(tally_work *_Nonnull work);

/* The work that the calling thread does; NULL when it does none. */
tally_work *_Nullable tally_work_current(void);

/* What a function of a plugin gave back: the first is an integer, a pointer or nothing; both are a small structure. */
typedef struct tally_returned {
  int64_t first, second;
} tally_returned;

/* Calls a function of a plugin with as many of eight arguments as it takes: integers, pointers, or the two halves of a
 * text.
 *
 * `call` says what is called, as tally_plugin_call makes it, for the case that the process dies in there. `limit` is
 * how long it may take, ms, 0 for ever; it counts only on a thread that does a work. False when the call was given up:
 * another thread has gone on by then, and `result` is not set. What the function borrows has to stay where it is for
 * good in that case. */
bool tally_call_plugin(const void *_Nonnull function, const uint64_t arguments[_Nonnull 8], uint32_t call,
                       uint32_t limit, tally_returned *_Nonnull result);

/* What a work was seen to do, by whoever watches it. */
typedef struct tally_call_seen {
  uint64_t number; /* counts the calls: another one is another call */
  bool inside;     /* whether it is in a plugin */
  uint32_t limit;  /* how long this call may take, ms, 0 for ever */
  uint32_t call;   /* what is called */
} tally_call_seen;

/* Looks at a work from another thread. */
tally_call_seen tally_work_look(tally_work *_Nonnull work);

/* Takes the work away from the thread that is in a call with this number. True when it is the caller's to go on with,
 * by `tally_work_continue` on a new thread; false when the call has come back. */
bool tally_work_give_up(tally_work *_Nonnull work, uint64_t number);

#endif
