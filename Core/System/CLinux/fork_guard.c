#define _GNU_SOURCE
#include "fork_guard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where the kernel has no MADV_WIPEONFORK (before 4.14), the handler of `fork` writes this one. */
static unsigned char own_page = 1;
const unsigned char *tally_fork_page = &own_page;

/* Each is a descriptor and 1, or 0. */
static atomic_int guarded[4096];
enum { guarded_count = sizeof guarded / sizeof guarded[0] };

void tally_end_fork(void) { _exit(0); }

void tally_accept_fork(void) {
  own_page = 1;
  tally_fork_page = &own_page;
}

void tally_close_in_forks(int descriptor) {
  for (size_t place = 0; place < guarded_count; place++) {
    int none = 0;
    if (atomic_compare_exchange_strong(&guarded[place], &none, descriptor + 1)) return;
  }
}

void tally_keep_in_forks(int descriptor) {
  for (size_t place = 0; place < guarded_count; place++) {
    int one = descriptor + 1;
    if (atomic_compare_exchange_strong(&guarded[place], &one, 0)) return;
  }
}

/* In the copy, before `fork` returns there. Only calls that are safe where other threads are gone. */
static void forked(void) {
  own_page = 0;
  for (size_t place = 0; place < guarded_count; place++) {
    int one = atomic_exchange(&guarded[place], 0);
    if (one > 0) close(one - 1);
  }
}

/* The page also tells a copy that was made by a system call, which no handler hears of. */
__attribute__((constructor)) static void begin(void) {
  pthread_atfork(NULL, NULL, forked);
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (madvise(page, size, MADV_WIPEONFORK) != 0) {
    munmap(page, size);
    return;
  }
  *page = 1;
  mprotect(page, size, PROT_READ);
  tally_fork_page = page;
}
