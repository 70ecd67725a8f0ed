/* Makes system calls on chosen files fail, the machine sleep or its clock jump, for a program that it is preloaded into
 * (LD_PRELOAD).
 *
 * TALLY_FAULTS_FILE   a part of the paths of the files that are concerned; without it nothing happens
 * TALLY_FAULTS_KIND   enospc, eio, eintr, short, or all for each in turn by chance
 * TALLY_FAULTS_AT     the number of the one call that fails, counted from 1
 * TALLY_FAULTS_EVERY  fails one call in so many by chance, from TALLY_FAULTS_SEED
 * TALLY_FAULTS_AFTER  every call behind so many fails
 * TALLY_FAULTS_FULL   a file while which is there the disk is full
 * TALLY_FAULTS_HOLD   a file while which is there the disk does not answer: fdatasync lasts
 * TALLY_FAULTS_SLEEP a file that has, from when it is there, the seconds that the machine has slept
 * TALLY_FAULTS_WALL   a file that has, from when it is there, the seconds by which the wall clock was set
 * TALLY_FAULTS_LOG    a file that gets a line for each fault, and at the end the number of calls
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define MOST_FILES 4096

enum kind { NONE, FAILS, IS_SHORT };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char is_concerned[MOST_FILES];
static const char *part, *kind, *sleep_path, *wall_path, *full_path, *hold_path;
static _Atomic long slept;
static uint64_t calls, at, every, after, random_state;
static int log_file = -1;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_read)(int, void *, size_t);
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_clock_gettime)(clockid_t, struct timespec *);

static uint64_t number(const char *name) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : 0;
}

/* dlsym gives a pointer to data, which C does not let become one to a function. */
static void find(void *place, const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(place, &found, sizeof found);
}

__attribute__((constructor)) static void begin(void) {
  find(&real_open, "open64");
  find(&real_close, "close");
  find(&real_pwrite, "pwrite64");
  find(&real_pread, "pread64");
  find(&real_write, "write");
  find(&real_read, "read");
  find(&real_fdatasync, "fdatasync");
  find(&real_fsync, "fsync");
  find(&real_ftruncate, "ftruncate64");
  find(&real_clock_gettime, "clock_gettime");
  sleep_path = getenv("TALLY_FAULTS_SLEEP");
  wall_path = getenv("TALLY_FAULTS_WALL");
  full_path = getenv("TALLY_FAULTS_FULL");
  hold_path = getenv("TALLY_FAULTS_HOLD");
  part = getenv("TALLY_FAULTS_FILE");
  kind = getenv("TALLY_FAULTS_KIND");
  if (!kind) kind = "all";
  at = number("TALLY_FAULTS_AT");
  every = number("TALLY_FAULTS_EVERY");
  after = number("TALLY_FAULTS_AFTER");
  random_state = number("TALLY_FAULTS_SEED");
  const char *log = getenv("TALLY_FAULTS_LOG");
  if (log) log_file = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void note(const char *text) {
  if (log_file >= 0 && real_write(log_file, text, strlen(text)) < 0) log_file = -1;
}

__attribute__((destructor)) static void end(void) {
  char text[64];
  snprintf(text, sizeof text, "calls %llu\n", (unsigned long long)calls);
  note(text);
}

/* SplitMix64. */
static uint64_t next_random(void) {
  uint64_t value = random_state += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

static int error_named(const char *name) {
  if (strcmp(name, "enospc") == 0) return ENOSPC;
  if (strcmp(name, "eintr") == 0) return EINTR;
  return EIO;
}

static int is_there(const char *path) {
  int error = errno, found = path && access(path, F_OK) == 0;
  errno = error;
  return found;
}

/* Decides what becomes of a call, and sets errno. A read cannot lack room, and only a write can be short. */
static enum kind decide(const char *call, int is_write, int is_read) {
  if (is_write && is_there(full_path)) {
    errno = ENOSPC;
    return FAILS;
  }
  static const char *const kinds[] = {"enospc", "eio", "eintr", "short"};
  pthread_mutex_lock(&mutex);
  calls++;
  uint64_t chance = next_random();
  int fails = (at && calls == at) || (every && chance % every == 0) || (after && calls > after);
  const char *chosen = strcmp(kind, "all") == 0 ? kinds[(chance >> 32) % 4] : kind;
  uint64_t mine = calls;
  pthread_mutex_unlock(&mutex);
  if (!fails) return NONE;
  if (strcmp(chosen, "short") == 0 && !is_write) chosen = "eio";
  if (strcmp(chosen, "enospc") == 0 && is_read) chosen = "eio";
  char text[96];
  snprintf(text, sizeof text, "%s %s %llu\n", call, chosen, (unsigned long long)mine);
  note(text);
  if (strcmp(chosen, "short") == 0) return IS_SHORT;
  errno = error_named(chosen);
  return FAILS;
}

static int concerns(int file) { return file >= 0 && file < MOST_FILES && is_concerned[file]; }

static int open_file(const char *path, int flags, mode_t mode) {
  int is_wanted = part && strstr(path, part) != NULL;
  if (is_wanted && decide("open", 0, 0) == FAILS) return -1;
  int file = real_open(path, flags, mode);
  if (file >= 0 && file < MOST_FILES) is_concerned[file] = (unsigned char)is_wanted;
  return file;
}

static mode_t mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; }

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(path, flags, mode);
}

