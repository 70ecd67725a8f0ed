#define _GNU_SOURCE
#include "tally_linux.h"

#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

int tally_watch_open(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int tally_watch_add(int descriptor, const char *folder) {
  return inotify_add_watch(descriptor, folder,
                           IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB |
                               IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
}

void tally_watch_remove(int descriptor, int watch) { inotify_rm_watch(descriptor, watch); }

static uint32_t what(uint32_t mask) {
  uint32_t what = 0;
  if (mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) what |= TALLY_WATCH_COMPLETE;
  if (mask & (IN_CREATE | IN_MOVED_TO)) what |= TALLY_WATCH_CREATED;
  if (mask & (IN_DELETE | IN_MOVED_FROM)) what |= TALLY_WATCH_GONE;
  if (mask & IN_ATTRIB) what |= TALLY_WATCH_CHANGED;
  if (mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_Q_OVERFLOW | IN_UNMOUNT)) what |= TALLY_WATCH_LOST;
  return what;
}

int tally_watch_read(int descriptor, tally_watch_event *events, int capacity) {
  /* The smallest change has 16 bytes: what is read here always fits. */
  _Alignas(struct inotify_event) char buffer[4096];
  ssize_t got = capacity < 300 ? 0 : read(descriptor, buffer, sizeof buffer);
  int count = 0;
  for (ssize_t place = 0; place < got;) {
    const struct inotify_event *event = (const struct inotify_event *)(buffer + place);
    tally_watch_event *into = &events[count++];
    into->watch = event->wd;
    into->what = what(event->mask);
    memset(into->name, 0, sizeof into->name);
    if (event->len > 0) strncpy(into->name, event->name, sizeof into->name - 1);
    place += (ssize_t)(sizeof *event + event->len);
  }
  return count;
}

void tally_wait_either(int first, int second, int milliseconds) {
  struct pollfd requests[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
  poll(requests, 2, milliseconds);
}
