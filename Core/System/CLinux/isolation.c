#define _GNU_SOURCE
#include "isolation.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <linux/landlock.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

pid_t tally_spawn_isolated(const char *program, const char *name, const int *descriptors, int output, int errors,
                           const char *const *variables) {
  enum { first = tally_isolated_first_descriptor, count = tally_isolated_descriptors, above = first + count };
  enum { most_variables = 64 };
  int copies[count + 2], status = 0;
  /* Above all of them, so that none is overwritten before it is copied. */
  for (int index = 0; index < count + 2; index++) {
    int descriptor = index < count ? descriptors[index] : index == count ? output : errors;
    copies[index] = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, above);
    if (descriptor >= 0 && copies[index] < 0) status = errno;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  for (int stream = 1; stream <= 2; stream++) {
    int copy = copies[count + stream - 1];
    if (copy < 0) posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    else posix_spawn_file_actions_adddup2(&actions, copy, stream);
  }
  for (int index = 0; index < count; index++) posix_spawn_file_actions_adddup2(&actions, copies[index], first + index);
  posix_spawn_file_actions_addclosefrom_np(&actions, above);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  /* A terminal's signals are for the player. */
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const char *libraries = getenv("LD_LIBRARY_PATH");
  char *path = NULL;
  if (libraries && asprintf(&path, "LD_LIBRARY_PATH=%s", libraries) < 0) status = ENOMEM;
  char *environment[most_variables + 4] = {"SWIFT_BACKTRACE=enable=no", "LC_ALL=C"};
  int length = 2;
  if (path) environment[length++] = path;
  for (int index = 0; variables && variables[index] && index < most_variables; index++) {
    environment[length++] = (char *)variables[index];
  }
  char *arguments[] = {(char *)program, (char *)name, NULL};
  pid_t child = -1;
  if (status == 0) status = posix_spawn(&child, program, &actions, &attributes, arguments, environment);
  free(path);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  for (int index = 0; index < count + 2; index++) {
    if (copies[index] >= 0) close(copies[index]);
  }
  if (status == 0) return child;
  errno = status;
  return -1;
}

void tally_futex_wait(const volatile void *word, uint32_t value, int64_t microseconds) {
  struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = (microseconds % 1000000) * 1000};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

void tally_futex_wake(const volatile void *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

int tally_wait_any(const int *descriptors, uint8_t *ready, int count, int64_t microseconds) {
  struct pollfd requests[64];
  if (count > 64) count = 64;
  for (int index = 0; index < count; index++) {
    requests[index] = (struct pollfd){.fd = descriptors[index], .events = POLLIN, .revents = 0};
  }
  struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = (microseconds % 1000000) * 1000};
  int found = ppoll(requests, (nfds_t)count, &time, NULL);
  for (int index = 0; index < count; index++) {
    short events = found > 0 ? requests[index].revents : 0;
    ready[index] = (events & POLLIN ? 1 : 0) | (events & (POLLHUP | POLLERR | POLLNVAL) ? 2 : 0);
  }
  return found;
}

int tally_drop_privileges(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (prctl(PR_SET_DUMPABLE, 0) != 0) return -1;
  /* The parent may have gone before. */
  if (getppid() != parent) _exit(0);
  return 0;
}

/* Whether a sanitizer is built in, or was loaded before this program with LD_PRELOAD: its shadow of the memory is
 * larger than any limit. */
static int is_sanitized(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return 1;
#else
  return dlsym(RTLD_DEFAULT, "__asan_init") != NULL || dlsym(RTLD_DEFAULT, "__tsan_init") != NULL;
#endif
}

int tally_limit_process(uint64_t bytes, uint64_t descriptors, int writes) {
  const struct rlimit none = {0, 0}, few = {descriptors, descriptors}, space = {bytes, bytes};
  /* Who writes where nothing can be written is told so, and goes on. */
  if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR) return -1;
  if (setrlimit(RLIMIT_CORE, &none) != 0 || (!writes && setrlimit(RLIMIT_FSIZE, &none) != 0)) return -1;
  if (setrlimit(RLIMIT_NOFILE, &few) != 0) return -1;
  if (!is_sanitized() && setrlimit(RLIMIT_AS, &space) != 0) return -1;
  return 0;
}

/* Lets files be used below a folder, or one file. */
static void allow_path(int set, const char *path, uint64_t of_files, uint64_t of_folders) {
  struct landlock_path_beneath_attr rule = {.allowed_access = of_files, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
  if (rule.parent_fd < 0) return;
  struct stat status;
  /* Rights of folders are refused for a file. */
  if (fstat(rule.parent_fd, &status) == 0 && S_ISDIR(status.st_mode)) rule.allowed_access |= of_folders;
  syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

int tally_restrict_files(const char *const *readable, const char *const *writable, int connects, int listens) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 1;
  /* All rights of each version of the interface: the size of the structure grows with it. */
  struct {
    uint64_t files, network, scopes;
  } rules = {.files = version >= 5 ? 0xFFFF : version >= 3 ? 0x7FFF : version == 2 ? 0x3FFF : 0x1FFF,
             .network = version >= 4 ? (listens ? 0u : 1u) | (connects ? 0u : 2u) : 0u,
             .scopes = version >= 6 ? 3 : 0};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (set < 0) return -1;
  const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE;
  const uint64_t writing = (reading | LANDLOCK_ACCESS_FS_WRITE_FILE | 1u << 14) & rules.files; /* truncation: 3 on */
  const uint64_t naming = LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
  for (; *readable; readable++) {
    allow_path(set, *readable, reading | LANDLOCK_ACCESS_FS_EXECUTE, LANDLOCK_ACCESS_FS_READ_DIR);
  }
  for (; *writable; writable++) allow_path(set, *writable, writing, naming);
  long result = syscall(SYS_landlock_restrict_self, set, 0);
  int reason = errno;
  close(set);
  errno = reason;
  return result == 0 ? 0 : -1;
}

struct folders {
  void (*body)(const char *, void *);
  void *data;
};

static int add_folder(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  char folder[4096];
  const char *end = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
  size_t length = end ? (size_t)(end - info->dlpi_name) : 0;
  if (length == 0 || length >= sizeof folder) return 0;
  memcpy(folder, info->dlpi_name, length);
  folder[length] = 0;
  struct folders *folders = data;
  folders->body(folder, folders->data);
  return 0;
}

void tally_library_folders(void (*body)(const char *folder, void *data), void *data) {
  struct folders folders = {body, data};
  dl_iterate_phdr(add_folder, &folders);
}
