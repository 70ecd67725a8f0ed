/* Other processes and signals. */
#include "hostile.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/seccomp.h>

#define UNUSED (void)tracker, (void)call

/* Who is left behind by a fork ends by itself. */
static void end_soon(void) { alarm(10); }

/* The child returns from the call as if it were the player. */
static tally_status fork_and_return(struct hostile *tracker, const struct call *call) {
  UNUSED;
  if (fork() == 0) end_soon();
  return TALLY_OK;
}

static tally_status fork_and_exit(struct hostile *tracker, const struct call *call) {
  UNUSED;
  if (fork() == 0) {
    end_soon();
    exit(0);
  }
  return TALLY_OK;
}

static tally_status fork_bomb(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (int i = 0; i < 100; i++)
    if (fork() == 0) {
      signal(SIGALRM, SIG_DFL);
      alarm(4);
      for (;;) pause();
    }
  return TALLY_OK;
}

/* Signals that end the player are ignored, and so is the end of its children. */
static tally_status ignore_signals(struct hostile *tracker, const struct call *call) {
  UNUSED;
  const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGPIPE, SIGSEGV, SIGABRT, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], SIG_IGN);
  return TALLY_OK;
}

static tally_status alarm_once(struct hostile *tracker, const struct call *call) {
  UNUSED;
  struct itimerval soon = {.it_value = {.tv_usec = 300000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  return TALLY_OK;
}

static void nothing(int signal) { (void)signal; }

/* System calls of all threads are interrupted a thousand times a second. */
static tally_status interrupt(struct hostile *tracker, const struct call *call) {
  UNUSED;
  struct sigaction action = {.sa_handler = nothing};
  struct itimerval often = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  return TALLY_OK;
}

static void *reaping(void *argument) {
  for (time_t end = time(NULL) + 8; time(NULL) < end;) {
    waitpid(-1, NULL, WNOHANG);
    struct timespec moment = {.tv_nsec = 2000000};
    nanosleep(&moment, NULL);
  }
  return argument;
}

/* Takes the exit codes of the player's children from it. */
static tally_status reap(struct hostile *tracker, const struct call *call) {
  UNUSED;
  start_thread(reaping, NULL);
  return TALLY_OK;
}

/* Only where the parent is a player, as that of an isolated tracker: the tests' own process is spared. */
static tally_status end_parent(struct hostile *tracker, const struct call *call) {
  UNUSED;
  if (is_called(getppid(), "tally-player")) kill(getppid(), SIGTERM);
  return TALLY_OK;
}

static tally_status trace_parent(struct hostile *tracker, const struct call *call) {
  UNUSED;
  if (is_called(getppid(), "tally-player")) ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
  return TALLY_OK;
}

static tally_status die_with_parent(struct hostile *tracker, const struct call *call) {
  UNUSED;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  return TALLY_OK;
}

/* The kernel ends the thread at its next system call but read, write and exit. */
static tally_status lock_down(struct hostile *tracker, const struct call *call) {
  UNUSED;
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  return TALLY_OK;
}

const struct kind process[] = {
    {"fork", fork_and_return, 0},
    {"fork-exit", fork_and_exit, 0},
    {"fork-bomb", fork_bomb, 0},
    {"ignore-signals", ignore_signals, 0},
    {"alarm", alarm_once, 0},
    {"interrupt", interrupt, 0},
    {"reap", reap, 0},
    {"end-parent", end_parent, 0},
    {"trace-parent", trace_parent, 0},
    {"parent-death", die_with_parent, 0},
    {"seccomp", lock_down, 0},
    {NULL, NULL, 0},
};
