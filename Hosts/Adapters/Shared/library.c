#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The library beside a file, or in a folder that is told from there. */
static void *load_beside(const char *file, const char *name) {
  const char *slash = strrchr(file, '/');
  if (!slash) return NULL;
  char path[4096];
  int length = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - file), file, name);
  if (length < 0 || (size_t)length >= sizeof path || !adapter_can_read(path)) return NULL;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *load(const char *path, const void *near) {
  if (path) return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  Dl_info own;
  if (dladdr(near, &own) && own.dli_fname) {
    /* A build folder has it without a number, a package's tree above its players' folders. */
    static const char *const places[] = {"libtally.so.1", "libtally.so", "../libtally.so.1"};
    char *real = realpath(own.dli_fname, NULL);
    void *beside = NULL;
    for (size_t index = 0; index < sizeof places / sizeof places[0] && !beside; index++) {
      beside = load_beside(real ? real : own.dli_fname, places[index]);
    }
    free(real);
    if (beside) return beside;
  }
  return dlopen("libtally.so.1", RTLD_NOW | RTLD_LOCAL);
}

static bool find_functions(adapter_functions *call, void *handle, char *problem, size_t size) {
#define ADAPTER_FIND(function)                                                                                \
  call->function = (__typeof__(&function))(uintptr_t)dlsym(handle, #function);                                \
  if (!call->function) {                                                                                      \
    snprintf(problem, size, "libtally has no " #function ": it is older than this adapter; update libtally"); \
    return false;                                                                                             \
  }
  ADAPTER_FUNCTIONS(ADAPTER_FIND)
#undef ADAPTER_FIND
  if (call->tally_library_abi() == TALLY_LIBRARY_ABI) return true;
  snprintf(problem, size, "libtally %s has the interface %u, this adapter needs %d: install those of one version",
           call->tally_version(), call->tally_library_abi(), TALLY_LIBRARY_ABI);
  return false;
}

bool adapter_library_open(adapter_library *library, const adapter_settings *settings, const char *program,
                          const char *claim, const void *near, char *problem, size_t size) {
  void *handle = load(settings->library, near);
  if (!handle) {
    const char *reason = dlerror();
    snprintf(problem, size, "libtally cannot be loaded: %s; install libtally, or name its file by the setting library",
             reason ? reason : "it was not found");
    return false;
  }
  /* It stays loaded for ever, as its threads may. */
  if (!find_functions(&library->call, handle, problem, size)) return false;
  tally_options options = tally_options_default();
  const char *folders[] = {settings->plugin_folder};
  options.configuration = settings->config;
  options.plugins = settings->plugins;
  options.plugin_folders = folders;
  options.plugin_folder_count = settings->plugin_folder ? 1 : 0;
  options.settings = (const char *const *)settings->set;
  options.setting_count = settings->set_count;
  options.archive = settings->archive;
  options.store = settings->store;
  options.control = settings->control;
  options.program = program;
  options.claim = claim;
  tally_error error = tally_error_none();
  library->telemetry = library->call.tally_open(&options, &error);
  if (library->telemetry) return true;
  snprintf(problem, size, "%s", error.message);
  return false;
}
