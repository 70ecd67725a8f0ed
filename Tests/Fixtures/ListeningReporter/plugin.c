/* A reporter that declares that it listens, and nothing else. As it is enabled it tries that, and what is not declared by
 * it, and logs "NAME refused" or "NAME done" of each. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../Shared/fixture.h"
#include "../Shared/reporter.h"

static struct sockaddr_in address;

/* A socket that listens on loopback, or -1; its address is kept. */
static int begin_listening(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  socklen_t length = sizeof address;
  address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    if (listener >= 0) close(listener);
    return -1;
  }
  return listener;
}

/* Nobody is there yet, which is no refusal. */
static int accepts(int listener) { return accept(listener, NULL, NULL) >= 0 || errno == EAGAIN; }

static int connects(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  int done = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0;
  if (descriptor >= 0) close(descriptor);
  return done;
}

static int connects_by_sending(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  int done = sendto(descriptor, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address) == 1;
  if (descriptor >= 0) close(descriptor);
  return done;
}

static int sends_without_connection(void) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  int done = descriptor >= 0 && sendto(descriptor, "x", 1, 0, (struct sockaddr *)&address, sizeof address) == 1;
  if (descriptor >= 0) close(descriptor);
  return done;
}

static int opens_local_socket(void) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

static void say(const struct fixture *self, const char *name, int is_done) {
  char text[64];
  int length = snprintf(text, sizeof text, "%s %s", name, is_done ? "done" : "refused");
  self->host->log(self->host, TALLY_LOG_INFO, (tally_str){.ptr = text, .len = (size_t)length});
}

static tally_status enable(const tally_plugin *plugin) {
  const struct fixture *self = fixture_of(plugin);
  int listener = begin_listening();
  say(self, "listening", listener >= 0);
  say(self, "accepting", listener >= 0 && accepts(listener));
  say(self, "connecting", connects());
  say(self, "connecting by sending", connects_by_sending());
  say(self, "sending without a connection", sends_without_connection());
  say(self, "local socket", opens_local_socket());
  if (listener >= 0) close(listener);
  return TALLY_OK;
}

#define FIXTURE_ID "org.tally.fixture.listening-reporter"
#define FIXTURE_KIND TALLY_KIND_REPORTER
#define FIXTURE_CAPS TALLY_CAP_LISTENS
#define FIXTURE_ENABLE enable
#define FIXTURE_EXTENSION(id) fixture_reporter(id)
#include "../Shared/entry.h"
