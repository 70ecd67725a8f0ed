#define _GNU_SOURCE
#include "journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
enum { deadly_count = sizeof deadly / sizeof deadly[0], exit_code = 70 };
static struct sigaction before[deadly_count];
static int crashes = -1;
static pid_t watched;
/* Whether a process that a plugin ends says no more than its line. */
static int ends_plainly;

const char *tally_signal_name(int signal_number) {
  static const char *const names[] = {"SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP", "SIGFPE", "SIGABRT", "SIGSYS"};
  for (int index = 0; index < deadly_count; index++) {
    if (deadly[index] == signal_number) return names[index];
  }
  return NULL;
}

/* ---- lines of a process that dies: only calls that are safe in a signal handler ---- */

struct line {
  size_t used;
  char text[1024];
};

static void add(struct line *line, const char *text) {
  while (*text && line->used < sizeof line->text - 1) line->text[line->used++] = *text++;
}

/* As `add`, without what a terminal or a reader of lines would take for more than text. */
static void add_name(struct line *line, const char *text) {
  for (; *text && line->used < sizeof line->text - 1; text++) {
    line->text[line->used++] = (unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text;
  }
}

static void add_number(struct line *line, uint64_t number, unsigned base) {
  char digits[24];
  size_t place = sizeof digits;
  digits[--place] = 0;
  do digits[--place] = "0123456789abcdef"[number % base];
  while ((number /= base) != 0 && place > 0);
  add(line, digits + place);
}

static void put(int descriptor, struct line *line) {
  add(line, "\n");
  line->text[line->used - 1] = '\n';
  ssize_t written = write(descriptor, line->text, line->used);
  (void)written;
}

/* The call that this thread is in, which is told once; NULL for none. */
static const tally_plugin_identity *open_call(uint32_t *number) {
  if (watched == 0 || getpid() != watched || !tally_call_place) return NULL;
  const tally_plugin_identity *plugin = tally_identity_of(*tally_call_place);
  *number = *tally_call_place & 0xFF;
  *tally_call_place = 0;
  return plugin;
}

/* Appends to the file of crashes; whether the next process will keep the plugin out. */
static int note(const tally_plugin_identity *plugin, uint32_t call, int signal_number) {
  if (crashes < 0 || !plugin->sha256[0]) return 0;
  struct line line = {0};
  add(&line, plugin->sha256);
  add(&line, " ");
  add_name(&line, plugin->plugin);
  add(&line, " ");
  add_number(&line, (uint64_t)signal_number, 10);
  add(&line, " ");
  add(&line, tally_call_name(call));
  put(crashes, &line);
  return fsync(crashes) == 0 || errno == EINVAL;
}

static void begin(struct line *line, const tally_plugin_identity *plugin) {
  add(line, program_invocation_short_name);
  add(line, ": error: ");
  add(line, plugin->kind[0] ? plugin->kind : "plugin");
  add(line, " ");
  add_name(line, plugin->instance[0] ? plugin->instance : plugin->plugin);
  add(line, " (");
  add_name(line, plugin->file);
  add(line, ") ");
}

static void finish(struct line *line, int is_noted) {
  add(line, is_noted ? "; it will be quarantined: the next start does not load this file." : "; remove or replace the file.");
  put(STDERR_FILENO, line);
}

/* Whether a bad address lies where the thread's stack ends. */
static int is_overflow(const siginfo_t *info, const ucontext_t *context) {
#if defined(__x86_64__)
  uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
  uintptr_t stack = (uintptr_t)context->uc_mcontext.sp;
#endif
  uintptr_t address = (uintptr_t)info->si_addr;
  return info->si_signo == SIGSEGV && address + 65536 > stack && address < stack + 4096;
}

/* Says which plugin it was, then lets the signal do what it did before. */
static void died(int signal_number, siginfo_t *info, void *context) {
  uint32_t call = 0;
  int failure = errno;
  /* Faults have an address; what was sent by kill or abort has the sender in its place. */
  int is_fault = info->si_code > 0 && signal_number != SIGABRT && signal_number != SIGSYS && signal_number != SIGTRAP;
  const tally_plugin_identity *plugin = open_call(&call);
  if (plugin) {
    struct line line = {0};
    begin(&line, plugin);
    add(&line, "crashed in ");
    add(&line, tally_call_name(call));
    add(&line, " (");
    add(&line, tally_signal_name(signal_number));
    if (is_fault) {
      add(&line, " at 0x");
      add_number(&line, (uint64_t)(uintptr_t)info->si_addr, 16);
      if (is_overflow(info, context)) add(&line, ", its stack is full");
    }
    add(&line, ")");
    finish(&line, note(plugin, call, signal_number));
  }
  static const struct sigaction plainly = {.sa_handler = SIG_DFL};
  for (int index = 0; index < deadly_count; index++) {
    if (deadly[index] == signal_number) sigaction(signal_number, plugin && ends_plainly ? &plainly : &before[index], NULL);
  }
  errno = failure;
  /* The instruction runs again and faults again, now for whoever listened before, with all that the kernel says. */
  if (is_fault) return;
  syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal_number, info);
}

