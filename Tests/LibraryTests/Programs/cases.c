/* Uses libtally as a program of others does: `cases CASE PLUGINS ARCHIVES OUTPUT [MORE]`. Says what came of it, a line each. */
#define _GNU_SOURCE
#include <tally.h>

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *plugins, *archives, *output;
static char setting[4096];

static tally *open_with(const char *names, const char *claim) {
  tally_error error = tally_error_none();
  tally_options options = tally_options_default();
  const char *const folders[] = {plugins};
  const char *const settings[] = {setting};
  snprintf(setting, sizeof setting, "plugins.jsonlines.config.path=\"%s\"", output);
  options.plugins = names;
  options.plugin_folders = folders;
  options.plugin_folder_count = 1;
  options.settings = settings;
  options.setting_count = names && strstr(names, "jsonlines") ? 1 : 0;
  options.archive = archives;
  options.claim = claim;
  tally *telemetry = tally_open(&options, &error);
  if (!telemetry) printf("open: %d %s\n", error.code, error.message);
  return telemetry;
}

static tally_run *start(tally *telemetry) {
  tally_error error = tally_error_none();
  tally_run *run = tally_run_start(telemetry, NULL, &error);
  if (!run) printf("run: %d %s\n", error.code, error.message);
  return run;
}

static int count(const char *folder) {
  DIR *entries = opendir(folder);
  int number = 0;
  while (readdir(entries)) number++;
  closedir(entries);
  return number;
}

static void texts(void) {
  tally *telemetry = open_with("jsonlines", NULL);
  tally_run *run = start(telemetry);
  const tally_attribute attributes[] = {
      tally_text("good", "h\303\244"), tally_text("bad", "a\377b"),       tally_text("b\377d", "x"),
      tally_text(NULL, "x"),           tally_text("none", NULL),          tally_integer("number", -5),
      tally_number("half", 0.5),       tally_truth("truth", true),        {.name = "kind", .kind = 9},
      {.name = "cut", .kind = TALLY_VALUE_TEXT, .length = 2, .value.text = "xyz"},
  };
  printf("%d\n", tally_track(run, "video_load", attributes, sizeof attributes / sizeof attributes[0]));
  printf("%d %d %d\n", tally_track(run, "plugin_enabled", NULL, 0), tally_track(run, NULL, NULL, 0),
         tally_track(NULL, "play", NULL, 0));
  tally_run_set_state(NULL, NULL);
  tally_run_free(NULL);
  printf("%d\n", tally_close(NULL, 0));
  tally_run_free(run);
  tally_close(telemetry, 5000);
}

static void state(void) {
  tally *telemetry = open_with(NULL, NULL);
  tally_run *run = start(telemetry);
  tally_player_state known = tally_player_state_unknown();
  known.known = TALLY_HAS_PLAYHEAD | TALLY_HAS_DURATION | TALLY_HAS_RATE | TALLY_HAS_VOLUME | TALLY_HAS_SIZE |
                TALLY_HAS_MUTED | TALLY_HAS_BITRATE | TALLY_HAS_DROPPED;
  known.playhead_ms = 1500;
  known.duration_ms = -7;
  known.rate = 1.25;
  known.volume = 0.5;
  known.width = 640;
  known.height = 360;
  known.is_muted = 1;
  known.bitrate = 3000000;
  known.dropped_frames = 4;
  known.is_live = 1; /* not said to be known */
  tally_run_set_state(run, &known);
  const tally_attribute video[] = {tally_text("video_name", "Film"), tally_text("mine", "x")};
  tally_run_set_info(run, TALLY_SUBJECT_VIDEO, video, 2);
  tally_track_load(run);
  tally_track_playhead(run, 2000);
  tally_run_forget(run, TALLY_HAS_BITRATE | TALLY_HAS_VOLUME);
  tally_track_play(run);
  tally_run_free(run);
  tally_close(telemetry, 5000);
}

