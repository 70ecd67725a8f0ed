// Tally's objects in C++17: they end with their owners, and errors are exceptions.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <tally.h>

struct Ending {
  void operator()(tally *telemetry) const { tally_close(telemetry, 5000); }
  void operator()(tally_run *run) const { tally_run_free(run); }
};
using Telemetry = std::unique_ptr<tally, Ending>;
using Run = std::unique_ptr<tally_run, Ending>;

struct TallyError : std::runtime_error {
  explicit TallyError(const tally_error &error) : std::runtime_error(error.message), code(error.code) {}
  const int code;
};

inline Telemetry open_telemetry(const std::string &plugins, const std::string &archive, const std::string &outputs) {
  // Texts are copied by tally_open: they need to live no longer than this call.
  const std::string setting = "plugins.jsonlines.config.path=" + outputs;
  const char *const folders[] = {plugins.c_str()}, *const settings[] = {setting.c_str()};
  tally_error error = tally_error_none();
  tally_options options = tally_options_default();
  options.plugins = "new-relic-video,jsonlines";
  options.plugin_folders = folders;
  options.settings = settings;
  options.plugin_folder_count = options.setting_count = 1;
  options.archive = archive.c_str();
  Telemetry telemetry(tally_open(&options, &error));
  if (!telemetry) throw TallyError(error);
  return telemetry;
}

inline Run start_run(tally *telemetry) {
  tally_error error = tally_error_none();
  Run run(tally_run_start(telemetry, nullptr, &error));
  if (!run) throw TallyError(error);
  return run;
}
