/* What Swift's Glibc module leaves out of Linux: functions behind _GNU_SOURCE and headers that it does not map. */
#ifndef TALLY_LINUX_H
#define TALLY_LINUX_H

#include <stddef.h>
#include <stdint.h>

/* Names the calling thread; at most 15 bytes are kept. */
void tally_name_thread(const char *_Nonnull name);

/* A new eventfd that does not block and does not outlive exec; negative on failure. */
int tally_eventfd(void);

/* Waits at most `microseconds` until `descriptor` can be read; positive when it can. */
int tally_wait_readable(int descriptor, int64_t microseconds);

/* Loads a library so that all its symbols are found at once, none are lent to others, and it is never unmapped. */
void *_Nullable tally_load_library(const char *_Nonnull path);

/* A file in memory with these bytes, sealed: nobody can change it any more. Negative on failure, errno tells why. */
int tally_sealed_copy(const char *_Nonnull name, const void *_Nonnull bytes, size_t count);

/* Begins to fetch `count` bytes for writing: they mostly lie in another processor's cache. */
static inline void tally_prefetch(const void *_Nonnull memory, long count) {
  for (long offset = 0; offset < count; offset += 64) __builtin_prefetch((const char *)memory + offset, 1, 3);
}

#endif
