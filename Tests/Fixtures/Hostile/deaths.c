/* What ends the process at once. */
#include "hostile.h"

#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#define UNUSED (void)tracker, (void)call

static tally_status segfault(struct hostile *tracker, const struct call *call) {
  UNUSED;
  *(volatile int *)(uintptr_t)0x10 = 1;
  return TALLY_OK;
}

static tally_status null_call(struct hostile *tracker, const struct call *call) {
  UNUSED;
  void (*volatile nothing)(void) = NULL;
  nothing();
  return TALLY_OK;
}

static tally_status trap(struct hostile *tracker, const struct call *call) {
  UNUSED;
  __builtin_trap();
}

static tally_status abort_now(struct hostile *tracker, const struct call *call) {
  UNUSED;
  abort();
}

static tally_status divide(struct hostile *tracker, const struct call *call) {
  UNUSED;
  volatile int zero = 0, one = 1;
  /* In assembler: a compiler may take a division by zero for what cannot be. */
#if defined(__x86_64__)
  __asm__ volatile("movl %1, %%eax\n cltd\n idivl %0" : : "m"(zero), "m"(one) : "eax", "edx", "cc");
#else
  raise(one / (zero + 1) ? SIGFPE : 0);
#endif
  return TALLY_OK;
}

/* A page behind the end of its file. */
static tally_status bus(struct hostile *tracker, const struct call *call) {
  UNUSED;
  int file = memfd_create("hostile", MFD_CLOEXEC);
  volatile char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) page[0] = 1;
  return TALLY_OK;
}

static tally_status leave(struct hostile *tracker, const struct call *call) {
  UNUSED;
  exit(0);
}

static tally_status leave_at_once(struct hostile *tracker, const struct call *call) {
  UNUSED;
  _exit(0);
}

static tally_status leave_quickly(struct hostile *tracker, const struct call *call) {
  UNUSED;
  quick_exit(0);
}

static void *leaving(void *argument) {
  (void)argument;
  exit(0);
}

static tally_status leave_on_thread(struct hostile *tracker, const struct call *call) {
  UNUSED;
  start_thread(leaving, NULL);
  return TALLY_OK;
}

static void *crashing(void *argument) {
  (void)argument;
  *(volatile int *)(uintptr_t)0x10 = 1;
  return NULL;
}

static tally_status crash_on_thread(struct hostile *tracker, const struct call *call) {
  UNUSED;
  start_thread(crashing, NULL);
  return TALLY_OK;
}

static tally_status kill_self(struct hostile *tracker, const struct call *call) {
  UNUSED;
  kill(getpid(), SIGKILL);
  return TALLY_OK;
}

static tally_status become_another(struct hostile *tracker, const struct call *call) {
  UNUSED;
  execl("/bin/true", "true", (char *)NULL);
  return TALLY_OK;
}

static int deeper(volatile char *above, int depth) {
  volatile char room[4096];
  if (depth < 0) return 0; /* never: the stack is over before */
  room[0] = above[0];
  return deeper(room, depth + 1) + room[0];
}

static tally_status overflow(struct hostile *tracker, const struct call *call) {
  UNUSED;
  volatile char top[1] = {1};
  return deeper(top, 0) == 1;
}

static tally_status large_frame(struct hostile *tracker, const struct call *call) {
  UNUSED;
  volatile size_t size = 256 << 20;
  volatile char *room = alloca(size);
  room[0] = 1;
  return room[0] == 2;
}

/* Writes over its own return address. */
static tally_status __attribute__((noinline)) smash(struct hostile *tracker, const struct call *call) {
  UNUSED;
  char *volatile frame = __builtin_frame_address(0);
  for (int i = 0; i < 64; i++) ((volatile char *)frame)[i] = 0x41;
  return TALLY_OK;
}

static jmp_buf place;

/* Keeps where it was at the first call, and jumps there in the second: that frame is long gone. */
static tally_status jump(struct hostile *tracker, const struct call *call) {
  static int has_place;
  UNUSED;
  if (has_place) longjmp(place, 1);
  has_place = 1;
  if (setjmp(place) != 0) has_place = 0;
  return TALLY_OK;
}

/* What a C++ exception that nobody catches comes to. */
static tally_status throw_out(struct hostile *tracker, const struct call *call) {
  UNUSED;
  static struct _Unwind_Exception exception;
  _Unwind_RaiseException(&exception);
  abort();
}

static _Unwind_Reason_Code go_on(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                 struct _Unwind_Exception *exception, struct _Unwind_Context *context, void *argument) {
  (void)version, (void)class, (void)exception, (void)context, (void)argument;
  if (actions & _UA_END_OF_STACK) abort();
  return _URC_NO_REASON;
}

/* Unwinds all frames of the host, with what they have to clean up. */
static tally_status unwind(struct hostile *tracker, const struct call *call) {
  UNUSED;
  static struct _Unwind_Exception exception;
  _Unwind_ForcedUnwind(&exception, go_on, NULL);
  abort();
}

const struct kind deaths[] = {
    {"segfault", segfault, 0},
    {"null-call", null_call, 0},
    {"trap", trap, 0},
    {"abort", abort_now, 0},
    {"divide", divide, 0},
    {"bus", bus, 0},
    {"exit", leave, 0},
    {"_exit", leave_at_once, 0},
    {"quick-exit", leave_quickly, 0},
    {"thread-exit", leave_on_thread, 0},
    {"thread-segfault", crash_on_thread, 0},
    {"kill-self", kill_self, 0},
    {"exec", become_another, 0},
    {"stack-overflow", overflow, 0},
    {"large-frame", large_frame, 0},
    {"smash", smash, 0},
    {"longjmp", jump, 1},
    {"throw", throw_out, 0},
    {"unwind", unwind, 0},
    {NULL, NULL, 0},
};
