/* What belongs to the whole process: descriptors, limits, environment, folder, streams. */
#include "hostile.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNUSED (void)tracker, (void)call
#define DESCRIPTORS 1024

static tally_status close_all(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (int descriptor = 3; descriptor < DESCRIPTORS; descriptor++) close(descriptor);
  return TALLY_OK;
}

static tally_status close_streams(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (int descriptor = 0; descriptor < 3; descriptor++) close(descriptor);
  return TALLY_OK;
}

/* What is written to any file goes nowhere from now on, without an error. */
static tally_status redirect_all(struct hostile *tracker, const struct call *call) {
  UNUSED;
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor = 3; descriptor < DESCRIPTORS; descriptor++)
    if (descriptor != nowhere && fcntl(descriptor, F_GETFD) >= 0) dup2(nowhere, descriptor);
  return TALLY_OK;
}

/* Writes into each file that is open for writing. */
static tally_status scribble(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (int descriptor = 3; descriptor < DESCRIPTORS; descriptor++) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (write(descriptor, "{\"scribbled\n", 12) < 0) continue;
  }
  return TALLY_OK;
}

static tally_status descriptor_bomb(struct hostile *tracker, const struct call *call) {
  UNUSED;
  struct rlimit few = {.rlim_cur = DESCRIPTORS, .rlim_max = DESCRIPTORS};
  setrlimit(RLIMIT_NOFILE, &few);
  while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) {}
  return TALLY_OK;
}

static tally_status no_files(struct hostile *tracker, const struct call *call) {
  UNUSED;
  struct rlimit none = {0};
  setrlimit(RLIMIT_FSIZE, &none);
  return TALLY_OK;
}

static tally_status low_limits(struct hostile *tracker, const struct call *call) {
  UNUSED;
  struct rlimit none = {0};
  setrlimit(RLIMIT_NOFILE, &none);
  setrlimit(RLIMIT_NPROC, &none);
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_MEMLOCK, &none);
  return TALLY_OK;
}

static tally_status leave_folder(struct hostile *tracker, const struct call *call) {
  UNUSED;
  if (chdir("/proc/self") != 0) return TALLY_OK;
  umask(0777);
  return TALLY_OK;
}

static tally_status clear_environment(struct hostile *tracker, const struct call *call) {
  UNUSED;
  clearenv();
  setenv("TZ", "Pacific/Kiritimati", 1);
  setenv("LD_PRELOAD", "/nowhere.so", 1);
  setenv("PATH", "/nowhere", 1);
  return TALLY_OK;
}

static tally_status change_locale(struct hostile *tracker, const struct call *call) {
  UNUSED;
  const char *names[] = {"de_DE.UTF-8", "tr_TR.UTF-8", "C.UTF-8"};
  for (int i = 0; i < 3 && setlocale(LC_ALL, names[i]) == NULL; i++) {}
  return TALLY_OK;
}

static tally_status change_personality(struct hostile *tracker, const struct call *call) {
  UNUSED;
  personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC | ADDR_LIMIT_3GB);
  return TALLY_OK;
}

static tally_status drop_rights(struct hostile *tracker, const struct call *call) {
  UNUSED;
  if (setgid(65534) != 0 || setuid(65534) != 0) return TALLY_OK;
  return TALLY_OK;
}

static tally_status write_streams(struct hostile *tracker, const struct call *call) {
  UNUSED;
  for (int i = 0; i < 200; i++) {
    printf("\x1b[2Jnot yours %d\n", i);
    fprintf(stderr, "error: not yours %d\n", i);
  }
  fflush(NULL);
  return TALLY_OK;
}

static tally_status read_input(struct hostile *tracker, const struct call *call) {
  UNUSED;
  char bytes[4096];
  while (read(STDIN_FILENO, bytes, sizeof bytes) > 0) {}
  return TALLY_OK;
}

static void crash(void) { *(volatile int *)(uintptr_t)0x10 = 1; }
static void hang(void) {
  for (;;) pause();
}

/* Runs as the player ends, when no call is open. */
static tally_status crash_at_exit(struct hostile *tracker, const struct call *call) {
  UNUSED;
  atexit(crash);
  return TALLY_OK;
}

static tally_status hang_at_exit(struct hostile *tracker, const struct call *call) {
  UNUSED;
  atexit(hang);
  return TALLY_OK;
}

const struct kind machine[] = {
    {"close-all", close_all, 0},
    {"close-streams", close_streams, 0},
    {"redirect-all", redirect_all, 0},
    {"scribble", scribble, 0},
    {"descriptor-bomb", descriptor_bomb, 0},
    {"no-files", no_files, 0},
    {"low-limits", low_limits, 0},
    {"leave-folder", leave_folder, 0},
    {"environment", clear_environment, 0},
    {"locale", change_locale, 0},
    {"personality", change_personality, 0},
    {"drop-rights", drop_rights, 0},
    {"write-streams", write_streams, 0},
    {"read-input", read_input, 0},
    {"exit-crash", crash_at_exit, 0},
    {"exit-hang", hang_at_exit, 0},
    {NULL, NULL, 0},
};