static void reports(void) {
  tally *telemetry = open_with("new-relic-video,jsonlines", NULL);
  tally_run *run = start(telemetry);
  tally_report report = tally_report_empty();
  tally_error error = tally_error_none();
  printf("none %d\n", tally_next_report(telemetry, &report));
  tally_track_load(run);
  tally_track_play(run);
  tally_track_unload(run);
  tally_run_summary summary = tally_run_summary_empty();
  tally_run_end(run, 5000, &summary);
  printf("end %u %d\n", summary.in_time, tally_track_play(run));
  while (!tally_next_report(telemetry, &report)) usleep(1000);
  printf("report %u %u %s %d\n", report.kind, report.session, tally_run_id(run), strcmp(report.run, tally_run_id(run)));
  char *answer = tally_perform(telemetry, "plugin disable new-relic-video", &error);
  printf("%s\n", answer ? answer : error.message);
  tally_free(answer);
  answer = tally_perform(telemetry, "play", &error);
  printf("%d %s\n", error.code, error.message);
  answer = tally_perform(telemetry, "plugin 'enable", &error);
  printf("%d %s\n", error.code, error.message);
  tally_run_free(run);
  printf("%d\n", tally_close(telemetry, 5000));
}

static void claims(void) {
  tally *first = open_with(NULL, "mpv");
  tally *second = open_with(NULL, "mpv");
  tally *other = open_with(NULL, "gstreamer");
  printf("%d %d %d\n", first != NULL, second != NULL, other != NULL);
  tally_close(first, 0);
  second = open_with(NULL, "mpv");
  printf("%d\n", second != NULL);
  tally_close(second, 0);
  tally_close(other, 0);
}

static void errors(void) {
  tally_error error = tally_error_none();
  tally_options options = tally_options_default();
  options.configuration = "/nowhere/tally.json5";
  printf("%d", tally_open(&options, &error) != NULL);
  printf(" %d %s\n", error.code, error.message);
  open_with("no-such-plugin", NULL);
  output = "-";
  tally *telemetry = open_with("jsonlines", NULL);
  printf("%d\n", telemetry != NULL);
  tally_close(telemetry, 0);
  options = tally_options_default();
  const char *const folders[] = {plugins};
  options.plugin_folders = folders;
  options.plugin_folder_count = 1;
  options.plugins = "jsonlines";
  printf("%d", tally_open(&options, &error) != NULL);
  printf(" %d %s\n", error.code, error.message);
  options.size = 0;
  printf("%d", tally_open(&options, &error) != NULL);
  printf(" %d %s\n", error.code, error.message);
  /* What goes well leaves no error behind. */
  options = tally_options_default();
  telemetry = tally_open(&options, &error);
  printf("%d %d '%s'\n", telemetry != NULL, error.code, error.message);
  tally_close(telemetry, 0);
}

/* Neither the run nor the telemetry is ended. */
static void leave(void) {
  tally_run *run = start(open_with("new-relic-video,jsonlines", NULL));
  tally_track_load(run);
  tally_track_play(run);
  for (int index = 0; index < 100; index++) tally_track_playhead(run, index);
}

/* A daemon forks before it opens anything. */
static void daemonizes(void) {
  pid_t child = fork();
  if (child != 0) {
    waitpid(child, NULL, 0);
    return;
  }
  tally *t = open_with("jsonlines", NULL);
  tally_run *run = start(t);
  printf("child %d", tally_track_load(run));
  tally_run_end(run, 1000, NULL);
  tally_run_free(run);
  printf(" %d\n", tally_close(t, 5000));
  exit(0);
}

