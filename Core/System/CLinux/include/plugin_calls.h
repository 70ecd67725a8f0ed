/* Which plugin a thread is in, for the case that the process dies there: known in this process, where a last line on
 * standard error names it, and to the next one, by a journal in a file that is mapped. */
#ifndef TALLY_PLUGIN_CALLS_H
#define TALLY_PLUGIN_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "fork_guard.h"

/* An instance of a plugin as it is named when the process dies in it; texts that are too long lose their front. */
typedef struct tally_plugin_identity {
  char sha256[68]; /* lower-case hex; empty for what has no file */
  char kind[12];   /* "tracker" or "reporter"; empty while the file is loaded */
  char plugin[128];
  char instance[64];
  char file[240];
} tally_plugin_identity;

/* A number for an identity, the same for the same texts, and never given back; 0, which stands for nobody, when there
 * are more than fit. Thread-safe. */
uint32_t tally_identify_plugin(const tally_plugin_identity *_Nonnull identity);

/* Puts a text into a field of an identity. */
void tally_copy_text(char *_Nonnull field, size_t size, const char *_Nonnull text);

/* A call into an identified plugin as one number; `call` is one of those that tally_call_name knows. */
static inline uint32_t tally_plugin_call(uint32_t identity, uint32_t call) {
  return identity == 0 ? 0 : identity << 8 | call;
}

/* What the plugin ABI names a call, by its number: see PluginCall. */
const char *_Nonnull tally_call_name(uint32_t call);

/* The name of a signal that handlers listen for, such as "SIGSEGV"; NULL for another. */
const char *_Nullable tally_signal_name(int signal_number);

/* The place in the journal that the calling thread has; NULL until it first enters a plugin. Only this header and
 * plugin_calls.c touch it. */
extern _Thread_local volatile uint32_t *_Nullable tally_call_place;

/* Finds a place for the calling thread, for as long as it lives. */
volatile uint32_t *_Nonnull tally_claim_call_place(void);

/* Notes that the calling thread enters a plugin; gives what to restore. */
static inline uint32_t tally_enter_plugin(uint32_t call) {
  volatile uint32_t *place = tally_call_place;
  if (__builtin_expect(!place, 0)) place = tally_claim_call_place();
  uint32_t before = *place;
  *place = call;
  return before;
}

/* Notes that it is where it was before. A copy of the process that the plugin made does not go on: it ends here. */
static inline void tally_leave_plugin(uint32_t before) {
  *tally_call_place = before;
  if (tally_is_forked()) tally_end_fork();
}

/* A number that no other living thread has. */
static inline uintptr_t tally_thread_number(void) { return (uintptr_t)&tally_call_place; }

/* Whose call it is; NULL for none. What it points at stays. */
const tally_plugin_identity *_Nullable tally_identity_of(uint32_t call);

/* From now on a process that dies in a plugin says so on standard error, and a plugin that ends it makes it end with
 * exit code 70. The first call of a process counts. */
void tally_watch_crashes(void);

/* What it says is the last line of the process: whoever listened before for the signal, as Swift's backtracer does,
 * hears nothing of a crash in a plugin, unless SWIFT_BACKTRACE asks for that. */
void tally_end_plainly(void);

/* From now on a process that dies in a plugin also appends "SHA256 ID SIGNAL CALL" to the file `crashes` in a folder,
 * and keeps the calls that are open in a file there that a normal end removes. `keeps_end` leaves that file with a mark
 * that the end was normal. The first call of a process counts. Negative on failure, errno tells why. */
int tally_keep_calls(const char *_Nonnull folder, int keeps_end);

/* An identity of a process that is no more, and the call that was open in it, 0 for none. */
typedef struct tally_left_call {
  tally_plugin_identity identity;
  uint32_t call;
} tally_left_call;

enum { tally_most_left_calls = 96 };

/* Reads and removes what a process left. The number of identities, at most tally_most_left_calls; `ended` says
 * whether the end was normal. Negative when the process still lives, the machine has been started since, or the file
 * cannot be read. */
int tally_read_left_calls(const char *_Nonnull path, tally_left_call *_Nonnull calls, int *_Nonnull ended);

/* Begins a process for something that may end it, as fork does; negative where another thread could hold a lock for
 * ever. What it does wrong is told on standard error and noted nowhere. */
int tally_fork_alone(void);

/* Gives the calling thread a stack for signal handlers, so that an overflow of its own stack is noted too. */
void tally_prepare_thread(void);

/* Takes that stack back before the thread ends. */
void tally_end_thread(void);

#endif
