#define _GNU_SOURCE
#include "library.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { signal_limit = 4096 };
/* How long reporters may take to deliver as the process exits, ms. */
static const int64_t exit_limit = 500;

/* One thing that the thread has to do: a signal, or without a name the end of a player. */
typedef struct step {
  struct step *next;
  adapter_player *player;
  int64_t time_ns;
  const char *name;
  size_t count;
  tally_attribute attributes[]; /* their texts lie behind */
} step;

struct adapter_player {
  adapter_host *host;
  tally_adapter *adapter; /* the thread's */
  bool has_failed;        /* the thread's */
  char *name;
  char *version;
  adapter_player *next;   /* of those that have an adapter; the thread's */
};

struct adapter_host {
  adapter_settings settings;
  const char *program;
  const char *claim;
  const void *near;
  adapter_library library; /* the thread's */
  atomic_bool has_failed;
  adapter_player *players; /* the thread's */
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  pthread_t thread;
  step *first, **last;
  size_t waiting;
  size_t lost;             /* signals for which there was no room, since it was last said */
  bool has_thread;
  bool is_ending;
  int64_t end_limit_ms;
  pid_t process;           /* a copy that fork makes has no thread to wait for */
  adapter_host *next;      /* of those that are open */
};

static pthread_mutex_t hosts_mutex = PTHREAD_MUTEX_INITIALIZER;
static adapter_host *hosts;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

/* ---- The thread ---- */

static void say(const adapter_host *host, const char *problem) {
  fprintf(stderr, "%s: nothing is tracked: %s\n", host->program, problem);
}

static void stop(adapter_host *host, int64_t limit_ms, bool is_exit);

/* What is open as the process exits is ended here, and not freed: other threads may go on to tell something. */
static void end_at_exit(void) {
  pthread_mutex_lock(&hosts_mutex);
  adapter_host *open = hosts;
  hosts = NULL;
  pthread_mutex_unlock(&hosts_mutex);
  for (; open; open = open->next) {
    if (open->process == getpid()) stop(open, exit_limit, true);
  }
}

static void watch_exit(void) { atexit(end_at_exit); }

/* From the first signal on: the process may exit while libtally is being opened. */
static void end_with_process(adapter_host *host) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  host->process = getpid();
  pthread_mutex_lock(&hosts_mutex);
  host->next = hosts;
  hosts = host;
  pthread_mutex_unlock(&hosts_mutex);
  pthread_once(&once, watch_exit);
}

static bool open_library(adapter_host *host) {
  if (host->library.telemetry) return true;
  if (atomic_load(&host->has_failed)) return false;
  char problem[2100];
  if (adapter_library_open(&host->library, &host->settings, host->program, host->claim, host->near, problem,
                           sizeof problem)) {
    /* Once more, as handlers run backwards: libtally's own has to come after this one. */
    watch_exit();
    return true;
  }
  say(host, problem);
  atomic_store(&host->has_failed, true);
  return false;
}

static bool start(adapter_player *player, int64_t time_ns) {
  adapter_host *host = player->host;
  if (player->adapter) return true;
  if (player->has_failed || !open_library(host)) return false;
  tally_attribute known[2] = {tally_text("player_name", player->name), tally_text("player_version", player->version)};
  tally_run_options options = tally_run_options_default();
  options.begun_ns = time_ns;
  tally_error error = tally_error_none();
  size_t count = player->version ? 2 : 1;
  player->adapter = host->library.call.tally_adapter_start(host->library.telemetry, &options, known, count, &error);
  if (!player->adapter) {
    say(host, error.message);
    player->has_failed = true;
    return false;
  }
  player->next = host->players;
  host->players = player;
  return true;
}

static void end_player(adapter_player *player, int64_t limit_ms) {
  adapter_host *host = player->host;
  for (adapter_player **place = &host->players; *place; place = &(*place)->next) {
    if (*place != player) continue;
    *place = player->next;
    break;
  }
  if (player->adapter) host->library.call.tally_adapter_free(player->adapter, limit_ms);
  free(player->name);
  free(player->version);
  free(player);
}

static void carry_out(step *step) {
  if (!step->name) {
    end_player(step->player, 2000);
  } else if (start(step->player, step->time_ns)) {
    step->player->host->library.call.tally_signal(step->player->adapter, step->time_ns, step->name, step->attributes,
                                                  step->count);
  }
}

/* How long it is until a time, ms; not less than a moment, in which what is quick is done. */
static int64_t left_ms(int64_t end_ns) {
  int64_t left = (end_ns - now_ns()) / 1000000;
  return left > 50 ? left : 50;
}

