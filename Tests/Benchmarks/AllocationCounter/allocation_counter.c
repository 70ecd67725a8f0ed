#include "allocation_counter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WITH_SANITIZER
#endif
#endif

static atomic_bool counting;
static atomic_uint_fast64_t by_callers, by_others;
static _Thread_local bool is_caller;

void tally_count_as_caller(void) { is_caller = true; }

void tally_count_allocations(bool on) {
  if (on) {
    atomic_store(&by_callers, 0);
    atomic_store(&by_others, 0);
  }
  atomic_store(&counting, on);
}

uint64_t tally_allocations_by_callers(void) { return atomic_load(&by_callers); }
uint64_t tally_allocations_by_others(void) { return atomic_load(&by_others); }

#ifdef WITH_SANITIZER

bool tally_can_count_allocations(void) { return false; }

#else

bool tally_can_count_allocations(void) { return true; }

static void count(void) {
  if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
  atomic_fetch_add_explicit(is_caller ? &by_callers : &by_others, 1, memory_order_relaxed);
}

/* The C library's own functions, under the names that it keeps for programs with a malloc of their own. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}

#endif
