// What librdkafka's performance tool has of the library's own headers, which no package has.
#include <librdkafka/rdkafka.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define rd_snprintf snprintf
#define RD_MIN(a, b) ((a) < (b) ? (a) : (b))
#define RD_MAX(a, b) ((a) > (b) ? (a) : (b))

typedef int64_t rd_ts_t;

static inline rd_ts_t rd_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (rd_ts_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
