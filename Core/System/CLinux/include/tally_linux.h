/* What Swift's Glibc module leaves out of Linux: functions behind _GNU_SOURCE and headers that it does not map. */
#ifndef TALLY_LINUX_H
#define TALLY_LINUX_H

#include <stddef.h>
#include <stdint.h>

#include "fork_guard.h"

/* Lets threads share the allocator's pools of memory, of which there are `count` then: otherwise each thread that
 * allocates a little keeps a pool of its own. To be called before there are threads. */
void tally_limit_allocator_pools(int count);

/* Has blocks of `bytes` and more mapped by themselves, so that they go back to the system when they are freed:
 * otherwise the allocator learns from the first large block that is freed to keep those like it, with megabytes around
 * them. To be called before there are threads. */
void tally_map_large_blocks(int bytes);

/* Names the calling thread; at most 15 bytes are kept. */
void tally_name_thread(const char *_Nonnull name);

/* Makes all of a file system safe that was written before; -1 and errno when that fails. */
int tally_sync_file_system(int descriptor);

/* Gives memory that is free back to the system. */
void tally_trim_memory(void);

/* A new eventfd that does not block and does not outlive exec; negative on failure. */
int tally_eventfd(void);

/* Waits at most `microseconds` until `descriptor` can be read; positive when it can. */
int tally_wait_readable(int descriptor, int64_t microseconds);

/* Loads a library so that all its symbols are found at once, none are lent to others, and it is never unmapped. */
void *_Nullable tally_load_library(const char *_Nonnull path);

/* A file in memory with the first `count` bytes of an open file, sealed: nobody can change it any more. Negative on
 * failure, errno tells why: ENODATA when there are fewer bytes. */
int tally_sealed_copy(const char *_Nonnull name, int source, size_t count);

/* A file in memory of so many zeros; negative on failure. */
int tally_memory_file(const char *_Nonnull name, size_t count);

/* Memory in a file without a name, of zeros, whose size can be fixed; negative on failure, errno tells why. */
int tally_shared_file(const char *_Nonnull name, size_t count);

/* Fixes its size, and with `against_writing` lets nobody write it any more but by what is mapped already. */
int tally_seal_shared_file(int descriptor, int against_writing);

/* A pipe whose ends do not outlive exec; negative on failure. */
int tally_pipe(int ends[_Nonnull 2]);

/* Two connected sockets that do not outlive exec; negative on failure. */
int tally_socket_pair(int ends[_Nonnull 2]);

/* Starts the probe `program` with two arguments, with `plugin` as descriptor 3 and `answer` as 4 and nothing of its own
 * on the standard streams; the process's id, negative on failure. */
int tally_spawn_probe(const char *_Nonnull program, const char *_Nonnull first, const char *_Nonnull second, int plugin,
                      int answer);

/* Starts `program` under a name with one end of a connection as descriptor 3, and gives the other one; its standard
 * error is the caller's. The process's id, negative on failure. */
int tally_spawn_engine(const char *_Nonnull program, const char *_Nonnull name, int *_Nonnull own);

/* ---- folders in which files come and go ---- */

#define TALLY_WATCH_COMPLETE 1u /* a file was closed after writing, or renamed into the folder */
#define TALLY_WATCH_CREATED 2u  /* a name appeared: a folder, a link, or a file that is still being written */
#define TALLY_WATCH_GONE 4u     /* a name was removed or renamed away */
#define TALLY_WATCH_CHANGED 8u  /* owner or mode changed */
#define TALLY_WATCH_LOST 16u    /* the folder itself is gone, or changes were lost: look anew */

/* One change in a watched folder. */
typedef struct tally_watch_event {
  int watch;
  uint32_t what;
  char name[256];
} tally_watch_event;

/* A descriptor to watch folders with; negative on failure. */
int tally_watch_open(void);

/* Watches a folder; a number for it, negative on failure. */
int tally_watch_add(int descriptor, const char *_Nonnull folder);

/* Stops to watch a folder. */
void tally_watch_remove(int descriptor, int watch);

/* Takes at most `capacity` changes, at least 300, without waiting; how many. */
int tally_watch_read(int descriptor, tally_watch_event *_Nonnull events, int capacity);

/* Waits until one of two descriptors can be read, at most `milliseconds` (negative: for ever). */
void tally_wait_either(int first, int second, int milliseconds);

/* The file of the program or library that an address lies in, as the loader was given it; NULL when in none. */
const char *_Nullable tally_image_of(const void *_Nonnull address);

/* ---- memory ---- */

/* Has the processor fetch `count` bytes that the thread is about to write, so that it need not wait for them then. */
static inline void tally_fetch_for_writing(const void *_Nonnull start, size_t count) {
  for (size_t place = 0; place < count; place += 64) {
#ifdef __x86_64__
    /* What the compiler's own word becomes only when it may count on a processor of 2014. Older ones pass over it. */
    __asm__ volatile("prefetchw %0" : : "m"(((const char *)start)[place]));
#else
    __builtin_prefetch((const char *)start + place, 1);
#endif
  }
}

/* Begins to fetch `count` bytes for writing: they mostly lie in another processor's cache. */
static inline void tally_prefetch(const void *_Nonnull memory, long count) {
  for (long offset = 0; offset < count; offset += 64) __builtin_prefetch((const char *)memory + offset, 1, 3);
}

#endif
