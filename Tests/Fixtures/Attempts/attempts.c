/* Tries what a tracker has no business with, as it is loaded and as a session begins, and says a record of each attempt:
 * its kind is "NAME refused" or "NAME done". Nothing that succeeds does harm. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../Shared/fixture.h"

struct attempting {
  struct fixture base;
};

static void *nothing(void *data) { return data; }

static int opens(const char *path, int flags) {
  int descriptor = open(path, flags, 0600);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

static int reaches(int family) {
  int descriptor = socket(family, SOCK_STREAM, 0);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

static int forks(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child > 0;
}

static int begins_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, nothing, NULL) != 0) return 0;
  pthread_join(thread, NULL);
  return 1;
}

static int traces(void) {
  if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) != 0) return 0;
  ptrace(PTRACE_DETACH, getppid(), NULL, NULL);
  return 1;
}

static int looks_into_parent(void) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)&errno, 1};
  return process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1;
}

static int writes_descriptors(void) {
  char byte = 0;
  /* All that it has open but its own page and streams: what the run is told, the library, its orders. */
  for (int descriptor = 4; descriptor < 7; descriptor++) {
    if (pwrite(descriptor, &byte, 1, 0) == 1) return 1;
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) != MAP_FAILED) return 1;
  }
  return 0;
}

static int early_file, early_network, early_process;

__attribute__((constructor)) static void construct(void) {
  early_file = opens("/etc/passwd", O_RDONLY);
  early_network = reaches(AF_INET);
  early_process = forks();
}

static void say(struct attempting *self, const char *name, int is_done) {
  struct {
    _Alignas(8) tally_record header;
    char kind[64];
  } record = {.header = {.size = sizeof record, .header_size = sizeof record.header,
                         .kind_off = sizeof record.header, .attr_off = sizeof record.header}};
  record.header.kind_len = (uint32_t)snprintf(record.kind, 64, "%s %s", name, is_done ? "done" : "refused");
  self->base.emit->record(self->base.host, &record.header, NULL);
}

static tally_status session_begin(const tally_plugin *plugin, const tally_event *snapshot) {
  struct attempting *self = fixture_of(plugin);
  (void)snapshot;
  say(self, "early file", early_file);
  say(self, "early network", early_network);
  say(self, "early process", early_process);
  say(self, "file", opens("/etc/passwd", O_RDONLY));
  say(self, "library", opens("/lib64/ld-linux-x86-64.so.2", O_RDONLY) || opens("/lib/ld-linux-aarch64.so.1", O_RDONLY));
  say(self, "new file", opens("/tmp", O_TMPFILE | O_WRONLY));
  say(self, "ring", opens("/proc/self/fd/4", O_RDWR));
  say(self, "network", reaches(AF_INET) || reaches(AF_INET6));
  say(self, "socket", reaches(AF_UNIX));
  say(self, "process", forks());
  say(self, "thread", begins_thread());
  say(self, "signal", kill(getppid(), 0) == 0);
  say(self, "trace", traces());
  say(self, "memory", looks_into_parent());
  say(self, "descriptors", writes_descriptors());
  say(self, "length", ftruncate(3, 0) == 0);
  return TALLY_OK;
}

#define FIXTURE_ID "org.tally.fixture.attempts"
#define FIXTURE_INSTANCE struct attempting
#define FIXTURE_SESSION_BEGIN session_begin
#include "../Shared/entry.h"
