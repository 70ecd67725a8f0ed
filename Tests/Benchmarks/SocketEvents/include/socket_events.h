/* Waiting for many sockets at once, by epoll, which Swift's C library does not show. */
#ifndef SOCKET_EVENTS_H
#define SOCKET_EVENTS_H

/* A place to wait at; negative when the system gives none. */
int socket_events_make(void);

/* Has a socket's changes known by a number, as long as it is open; negative on failure. */
int socket_events_add(int place, int socket, unsigned number);

/* Waits for changes at most so many ms, and writes the numbers of what has changed, at most 512.
 * Returns how many. */
int socket_events_wait(int place, unsigned *_Nonnull numbers, int milliseconds);

#endif
