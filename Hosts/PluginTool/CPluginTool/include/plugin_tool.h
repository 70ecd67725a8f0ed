/* What tally-plugin needs of the system that Swift does not reach: loading with the reason of a failure, copies of the
 * process, and a look at the memory that a library asks for.
 *
 * Allocations are seen by the tables through which libraries call malloc and its like, which are written over: so only
 * calls of the images that are named count, and neither the program nor a sanitizer notices.
 */
#ifndef PLUGIN_TOOL_H
#define PLUGIN_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Loads a library with all its symbols; NULL with the loader's words in `reason`. */
void *_Nullable tally_tool_load(const char *_Nonnull path, char *_Nonnull reason, size_t size);

/* The function of a loaded library, NULL when it exports none of that name. */
void *_Nullable tally_tool_symbol(void *_Nonnull library, const char *_Nonnull name);

/* A copy of a process with one thread: 0 in the copy, which may call plugins; -1 on failure. */
pid_t tally_tool_fork(void);

/* Has the allocations of an image seen, by a part of its path; of all loaded images when that is NULL. How many places
 * were written over, which is 0 where the image allocates nothing by itself. */
int tally_tool_watch_allocations(const char *_Nullable image);

/* Begins to count at 0; the allocation with the number `failing`, counted from 1, gives NULL, and all after it when
 * `lasting`. 0 fails none. */
void tally_tool_count_allocations(uint64_t failing, bool lasting);

/* How many allocations there were since. */
uint64_t tally_tool_allocations(void);

/* Has an image's own calls seen by which it asks for the time, opens files and makes connections; how many places were
 * written over. */
int tally_tool_watch_machine(const char *_Nonnull image);

/* All clocks that a watched image reads go by so many seconds ahead. */
void tally_tool_shift_clocks(int64_t seconds);

/* The first function by which a watched image has opened a file or begun a connection; NULL when there was none. */
const char *_Nullable tally_tool_touched(void);

/* The image that an address lies in, NULL when there is none. */
const char *_Nullable tally_tool_image_of(const void *_Nonnull address);

/* A page that ends where no memory is, `size` bytes before that; freed with the process. */
void *_Nullable tally_tool_memory_before_gap(size_t size);

/* What becomes of a signal that comes to this thread, and its name without SIG, NULL when it has none. */
enum { TALLY_TOOL_DEFAULT, TALLY_TOOL_IGNORED, TALLY_TOOL_HANDLED, TALLY_TOOL_BLOCKED };
int tally_tool_signal_handling(int number);
const char *_Nullable tally_tool_signal_name(int number);

/* Whether a timer of the process will send it a signal. */
bool tally_tool_has_alarm(void);

/* How many bytes the process has asked for and not given back. */
uint64_t tally_tool_used_memory(void);

/* Whether a text stands in bytes. */
bool tally_tool_contains(const uint8_t *_Nonnull bytes, size_t count, const char *_Nonnull text);

/* A file that is in memory alone, and that other programs do not inherit; -1 on failure. */
int tally_tool_memory_file(const char *_Nonnull name);

/* Removes a folder with all that is in it; links are not followed. */
void tally_tool_remove_folder(const char *_Nonnull path);

#endif