int close(int file) {
  if (file >= 0 && file < MOST_FILES) is_concerned[file] = 0;
  return real_close(file);
}

static size_t half(size_t count) { return count > 1 ? count / 2 : count; }

static ssize_t write_at(int file, const void *bytes, size_t count, off_t offset) {
  if (concerns(file)) {
    enum kind fault = decide("pwrite", 1, 0);
    if (fault == FAILS) return -1;
    if (fault == IS_SHORT) count = half(count);
  }
  return real_pwrite(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return write_at(file, bytes, count, offset); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return write_at(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (concerns(file)) {
    enum kind fault = decide("write", 1, 0);
    if (fault == FAILS) return -1;
    if (fault == IS_SHORT) count = half(count);
  }
  return real_write(file, bytes, count);
}

static ssize_t read_at(int file, void *bytes, size_t count, off_t offset) {
  if (concerns(file) && decide("pread", 0, 1) == FAILS) return -1;
  return real_pread(file, bytes, count, offset);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) { return read_at(file, bytes, count, offset); }
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) { return read_at(file, bytes, count, offset); }

ssize_t read(int file, void *bytes, size_t count) {
  if (concerns(file) && decide("read", 0, 1) == FAILS) return -1;
  return real_read(file, bytes, count);
}

int fdatasync(int file) {
  while (concerns(file) && is_there(hold_path)) usleep(1000);
  return concerns(file) && decide("fdatasync", 0, 0) == FAILS ? -1 : real_fdatasync(file);
}
int fsync(int file) { return concerns(file) && decide("fsync", 0, 0) == FAILS ? -1 : real_fsync(file); }

static int truncate_file(int file, off_t length) {
  return concerns(file) && decide("ftruncate", 0, 0) == FAILS ? -1 : real_ftruncate(file, length);
}

int ftruncate(int file, off_t length) { return truncate_file(file, length); }
int ftruncate64(int file, off64_t length) { return truncate_file(file, length); }

/* The number in a file; 0 when there is none. */
static long number_in(const char *path) {
  char text[16] = {0};
  int error = errno;
  int file = path ? real_open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    if (real_read(file, text, sizeof text - 1) < 0) text[0] = 0;
    real_close(file);
  }
  errno = error;
  return atol(text);
}

/* Sleep that has happened stays so; the clock that stands still in it needs nothing. */
static long seconds_slept(void) {
  if (!slept) slept = number_in(sleep_path);
  return slept;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!real_clock_gettime) find(&real_clock_gettime, "clock_gettime");
  int result = real_clock_gettime(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += number_in(wall_path);
  if (result == 0 && (clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME)) time->tv_sec += seconds_slept();
  return result;
}
