/* Counts the memory that is asked for: the program that links this has its own malloc, which hands on to the C
 * library's. Nothing is counted before tally_count_allocations(true), and nothing in a build with a sanitizer.
 */
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this build counts at all. */
bool tally_can_count_allocations(void);

/* Says that the calling thread is one whose calls are counted by themselves. */
void tally_count_as_caller(void);

/* Starts at zero, or stops. */
void tally_count_allocations(bool on);

/* Calls of malloc, calloc, realloc and the aligned ones, by the threads that said so and by all others. */
uint64_t tally_allocations_by_callers(void);
uint64_t tally_allocations_by_others(void);

#endif