/* Says that a plugin ended the process; whether one did. */
static int left(const char *function, int status) {
  uint32_t call = 0;
  const tally_plugin_identity *plugin = open_call(&call);
  if (!plugin) return 0;
  struct line line = {0};
  begin(&line, plugin);
  add(&line, "called ");
  add(&line, function);
  add(&line, "(");
  if (status < 0) add(&line, "-");
  add_number(&line, status < 0 ? 0 - (uint64_t)status : (uint64_t)status, 10);
  add(&line, ") in ");
  add(&line, tally_call_name(call));
  add(&line, ", which ends the program with code 70");
  finish(&line, note(plugin, call, 0));
  return 1;
}

static _Noreturn void end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

static void ended(int status, void *argument) {
  (void)argument;
  if (watched == 0 || getpid() != watched) return;
  if (left("exit", status)) {
    /* What was written to streams is not lost; what other handlers would do has been done, or is the plugin's. */
    fflush(NULL);
    end_process(exit_code);
  }
  tally_end_journal();
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
/* A program's own functions go before those of the C library, for libraries that are loaded too: so a plugin's call of
 * `_exit` comes here. One that makes the system call itself is seen by the next process. */
__attribute__((visibility("default"))) _Noreturn void _exit(int status) {
  if (left("_exit", status)) end_process(exit_code);
  if (watched != 0 && getpid() == watched) tally_end_journal();
  end_process(status);
}

__attribute__((visibility("default"))) _Noreturn void _Exit(int status) { _exit(status); }
#endif

void tally_watch_crashes(void) {
  static atomic_flag taken = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&taken)) return;
  watched = getpid();
  tally_prepare_thread();
  struct sigaction action = {.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
  action.sa_sigaction = died;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < deadly_count; index++) sigaction(deadly[index], &action, &before[index]);
  on_exit(ended, NULL);
}

void tally_end_plainly(void) {
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  const char *asked = getenv("SWIFT_BACKTRACE");
  ends_plainly = !asked || !*asked;
#endif
}

int tally_keep_calls(const char *folder, int keeps_end) {
  static atomic_flag taken = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&taken)) return 0;
  tally_watch_crashes();
  char name[4096];
  int length = snprintf(name, sizeof name, "%s/crashes", folder);
  if (length > 0 && (size_t)length < sizeof name) {
    crashes = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  } else {
    errno = ENAMETOOLONG;
  }
  if (crashes < 0) {
    atomic_flag_clear(&taken);
    return -1;
  }
  /* Without it a death is noted all the same, only an end that no handler sees is not. */
  tally_map_journal(folder, keeps_end);
  return 0;
}

int tally_fork_alone(void) {
  int threads = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return -1;
  for (struct dirent *task; (task = readdir(tasks));) threads += task->d_name[0] != '.';
  closedir(tasks);
  if (threads != 1) return -1;
  int child = fork();
  if (child != 0) return child;
  tally_accept_fork();
  tally_forget_journal();
  crashes = -1;
  if (watched != 0) watched = getpid();
  return 0;
}

/* ---- stacks for handlers ---- */

static _Thread_local void *handler_stack;

void tally_prepare_thread(void) {
  enum { size = 64 * 1024 };
  if (watched == 0 || handler_stack) return;
  stack_t present;
  if (sigaltstack(NULL, &present) == 0 && !(present.ss_flags & SS_DISABLE)) return;
  handler_stack = malloc(size);
  if (!handler_stack) return;
  stack_t stack = {.ss_sp = handler_stack, .ss_size = size};
  sigaltstack(&stack, NULL);
}

void tally_end_thread(void) {
  if (!handler_stack) return;
  stack_t stack = {.ss_flags = SS_DISABLE};
  sigaltstack(&stack, NULL);
  free(handler_stack);
  handler_stack = NULL;
}