static void forks(void) {
  tally *telemetry = open_with("jsonlines", NULL);
  tally_run *run = start(telemetry);
  tally_track_load(run);
  pid_t child = fork();
  if (child == 0) {
    tally_error error = tally_error_none();
    int track = tally_track_play(run);
    bool has_opened = tally_open(NULL, &error) != NULL;
    tally_run_end(run, 1000, NULL);
    tally_run_free(run);
    tally_close(telemetry, 1000);
    printf("child %d %d %d\n", track, has_opened, error.code);
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  tally_track_play(run);
  tally_run_free(run);
  printf("parent %d %d\n", status, tally_close(telemetry, 5000));
}

static void cycles(int number) {
  int descriptors = 0, threads = 0;
  for (int index = 0; index < number; index++) {
    tally *telemetry = open_with("new-relic-video,jsonlines", NULL);
    tally_run *run = start(telemetry);
    tally_track_load(run);
    tally_track_unload(run);
    tally_run_free(run);
    tally_close(telemetry, 5000);
    if (index > 2) continue;
    descriptors = count("/proc/self/fd");
    threads = count("/proc/self/task");
  }
  printf("%d %d\n", count("/proc/self/fd") - descriptors, count("/proc/self/task") <= threads + 1);
}

static void *track_much(void *run) {
  for (int index = 0; index < 2000; index++) tally_track_playhead(run, index);
  return NULL;
}

static void threads(void) {
  tally *telemetry = open_with(NULL, NULL);
  tally_run *run = start(telemetry);
  pthread_t all[4];
  tally_track_load(run);
  for (int index = 0; index < 4; index++) pthread_create(&all[index], NULL, track_much, run);
  for (int index = 0; index < 4; index++) pthread_join(all[index], NULL);
  tally_run_free(run);
  printf("%d\n", tally_close(telemetry, 5000));
}

/* A second copy of the library in the process, from another file. */
static void copies(const char *path) {
  void *copy = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!copy) {
    printf("%s\n", dlerror());
    return;
  }
  __typeof__(&tally_open) other_open = (__typeof__(&tally_open))(uintptr_t)dlsym(copy, "tally_open");
  __typeof__(&tally_run_start) other_start = (__typeof__(&tally_run_start))(uintptr_t)dlsym(copy, "tally_run_start");
  __typeof__(&tally_track) other_track = (__typeof__(&tally_track))(uintptr_t)dlsym(copy, "tally_track");
  __typeof__(&tally_run_free) other_free = (__typeof__(&tally_run_free))(uintptr_t)dlsym(copy, "tally_run_free");
  __typeof__(&tally_close) other_close = (__typeof__(&tally_close))(uintptr_t)dlsym(copy, "tally_close");
  tally_options options = tally_options_default();
  options.archive = archives;
  tally *one = open_with(NULL, NULL), *two = other_open(&options, NULL);
  tally_run *first = start(one), *second = other_start(two, NULL, NULL);
  printf("%d %d %d\n", other_open != &tally_open, tally_track_load(first), other_track(second, "video_load", NULL, 0));
  tally_run_free(first);
  other_free(second);
  printf("%d %d\n", tally_close(one, 5000), other_close(two, 5000));
}

static void handlers(void) {
  tally *telemetry = open_with("new-relic-video,jsonlines", NULL);
  tally_run_free(start(telemetry));
  int own = 0;
  for (int number = 1; number < 32; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) own++;
  }
  printf("%d\n", own);
  tally_close(telemetry, 5000);
}

static void signals(void) {
  tally *telemetry = open_with(NULL, NULL);
  tally_error error = tally_error_none();
  const tally_attribute player[] = {tally_text("player_name", "mine")};
  tally_adapter *adapter = tally_adapter_start(telemetry, NULL, player, 1, &error);
  const tally_attribute opening[] = {tally_text("url", "file:///film.mp4"), tally_truth("playing", true)};
  const tally_attribute opened[] = {tally_integer("duration_ms", 60000), tally_truth("video", true)};
  printf("%d", tally_signal(adapter, 0, "opening", opening, 2));
  printf(" %d", tally_signal(adapter, 0, "opened", opened, 2));
  printf(" %d", tally_signal(adapter, 0, "picture", NULL, 0));
  printf(" %d", tally_signal(adapter, 0, "no-signal", NULL, 0));
  printf(" %d", tally_signal(NULL, 0, "picture", NULL, 0));
  const tally_attribute wrong[] = {tally_text("ms", "250")};
  printf(" %d", tally_signal(adapter, 0, "buffering", NULL, 0));
  printf(" %d", tally_signal(adapter, 0, "position", wrong, 1));
  printf(" %d\n", tally_signal(adapter, 0, "position", wrong, 1));
  tally_track_custom(tally_adapter_run(adapter), "mine");
  tally_adapter_free(adapter, 5000);
  tally_close(telemetry, 5000);
}

int main(int argc, char **argv) {
  if (argc < 5) return 64;
  const char *name = argv[1];
  plugins = argv[2];
  archives = argv[3];
  output = argv[4];
  if (strcmp(name, "texts") == 0) texts();
  else if (strcmp(name, "state") == 0) state();
  else if (strcmp(name, "reports") == 0) reports();
  else if (strcmp(name, "claims") == 0) claims();
  else if (strcmp(name, "errors") == 0) errors();
  else if (strcmp(name, "leave") == 0) leave();
  else if (strcmp(name, "daemonizes") == 0) daemonizes();
  else if (strcmp(name, "forks") == 0) forks();
  else if (strcmp(name, "cycles") == 0) cycles(argc > 5 ? atoi(argv[5]) : 20);
  else if (strcmp(name, "threads") == 0) threads();
  else if (strcmp(name, "copies") == 0) copies(argv[5]);
  else if (strcmp(name, "handlers") == 0) handlers();
  else if (strcmp(name, "signals") == 0) signals();
  else return 64;
  return 0;
}
