#define _GNU_SOURCE
#include "tally_linux.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

void tally_limit_allocator_pools(int count) { mallopt(M_ARENA_MAX, count); }

void tally_map_large_blocks(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

void tally_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int tally_sync_file_system(int descriptor) { return syncfs(descriptor); }

void tally_trim_memory(void) { malloc_trim(0); }

const char *tally_image_of(const void *address) {
  Dl_info information;
  return dladdr(address, &information) != 0 ? information.dli_fname : NULL;
}

int tally_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int tally_wait_readable(int descriptor, int64_t microseconds) {
  struct pollfd request = {.fd = descriptor, .events = POLLIN, .revents = 0};
  struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = (microseconds % 1000000) * 1000};
  return ppoll(&request, 1, &time, 0);
}

void *tally_load_library(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

int tally_sealed_copy(const char *name, int source, size_t count) {
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  size_t done = 0;
  while (done < count) {
    ssize_t copied = sendfile(descriptor, source, NULL, count - done);
    if (copied < 0 && errno == EINTR) continue;
    if (copied <= 0) {
      int reason = copied == 0 ? ENODATA : errno;
      close(descriptor);
      errno = reason;
      return -1;
    }
    done += (size_t)copied;
  }
  if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
  }
  return descriptor;
}

int tally_memory_file(const char *name, size_t count) {
  int descriptor = memfd_create(name, MFD_CLOEXEC);
  if (descriptor < 0 || ftruncate(descriptor, (off_t)count) == 0) return descriptor;
  close(descriptor);
  return -1;
}

int tally_shared_file(const char *name, size_t count) {
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0 || ftruncate(descriptor, (off_t)count) == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

int tally_seal_shared_file(int descriptor, int against_writing) {
  int seals = F_SEAL_SHRINK | F_SEAL_GROW | (against_writing ? F_SEAL_FUTURE_WRITE : 0) | F_SEAL_SEAL;
  return fcntl(descriptor, F_ADD_SEALS, seals);
}

int tally_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

int tally_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/* A crash of a child is an answer, and nobody wants to read its stack. To be freed; NULL when there is no memory. */
static char **environment_without_backtraces(void) {
  size_t count = 0;
  while (environ[count]) count++;
  char **environment = calloc(count + 2, sizeof *environment);
  if (!environment) return NULL;
  size_t kept = 0;
  for (size_t index = 0; index < count; index++) {
    if (strncmp(environ[index], "SWIFT_BACKTRACE=", 16) != 0) environment[kept++] = environ[index];
  }
  environment[kept] = "SWIFT_BACKTRACE=enable=no";
  return environment;
}

int tally_spawn_probe(const char *program, const char *first, const char *second, int plugin, int answer) {
  /* Above 4, so that neither is overwritten before it is copied. */
  int from = fcntl(plugin, F_DUPFD_CLOEXEC, 5), to = fcntl(answer, F_DUPFD_CLOEXEC, 5);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, from, 3);
  posix_spawn_file_actions_adddup2(&actions, to, 4);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *arguments[] = {(char *)program, (char *)first, (char *)second, NULL};
  char **environment = environment_without_backtraces();
  pid_t child = -1;
  int status = !environment          ? ENOMEM
               : from < 0 || to < 0 ? EMFILE
                                     : posix_spawn(&child, program, &actions, &attributes, arguments, environment);
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  if (status == 0) return child;
  errno = status;
  return -1;
}

int tally_spawn_engine(const char *program, const char *name, int *own) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  /* Above 3, so that it is not overwritten before it is copied, and copied so that it outlives exec. */
  int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 4);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, theirs, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  /* What a terminal or a service manager asks all of them, the player answers. */
  sigset_t asked, all;
  sigemptyset(&asked);
  sigfillset(&all);
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) sigaddset(&asked, numbers[index]);
  posix_spawnattr_setsigmask(&attributes, &asked);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *arguments[] = {(char *)name, NULL};
  char **environment = environment_without_backtraces();
  pid_t child = -1;
  int status = !environment ? ENOMEM
               : theirs < 0 ? EMFILE
                            : posix_spawn(&child, program, &actions, &attributes, arguments, environment);
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (theirs >= 0) close(theirs);
  if (status == 0) {
    *own = ends[0];
    return child;
  }
  close(ends[0]);
  errno = status;
  return -1;
}