static void *work(void *context) {
  adapter_host *host = context;
  pthread_setname_np(pthread_self(), "tally-adapter");
  pthread_mutex_lock(&host->mutex);
  while (true) {
    step *steps = host->first;
    host->first = NULL;
    host->last = &host->first;
    host->waiting = 0;
    size_t lost = host->lost;
    host->lost = 0;
    if (!steps) {
      if (host->is_ending) break;
      pthread_cond_wait(&host->wake, &host->mutex);
      continue;
    }
    pthread_mutex_unlock(&host->mutex);
    if (lost > 0) {
      fprintf(stderr, "%s: %zu signals are missing in what is tracked: they came while %d waited\n", host->program, lost,
              signal_limit);
    }
    while (steps) {
      step *next = steps->next;
      carry_out(steps);
      free(steps);
      steps = next;
    }
    pthread_mutex_lock(&host->mutex);
  }
  pthread_mutex_unlock(&host->mutex);
  /* They are not freed: threads of a player that exits may go on to tell something. */
  int64_t end_ns = now_ns() + host->end_limit_ms * 1000000;
  for (adapter_player *player = host->players; player; player = player->next) {
    host->library.call.tally_adapter_free(player->adapter, left_ms(end_ns));
  }
  if (host->library.telemetry) host->library.call.tally_close(host->library.telemetry, left_ms(end_ns));
  return NULL;
}

/* ---- From any thread ---- */

adapter_host *adapter_host_create(adapter_settings *settings, const char *program, const char *claim,
                                  const void *near) {
  adapter_host *host = calloc(1, sizeof *host);
  if (!host) return NULL;
  host->settings = *settings;
  memset(settings, 0, sizeof *settings);
  host->program = program;
  host->claim = claim;
  host->near = near;
  host->last = &host->first;
  pthread_mutex_init(&host->mutex, NULL);
  pthread_cond_init(&host->wake, NULL);
  return host;
}

adapter_player *adapter_player_create(adapter_host *host, const char *name, const char *version) {
  adapter_player *player = calloc(1, sizeof *player);
  if (!player) return NULL;
  player->host = host;
  player->name = copy(name);
  player->version = copy(version);
  return player;
}

bool adapter_has_failed(const adapter_host *host) { return atomic_load(&host->has_failed); }

static void add(adapter_host *host, step *step) {
  pthread_mutex_lock(&host->mutex);
  bool is_first = host->first == NULL;
  /* An end is never dropped. */
  bool has_room = host->waiting < signal_limit || !step->name;
  if (has_room) {
    *host->last = step;
    host->last = &step->next;
    host->waiting++;
    if (!host->has_thread) {
      host->has_thread = pthread_create(&host->thread, NULL, work, host) == 0;
      end_with_process(host);
    }
  } else {
    host->lost++;
  }
  pthread_mutex_unlock(&host->mutex);
  /* Not while the thread would only wait for the lock. */
  if (is_first) pthread_cond_signal(&host->wake);
  if (!has_room) free(step);
}

static size_t text_size(const tally_attribute *attribute) {
  if (attribute->kind != TALLY_VALUE_TEXT || !attribute->value.text) return 0;
  return (attribute->length ? attribute->length : strlen(attribute->value.text)) + 1;
}

void adapter_signal(adapter_player *player, const char *name, const tally_attribute *attributes, size_t count) {
  if (atomic_load_explicit(&player->host->has_failed, memory_order_relaxed)) return;
  size_t size = sizeof(step) + count * sizeof *attributes;
  size_t text_offset = size;
  for (size_t index = 0; index < count; index++) size += text_size(&attributes[index]);
  step *made = malloc(size);
  if (!made) return;
  *made = (step){.player = player, .time_ns = now_ns(), .name = name, .count = count};
  char *texts = (char *)made + text_offset;
  for (size_t index = 0; index < count; index++) {
    made->attributes[index] = attributes[index];
    size_t length = text_size(&attributes[index]);
    if (length == 0) continue;
    memcpy(texts, attributes[index].value.text, length - 1);
    texts[length - 1] = 0;
    made->attributes[index].value.text = texts;
    texts += length;
  }
  add(player->host, made);
}

void adapter_player_end(adapter_player *player) {
  step *made = calloc(1, sizeof *made);
  if (!made) return;
  made->player = player;
  add(player->host, made);
}

static void stop(adapter_host *host, int64_t limit_ms, bool is_exit) {
  pthread_mutex_lock(&host->mutex);
  host->is_ending = true;
  host->end_limit_ms = limit_ms;
  bool has_thread = host->has_thread;
  pthread_cond_signal(&host->wake);
  pthread_mutex_unlock(&host->mutex);
  if (!has_thread) return;
  if (!is_exit) {
    pthread_join(host->thread, NULL);
    return;
  }
  /* No exit hangs for what is tracked. */
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 10;
  pthread_timedjoin_np(host->thread, NULL, &limit);
}

void adapter_host_end(adapter_host *host, int64_t limit_ms) {
  pthread_mutex_lock(&hosts_mutex);
  for (adapter_host **place = &hosts; *place; place = &(*place)->next) {
    if (*place != host) continue;
    *place = host->next;
    break;
  }
  pthread_mutex_unlock(&hosts_mutex);
  stop(host, limit_ms, false);
  adapter_settings_free(&host->settings);
  pthread_cond_destroy(&host->wake);
  pthread_mutex_destroy(&host->mutex);
  free(host);
}
