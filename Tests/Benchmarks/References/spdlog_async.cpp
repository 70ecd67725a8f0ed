// What a call of spdlog's asynchronous logger costs its caller, paced as `tally-bench track-call` paces its calls.
//
// usage: spdlog_async one-string|20-values [THREADS [CALLS]]
// The logger has its usual thread and a queue of 8,192, and its sink does nothing: as a run without trackers. Prints
// `name value unit`.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <spdlog/async.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

namespace {

constexpr int burst = 2000;
const std::string text = "checkout button pressed in the player overlay";

double now() {
  using namespace std::chrono;
  return static_cast<double>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

void drain() { usleep(3000); }

void call(spdlog::logger &logger, bool many) {
  if (!many) {
    logger.info("custom {}", text);
    return;
  }
  logger.info(
      "custom {} campaign={} experiment={} content_type={} series={} device_model={} os_version={} network_type={} "
      "country={} subtitle_language={} season={} episode={} position={} row={} column={} price_cents={} quantity={} "
      "retries={} latency_ms={} build={}",
      text, "spring-2025-launch", "player-overlay-variant-b", "episode", "The reference series", "living-room-box-4k",
      "12.4.1", "ethernet", "NO", "nb-NO", 4, 11, 3, 7, 2, 499, 1, 0, 182, 20250615);
}

double median(std::vector<double> &values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void one_thread(spdlog::logger &logger, const std::string &name, bool many, int bursts) {
  std::vector<double> nanoseconds;
  for (int number = 0; number < bursts + 10; number++) {
    drain();
    double begin = now();
    for (int i = 0; i < burst; i++) call(logger, many);
    double end = now();
    if (number >= 10) nanoseconds.push_back((end - begin) / burst);
  }
  std::printf("spdlog/%s %.3f ns/call calls=%d\n", name.c_str(), median(nanoseconds), bursts * burst);
}

void many_threads(spdlog::logger &logger, const std::string &name, bool many, int threads, int bursts) {
  pthread_barrier_t gate;
  pthread_barrier_init(&gate, nullptr, static_cast<unsigned>(threads));
  std::vector<std::vector<double>> times(static_cast<std::size_t>(threads));
  std::vector<std::thread> callers;
  for (int caller = 0; caller < threads; caller++) {
    callers.emplace_back([&, caller] {
      auto &mine = times[static_cast<std::size_t>(caller)];
      mine.reserve(static_cast<std::size_t>(bursts * burst / threads));
      for (int number = 0; number < bursts; number++) {
        if (caller == 0) drain();
        pthread_barrier_wait(&gate);
        double last = now();
        for (int i = 0; i < burst / threads; i++) {
          call(logger, many);
          double end = now();
          mine.push_back(end - last);
          last = end;
        }
        pthread_barrier_wait(&gate);
      }
    });
  }
  for (auto &caller : callers) caller.join();
  std::vector<double> all;
  for (auto &mine : times) all.insert(all.end(), mine.begin(), mine.end());
  double middle = median(all);
  auto late = all[std::min(all.size() - 1, static_cast<std::size_t>(static_cast<double>(all.size()) * 0.999))];
  auto prefix = "spdlog/" + name + "/" + std::to_string(threads) + "-threads";
  std::printf("%s/p50 %.3f ns/call\n", prefix.c_str(), middle);
  std::printf("%s/p99.9 %.3f ns/call\n", prefix.c_str(), late);
  std::printf("%s/max %.3f ns/call\n", prefix.c_str(), all.back());
}

}  // namespace

int main(int count, char **arguments) {
  std::string name = count > 1 ? arguments[1] : "one-string";
  int threads = count > 2 ? std::atoi(arguments[2]) : 1;
  int calls = count > 3 ? std::atoi(arguments[3]) : 200000;
  if (name != "one-string" && name != "20-values") {
    std::fprintf(stderr, "spdlog_async: '%s' is neither one-string nor 20-values\n", name.c_str());
    return 64;
  }
  spdlog::init_thread_pool(8192, 1);
  auto logger = std::make_shared<spdlog::async_logger>(
      "bench", std::make_shared<spdlog::sinks::null_sink_mt>(), spdlog::thread_pool(),
      spdlog::async_overflow_policy::block);
  int bursts = std::max(2, calls / burst);
  bool many = name == "20-values";
  if (threads <= 1) {
    one_thread(*logger, name, many, bursts);
  } else {
    many_threads(*logger, name, many, threads, bursts);
  }
  logger.reset();
  spdlog::shutdown();
  return 0;
}
