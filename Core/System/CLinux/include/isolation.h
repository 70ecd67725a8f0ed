/* A child process for a plugin: how it is begun, how both wait for each other, and what it gives up for good. */
#ifndef TALLY_ISOLATION_H
#define TALLY_ISOLATION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { tally_isolated_first_descriptor = 3, tally_isolated_descriptors = 6 };

/* Starts a program whose descriptors from 3 on are copies of these, with nothing else open but /dev/null for input,
 * `output` for standard output and `errors` for standard error, each /dev/null where it is negative; no signal is
 * blocked and none handled, and of the environment it has nearly nothing but `variables`, a list of at most 64 that
 * ends with NULL, or NULL. The kernel ends it with the thread that began it. The process id, or -1 and errno. */
pid_t tally_spawn_isolated(const char *_Nonnull program, const char *_Nonnull name, const int *_Nonnull descriptors,
                           int output, int errors, const char *_Nullable const *_Nullable variables);

/* Sleeps while the word is `value`, at most so many us, until another process wakes it; spurious returns are allowed.
 * */
void tally_futex_wait(const volatile void *_Nonnull word, uint32_t value, int64_t microseconds);

/* Wakes who sleeps on the word, in this process or another. */
void tally_futex_wake(const volatile void *_Nonnull word);

/* Waits until one of the descriptors can be read or was closed at its other end, at most so many us. `ready` gets a 1
 * for * each that can be read, 2 for each that was closed, 3 for both. Negative for an error. */
int tally_wait_any(const int *_Nonnull descriptors, uint8_t *_Nonnull ready, int count, int64_t microseconds);

/* Ends with its parent; has no way to new privileges, and nobody but root may look into it. */
int tally_drop_privileges(int parent);

/* Limits the process: bytes of its address space, no core, no new descriptors beyond so many, and unless it `writes` no
 * files that grow. */
int tally_limit_process(uint64_t bytes, uint64_t descriptors, int writes);

/* From now on the process opens no file but to read those at or below `readable`, and to read, write, make and remove
 * those at or below `writable`; both lists end with NULL. It uses TCP only to connect and to listen as said (Landlock).
 * 0; 1 where the kernel has no Landlock; negative for an error, errno tells why. */
int tally_restrict_files(const char *_Nullable const *_Nonnull readable, const char *_Nullable const *_Nonnull writable,
                         int connects, int listens);

/* Calls `body` with each folder that a library of this process was loaded from. */
void tally_library_folders(void (*_Nonnull body)(const char *_Nonnull folder, void *_Nullable data),
                           void *_Nullable data);

#endif
