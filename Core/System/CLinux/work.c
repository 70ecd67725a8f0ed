#define _GNU_SOURCE
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugin_calls.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TALLY_ONE_STACK 1
#endif
#endif
#if !defined(__x86_64__) && !defined(__aarch64__)
#define TALLY_ONE_STACK 1
#endif

/* As much as a thread has by itself; what is not touched costs nothing. */
enum { stack_bytes = 8 << 20, guard_bytes = 64 << 10 };

/* Where a work is, in the low bits beside the number of its call. */
enum { outside = 0, inside = 1, stages = 3 };

struct tally_work {
  /* The first two are known to the assembly below. */
  void *own;    /* where the work's stack stands while a plugin is called */
  void *native; /* where the native stack stands of the thread that does the work */
  _Atomic uint64_t call;
  void (*body)(void *);
  void *context;
  char *memory;
  uint32_t limit;
  uint32_t called;
};

static _Thread_local tally_work *current;
/* The call that this thread is in, which the work may have left behind. */
static _Thread_local uint64_t entered;

tally_work *tally_work_current(void) { return current; }

#ifdef TALLY_ONE_STACK

bool tally_can_give_up_calls(void) { return false; }

#else

bool tally_can_give_up_calls(void) { return true; }

/* Runs `entry(work)` on the work's stack. It may return on another thread: to what that one has put aside. */
void tally_stack_begin(tally_work *work, void *top, void (*entry)(tally_work *));
/* Calls `function` on the native stack; 0, or 1 when another thread goes on here. */
int tally_stack_call(tally_work *work, const void *function, const uint64_t *arguments, tally_returned *result);
/* Goes on behind `tally_stack_call`. */
void tally_stack_continue(tally_work *work);

/* How numbers are rounded, and the direction of string instructions, are as before behind a call on x86-64.
 *
 * Each of the three puts what a function has to preserve on the stack that it leaves, and takes it from the one that it
 * comes to. What lies below `native` is free for the plugin. `tally_call_came_back` does not return to a thread whose
 * work another one does by now. */
#ifdef __x86_64__
__asm__(
    ".text\n"
    ".macro tally_put_aside\n"
    "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    ".endm\n"
    ".macro tally_take_back\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
    "  ret\n"
    ".endm\n"
    ".globl tally_stack_begin\n"
    ".hidden tally_stack_begin\n"
    ".type tally_stack_begin, @function\n"
    "tally_stack_begin:\n"
    "  .cfi_startproc\n"
    "  tally_put_aside\n"
    "  mov %rsp, 8(%rdi)\n"
    "  mov %rsi, %rsp\n"
    "  .cfi_undefined %rip\n"
    "  mov %rdi, %rbx\n"
    "  call *%rdx\n"
    "  mov 8(%rbx), %rsp\n"
    "  tally_take_back\n"
    "  .cfi_endproc\n"
    ".size tally_stack_begin, . - tally_stack_begin\n"
    ".globl tally_stack_call\n"
    ".hidden tally_stack_call\n"
    ".type tally_stack_call, @function\n"
    "tally_stack_call:\n"
    "  .cfi_startproc\n"
    "  tally_put_aside\n"
    "  mov %rdi, %rbx\n"
    "  mov %rcx, %r12\n"
    "  mov %rsi, %rax\n"
    "  mov %rdx, %r10\n"
    "  sub $8, %rsp\n  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
    "  mov %rsp, (%rbx)\n"
    "  mov 8(%rbx), %rsp\n"
    "  .cfi_undefined %rip\n"
    "  and $-16, %rsp\n"
    "  pushq 56(%r10)\n  pushq 48(%r10)\n"
    "  mov (%r10), %rdi\n  mov 8(%r10), %rsi\n  mov 16(%r10), %rdx\n"
    "  mov 24(%r10), %rcx\n  mov 32(%r10), %r8\n  mov 40(%r10), %r9\n"
    "  call *%rax\n"
    "  cld\n"
    "  mov %rax, %r13\n"
    "  mov %rdx, %r14\n"
    "  mov %rbx, %rdi\n"
    "  call tally_call_came_back\n"
    "  mov %r13, (%r12)\n"
    "  mov %r14, 8(%r12)\n"
    "  mov (%rbx), %rsp\n"
    "  xor %eax, %eax\n"
    "1:\n"
    "  ldmxcsr (%rsp)\n  fldcw 4(%rsp)\n  add $8, %rsp\n"
    "  tally_take_back\n"
    "  .cfi_endproc\n"
    ".size tally_stack_call, . - tally_stack_call\n"
    ".globl tally_stack_continue\n"
    ".hidden tally_stack_continue\n"
    ".type tally_stack_continue, @function\n"
    "tally_stack_continue:\n"
    "  .cfi_startproc\n"
    "  tally_put_aside\n"
    "  mov %rsp, 8(%rdi)\n"
    "  mov (%rdi), %rsp\n"
    "  .cfi_undefined %rip\n"
    "  mov $1, %eax\n"
    "  jmp 1b\n"
    "  .cfi_endproc\n"
    ".size tally_stack_continue, . - tally_stack_continue\n");
