#include "socket_events.h"

#include <sys/epoll.h>

int socket_events_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

int socket_events_add(int place, int socket, unsigned number) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.u32 = number};
  return epoll_ctl(place, EPOLL_CTL_ADD, socket, &event);
}

int socket_events_wait(int place, unsigned *numbers, int milliseconds) {
  struct epoll_event events[512];
  int count = epoll_wait(place, events, 512, milliseconds);
  for (int i = 0; i < count; i++) numbers[i] = events[i].data.u32;
  return count < 0 ? 0 : count;
}
