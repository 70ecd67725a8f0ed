#define _GNU_SOURCE
#include "tally_linux.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

void tally_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int tally_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int tally_wait_readable(int descriptor, int64_t microseconds) {
  struct pollfd request = {.fd = descriptor, .events = POLLIN, .revents = 0};
  struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = (microseconds % 1000000) * 1000};
  return ppoll(&request, 1, &time, 0);
}

void *tally_load_library(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

int tally_sealed_copy(const char *name, const void *bytes, size_t count) {
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  size_t done = 0;
  while (done < count) {
    ssize_t written = write(descriptor, (const char *)bytes + done, count - done);
    if (written <= 0) {
      close(descriptor);
      return -1;
    }
    done += (size_t)written;
  }
  if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}
