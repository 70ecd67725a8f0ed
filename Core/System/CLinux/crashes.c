#define _GNU_SOURCE
#include "tally_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local const char *tally_current_plugin;

static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
enum { deadly_count = sizeof deadly / sizeof deadly[0] };
static struct sigaction before[deadly_count];
static int journal = -1;
static pid_t watched;

/* Appends the line of the plugin that this thread is in. Only calls that are safe in a signal handler. */
static void note(int signal_number) {
  const char *line = tally_current_plugin;
  if (!line || journal < 0 || getpid() != watched) return;
  tally_current_plugin = NULL;
  char text[400];
  size_t used = strnlen(line, sizeof text - 8);
  memcpy(text, line, used);
  text[used++] = ' ';
  if (signal_number >= 10) text[used++] = (char)('0' + signal_number / 10);
  text[used++] = (char)('0' + signal_number % 10);
  text[used++] = '\n';
  ssize_t written = write(journal, text, used);
  (void)written;
  fsync(journal);
}

/* Notes the plugin, then lets the signal do what it did before. */
static void died(int signal_number) {
  note(signal_number);
  for (int index = 0; index < deadly_count; index++) {
    if (deadly[index] == signal_number) sigaction(signal_number, &before[index], NULL);
  }
  raise(signal_number);
}

static void ended(void) { note(0); }

int tally_watch_crashes(const char *path) {
  static atomic_flag taken = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&taken)) return 0;
  journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (journal < 0) {
    atomic_flag_clear(&taken);
    return -1;
  }
  watched = getpid();
  struct sigaction action = {.sa_handler = died, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < deadly_count; index++) sigaction(deadly[index], &action, &before[index]);
  return atexit(ended);
}

static _Thread_local void *handler_stack;

void tally_prepare_thread(void) {
  enum { size = 64 * 1024 };
  if (journal < 0) return;
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
