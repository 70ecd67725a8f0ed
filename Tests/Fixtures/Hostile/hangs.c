/* What does not return, returns late, or keeps others from going on. */
#include "hostile.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define UNUSED (void)tracker, (void)call

static tally_status loop(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (volatile unsigned turns = 0;; turns++) {}
}

static tally_status sleep_for_ever(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (;;) pause();
}

static tally_status deadlock(struct hostile *tracker, const struct call *call) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  UNUSED;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return TALLY_OK;
}

static tally_status end_thread(struct hostile *tracker, const struct call *call) {
  UNUSED;
  pthread_exit(NULL);
}

static tally_status cancel_thread(struct hostile *tracker, const struct call *call) {
  UNUSED;
  pthread_cancel(pthread_self());
  for (;;) pause();
}

/* Ends its own thread in the kernel: nothing of the C library learns of it. */
static tally_status drop_thread(struct hostile *tracker, const struct call *call) {
  UNUSED;
  extern long syscall(long, ...);
  syscall(60 /* exit, on x86-64 */, 0);
  return TALLY_OK;
}

static void wait_ms(long ms) {
  struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0) {}
}

static tally_status slow(struct hostile *tracker, const struct call *call) {
  UNUSED;
  wait_ms(150);
  return TALLY_OK;
}

static tally_status late(struct hostile *tracker, const struct call *call) {
  UNUSED;
  wait_ms(3500);
  return TALLY_OK;
}

/* Returns late and says something then. */
static tally_status late_word(struct hostile *tracker, const struct call *call) {
  (void)call;
  wait_ms(3500);
  return say(tracker, "late", 1);
}

/* Standard streams stay locked: who writes to them by stdio waits for ever. */
static tally_status lock_streams(struct hostile *tracker, const struct call *call) {
  UNUSED;
  flockfile(stdout);
  flockfile(stderr);
  return TALLY_OK;
}

static int wait_in_list(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)info, (void)size, (void)argument;
  for (;;) pause();
}

static void *hold_loader(void *argument) {
  dl_iterate_phdr(wait_in_list, argument);
  return NULL;
}

/* A thread keeps the lock of the dynamic loader, which loading and ending need. */
static tally_status lock_loader(struct hostile *tracker, const struct call *call) {
  UNUSED;
  start_thread(hold_loader, NULL);
  wait_ms(50);
  return TALLY_OK;
}

static void come_back(int signal) { (void)signal; }

/* Its own handler takes the crash and returns: the instruction crashes again, for ever. */
static tally_status crash_for_ever(struct hostile *tracker, const struct call *call) {
  UNUSED;
  signal(SIGSEGV, come_back);
  *(volatile int *)(uintptr_t)0x10 = 1;
  return TALLY_OK;
}

static tally_status many_timers(struct hostile *tracker, const struct call *call) {
  uint64_t id;
  for (int i = 0; i < 10000; i++)
    tracker->base.timer->start(tracker->base.host, call->now_us + 1000, TALLY_TIMER_SESSION, &id);
  return TALLY_OK;
}

/* At each of its timers: the next one is due in a millisecond. */
static tally_status timers_without_end(struct hostile *tracker, const struct call *call) {
  uint64_t id;
  return tracker->base.timer->start(tracker->base.host, call->now_us + 1, TALLY_TIMER_INSTANCE, &id);
}

const struct kind hangs[] = {
    {"loop", loop, 0},
    {"sleep", sleep_for_ever, 0},
    {"deadlock", deadlock, 0},
    {"pthread-exit", end_thread, 0},
    {"cancel", cancel_thread, 0},
    {"drop-thread", drop_thread, 0},
    {"slow", slow, 1},
    {"late", late, 0},
    {"late-word", late_word, 0},
    {"lock-streams", lock_streams, 0},
    {"lock-loader", lock_loader, 0},
    {"crash-loop", crash_for_ever, 0},
    {"many-timers", many_timers, 1},
    {"endless-timers", timers_without_end, 1},
    {NULL, NULL, 0},
};
