/* Threads of its own, which a tracker may not have, and what it does to the host's. */
#include "hostile.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define UNUSED (void)tracker, (void)call

static void wait_us(long us) {
  struct timespec left = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
  while (nanosleep(&left, &left) != 0) {}
}

static void *emitting(void *argument) {
  for (int i = 0; i < 2000; i++) {
    say(argument, "foreign", i);
    wait_us(500);
  }
  return NULL;
}

static tally_status emit_from_threads(struct hostile *tracker, const struct call *call) {
  (void)call;
  start_thread(emitting, tracker);
  start_thread(emitting, tracker);
  return TALLY_OK;
}

/* What a thread needs to call the host when the instance is gone. */
struct borrowed {
  const tally_host *host;
  const tally_emit *emit;
  const tally_timer *timer;
};

static void *calling_late(void *argument) {
  struct borrowed *borrowed = argument;
  static const tally_record nothing;
  uint64_t id;
  for (int i = 0; i < 100; i++) {
    wait_us(10000);
    borrowed->emit->record(borrowed->host, &nothing, NULL);
    borrowed->timer->start(borrowed->host, 0, TALLY_TIMER_INSTANCE, &id);
    borrowed->host->log(borrowed->host, TALLY_LOG_ERROR, fixture_str("still here"));
  }
  free(borrowed);
  return NULL;
}

/* Calls of the host follow when the call is over, and when nothing of the instance is left. */
static tally_status call_late(struct hostile *tracker, const struct call *call) {
  (void)call;
  struct borrowed *borrowed = malloc(sizeof *borrowed);
  if (borrowed == NULL) return TALLY_OK;
  *borrowed = (struct borrowed){tracker->base.host, tracker->base.emit, tracker->base.timer};
  start_thread(calling_late, borrowed);
  return TALLY_OK;
}

static void *waiting(void *argument) {
  wait_us(8000000);
  return argument;
}

static tally_status thread_bomb(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (int i = 0; i < 500; i++) start_thread(waiting, NULL);
  return TALLY_OK;
}

static void *busy(void *argument) {
  time_t end = time(NULL) + 6;
  while (time(NULL) < end) {}
  return argument;
}

static tally_status busy_threads(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (int i = 0; i < 4; i++) start_thread(busy, NULL);
  return TALLY_OK;
}

static tally_status detach(struct hostile *tracker, const struct call *call) {
  UNUSED;
  pthread_detach(pthread_self());
  return TALLY_OK;
}

static void crash_at_end(void *value) { *(volatile int *)value = 1; }

/* Runs when the host's thread ends, long after the last call. */
static tally_status crash_with_thread(struct hostile *tracker, const struct call *call) {
  UNUSED;
  pthread_key_t key;
  if (pthread_key_create(&key, crash_at_end) == 0) pthread_setspecific(key, (void *)(uintptr_t)0x10);
  return TALLY_OK;
}

/* The thread of the run gets another name, the least priority, one processor and no signals. */
static tally_status degrade_thread(struct hostile *tracker, const struct call *call) {
  UNUSED;
  cpu_set_t one;
  sigset_t all;
  struct sched_param least = {0};
  prctl(PR_SET_NAME, "hostile");
  setpriority(PRIO_PROCESS, 0, 19);
  sched_setscheduler(0, SCHED_IDLE, &least);
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  return TALLY_OK;
}

/* What others compute on this thread with floating point is rounded otherwise from now on. */
static tally_status round_otherwise(struct hostile *tracker, const struct call *call) {
  UNUSED;
#if defined(__x86_64__)
  unsigned state;
  __asm__ volatile("stmxcsr %0" : "=m"(state));
  state |= 0xc040; /* upwards, flush to zero, denormals are zero */
  __asm__ volatile("ldmxcsr %0" : : "m"(state));
#endif
  return TALLY_OK;
}

/* The direction of copies: who calls memmove next copies backwards. */
static tally_status turn_direction(struct hostile *tracker, const struct call *call) {
  UNUSED;
#if defined(__x86_64__)
  __asm__ volatile("std");
#endif
  return TALLY_OK;
}

const struct kind threads[] = {
    {"thread-emit", emit_from_threads, 0},
    {"late-calls", call_late, 0},
    {"thread-bomb", thread_bomb, 0},
    {"busy-threads", busy_threads, 0},
    {"detach", detach, 0},
    {"thread-end-crash", crash_with_thread, 0},
    {"degrade-thread", degrade_thread, 0},
    {"rounding", round_otherwise, 0},
    {"direction", turn_direction, 0},
    {NULL, NULL, 0},
};