#else
__asm__(
    ".text\n"
    ".macro tally_put_aside\n"
    "  sub sp, sp, #160\n"
    "  stp x29, x30, [sp]\n  stp x19, x20, [sp, #16]\n  stp x21, x22, [sp, #32]\n"
    "  stp x23, x24, [sp, #48]\n  stp x25, x26, [sp, #64]\n  stp x27, x28, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
    ".endm\n"
    ".macro tally_take_back\n"
    "  ldp x29, x30, [sp]\n  ldp x19, x20, [sp, #16]\n  ldp x21, x22, [sp, #32]\n"
    "  ldp x23, x24, [sp, #48]\n  ldp x25, x26, [sp, #64]\n  ldp x27, x28, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n"
    "  ret\n"
    ".endm\n"
    ".globl tally_stack_begin\n"
    ".hidden tally_stack_begin\n"
    ".type tally_stack_begin, %function\n"
    "tally_stack_begin:\n"
    "  tally_put_aside\n"
    "  mov x9, sp\n  str x9, [x0, #8]\n"
    "  mov sp, x1\n"
    "  mov x19, x0\n"
    "  blr x2\n"
    "  ldr x9, [x19, #8]\n  mov sp, x9\n"
    "  tally_take_back\n"
    ".globl tally_stack_call\n"
    ".hidden tally_stack_call\n"
    ".type tally_stack_call, %function\n"
    "tally_stack_call:\n"
    "  tally_put_aside\n"
    "  mov x19, x0\n  mov x20, x3\n  mov x9, x1\n  mov x10, x2\n"
    "  mov x11, sp\n  str x11, [x19]\n"
    "  ldr x11, [x19, #8]\n  mov sp, x11\n"
    "  ldp x0, x1, [x10]\n  ldp x2, x3, [x10, #16]\n  ldp x4, x5, [x10, #32]\n  ldp x6, x7, [x10, #48]\n"
    "  blr x9\n"
    "  mov x21, x0\n  mov x22, x1\n"
    "  mov x0, x19\n"
    "  bl tally_call_came_back\n"
    "  stp x21, x22, [x20]\n"
    "  ldr x9, [x19]\n  mov sp, x9\n"
    "  mov w0, #0\n"
    "  tally_take_back\n"
    ".globl tally_stack_continue\n"
    ".hidden tally_stack_continue\n"
    ".type tally_stack_continue, %function\n"
    "tally_stack_continue:\n"
    "  tally_put_aside\n"
    "  mov x9, sp\n  str x9, [x0, #8]\n"
    "  ldr x9, [x0]\n  mov sp, x9\n"
    "  mov w0, #1\n"
    "  tally_take_back\n");
#endif

/* Keeps a thread for good whose work another one does: it has no stack to go back to. */
static _Noreturn void park(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  for (;;) pause();
}

__attribute__((used, visibility("hidden"))) void tally_call_came_back(tally_work *work) {
  tally_leave_plugin(0);
  uint64_t here = entered;
  if (!atomic_compare_exchange_strong_explicit(&work->call, &here, here & ~(uint64_t)stages, memory_order_acq_rel,
                                               memory_order_relaxed))
    park();
}

static void do_work(tally_work *work) { work->body(work->context); }

#endif

tally_work *tally_work_make(void (*body)(void *), void *context) {
  tally_work *work = calloc(1, sizeof *work);
  if (!work) return NULL;
  work->body = body;
  work->context = context;
#ifndef TALLY_ONE_STACK
  work->memory = mmap(NULL, stack_bytes + guard_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (work->memory == MAP_FAILED) {
    free(work);
    return NULL;
  }
  mprotect(work->memory, guard_bytes, PROT_NONE);
#endif
  return work;
}

void tally_work_begin(tally_work *work) {
  current = work;
#ifdef TALLY_ONE_STACK
  work->body(work->context);
#else
  tally_stack_begin(work, work->memory + guard_bytes + stack_bytes, do_work);
#endif
  current = NULL;
}

void tally_work_continue(tally_work *work) {
#ifndef TALLY_ONE_STACK
  current = work;
  tally_stack_continue(work);
  current = NULL;
#else
  (void)work;
#endif
}

void tally_work_free(tally_work *work) {
  if (work->memory) munmap(work->memory, stack_bytes + guard_bytes);
  free(work);
}

typedef tally_returned plugin_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static tally_returned call_here(const void *function, const uint64_t *a, uint32_t call) {
  uint32_t before = tally_enter_plugin(call);
  tally_returned result = ((plugin_function *)function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  tally_leave_plugin(before);
  return result;
}

bool tally_call_plugin(const void *function, const uint64_t arguments[8], uint32_t call, uint32_t limit,
                       tally_returned *result) {
  tally_work *work = current;
#ifndef TALLY_ONE_STACK
  /* A plugin's own call of the host may lead to another plugin's call: that one is a part of the first. */
  if (work && (atomic_load_explicit(&work->call, memory_order_relaxed) & stages) == outside) {
    work->called = call;
    work->limit = limit;
    tally_enter_plugin(call);
    entered = ((atomic_load_explicit(&work->call, memory_order_relaxed) | stages) + 1) | inside;
    atomic_store_explicit(&work->call, entered, memory_order_release);
    return tally_stack_call(work, function, arguments, result) == 0;
  }
#else
  (void)work;
#endif
  (void)limit;
  *result = call_here(function, arguments, call);
  return true;
}

tally_call_seen tally_work_look(tally_work *work) {
  uint64_t call = atomic_load_explicit(&work->call, memory_order_acquire);
  return (tally_call_seen){.number = call >> 2,
                           .inside = (call & stages) == inside,
                           .limit = work->limit,
                           .call = work->called};
}

bool tally_work_give_up(tally_work *work, uint64_t number) {
  uint64_t here = number << 2 | inside;
  /* Outside again at once: the next call is made by whoever goes on. */
  return atomic_compare_exchange_strong_explicit(&work->call, &here, number << 2, memory_order_acq_rel,
                                                 memory_order_relaxed);
}
