/* A tracker and a reporter in one file that use all of tally_plugin.hpp. What they say is the same as that of
 * everything.rs, and stands in said.txt. */
#include <array>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

#include "tally_plugin.hpp"

namespace {

/* The whole number of a member of flat JSON text. */
std::optional<int64_t> number(std::string_view json, const std::string &member) {
  const size_t at = json.find("\"" + member + "\":");
  if (at == std::string_view::npos) return std::nullopt;
  return std::stoll(std::string(json.substr(at + member.size() + 3)));
}

/* ---- the tracker ---- */

constexpr const char *required[] = {TALLY_EXT_STORE, nullptr};
constexpr const char *store_keys[] = {"visits", nullptr};
constexpr uint32_t wanted_events[] = {
    TALLY_EVENT_TYPE_CUSTOM, TALLY_EVENT_TYPE_PLAYER_ERROR, TALLY_EVENT_TYPE_APPLICATION_ERROR,
    TALLY_EVENT_TYPE_FIRST_UNKNOWN, 0};

class Everything : public tally::Tracker, public tally::Reconfigurable, public tally::CommandHandling {
 public:
  static constexpr tally::About about =
      tally::About{"org.example.everything", "Everything", "Example", "1.0.0",
                   "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"period_ms\":"
                   "{\"type\":\"integer\",\"minimum\":1,\"maximum\":100000,\"default\":1000}}}"}
          .with_build("0-3a4f2c1")
          .with_required(required)
          .with_store_keys(store_keys)
          .with_wanted_events(wanted_events);
  static constexpr const char *commands =
      "[{\"name\":\"mark\",\"summary\":\"Says a record.\",\"changes\":true},"
      "{\"name\":\"refused\",\"summary\":\"Asks for what is refused.\"},"
      "{\"name\":\"break\",\"summary\":\"Fails in an unforeseen way.\"}]";

  void configure(std::string_view config) override { period_us_ = number(config, "period_ms").value_or(1000) * 1000; }

  void enable() override {
    visits_ = std::stoll(std::string(run().stored("visits").value_or("0")));
    const std::string known = run().id + " as " + run().instance + " at " + std::to_string(run().epoch_us) + " by " +
                              std::to_string(run().semantics);
    record("enabled").set("run", known).set("visits", visits_).emit();
  }

  void disable() override {
    log(TALLY_LOG_INFO, "everything is disabled");
    throw tally::Error("disable fails, and nobody asks");
  }

  void reconfigure(std::string_view config, int64_t now_us, const tally_state &now) override {
    const int64_t period_ms = number(config, "period_ms").value_or(1000);
    if (period_ms == 13) throw tally::Error("period_ms must not be 13", TALLY_ERR_CONFIG);
    period_us_ = period_ms * 1000;
    record("configured").set("period_ms", period_ms).set("now_us", now_us).set("playhead_ms", now.playhead_ms).emit();
  }

  std::string command(
      std::string_view name, std::string_view arguments, int64_t now_us, const tally_state &now) override {
    if (name == "mark") {
      record("mark").set("arguments", arguments).set("now_us", now_us).set("playhead_ms", now.playhead_ms).emit();
      return "{}";
    }
    if (name == "refused") {
      const auto status = [](const auto &call) -> int64_t {
        try {
          call();
          return 0;
        } catch (const tally::Error &error) {
          return error.status;
        }
      };
      const int64_t key = status([&] { store("nobody", "knows"); });
      const int64_t kind = status([&] { record("").emit(); });
      const int64_t sent = status([&] { beacon("org.example.api", "POST", "two\nlines").emit(); });
      record("refused").set("key", key).set("kind", kind).set("beacon", sent).emit();
      return "{}";
    }
    if (name == "break") throw std::runtime_error("the command breaks");
    throw tally::Error("there is no command " + std::string(name), TALLY_ERR_NOT_FOUND);
  }

  void session_begin(tally::Event snapshot) override {
    ticks_ = 0;
    start_timer(snapshot.time_us() + period_us_);
    cancelled_ = start_timer(snapshot.time_us() + 1500, TALLY_TIMER_INSTANCE);
    cancel_timer(cancelled_);
    cancel_timer(cancelled_);
    /* Behind the end of the session, in the run that is tried. */
    late_ = start_timer(snapshot.time_us() + 8030000, TALLY_TIMER_INSTANCE);
  }

  void on_event(tally::Event event) override {
    switch (event.type()) {
      case TALLY_EVENT_TYPE_CUSTOM: return echo(event);
      case TALLY_EVENT_TYPE_PLAYER_ERROR: {
        const auto message = event.attributes().find(uint16_t{TALLY_KEY_ERROR_MESSAGE});
        return player_error("E1", message ? message->text().value_or("") : "", event.name());
      }
      case TALLY_EVENT_TYPE_APPLICATION_ERROR:
        throw std::runtime_error("the tracker breaks at event " + std::to_string(event.ordinal()));
      default: record("unknown").set("name", event.name()).emit();
    }
  }

  void on_timer(uint64_t timer, int64_t deadline_us, const tally_state &now) override {
    if (timer == late_) {
      record("late").set("deadline_us", deadline_us).emit();
      return;
    }
    ticks_++;
    record("tick")
        .set("deadline_us", deadline_us)
        .set("playhead_ms", now.playhead_ms)
        .set("cancelled", timer == cancelled_)
        .set("random", static_cast<int64_t>(random() % 1000))
        .emit();
    if (ticks_ == 3) throw tally::Error("three ticks are enough");
    start_timer(deadline_us + period_us_);
  }

  void session_end(uint32_t reason, int64_t, const tally_state &) override {
    store("visits", std::to_string(++visits_));
    beacon("org.example.api", "POST", "https://example.org/?t=")
        .url_patch(TALLY_PATCH_SEND_EPOCH_MS, 13)
        .url("&v=1")
        .header("Content-Type", "text/plain")
        .header("X-Twice", "1")
        .header("X-Twice", "2")
        .body("attempt ")
        .body_patch(TALLY_PATCH_ATTEMPT, 3)
        .body(" of " + std::to_string(reason))
        .credential("secret")
        .carries(last_record_)
        .flags(TALLY_BEACON_GZIP_WANTED | TALLY_BEACON_KEEP_ORDER)
        .max_age_s(60)
        .emit();
    beacon("org.example.api", "GET", "https://example.org/").emit();
  }

 private:
  void echo(tally::Event event) {
    const auto name = event.attributes().find("custom_name");
    if (name && name->text() == "odd") throw tally::Error("a status that is none", 7);
    auto &made = record("echo").set("ordinal", static_cast<int64_t>(event.ordinal()));
    const tally::Attributes attributes = event.attributes();
    for (uint32_t i = 0; i < attributes.size(); i++)
      if (const auto value = attributes[i].value()) made.set(attributes[i].key(), *value);
    last_record_ = made.set("own_null", nullptr)
                       .set("own_bool", true)
                       .set("own_whole", 4.0)
                       .set("own_double", 0.125)
                       .set("own_large", INT64_MAX)
                       .set("own_bytes", tally::Bytes{0, 255})
                       .set("own_list", {1, tally::Value::List{"two", nullptr}, 3.5})
                       .set("own_text", "ü")
                       .personal()
                       .emit();
    log(TALLY_LOG_DEBUG, "an echo");
  }

  int64_t visits_ = 0, period_us_ = 0, ticks_ = 0;
  uint64_t cancelled_ = 0, late_ = 0, last_record_ = 0;
};

/* ---- the reporter ---- */

/* A value as both languages write it. */
std::string shown(const tally::Attribute &attribute) {
  std::string text = "unknown";
  if (attribute.is_null()) text = "null";
  if (const auto truth = attribute.boolean()) text = *truth ? "true" : "false";
  if (const auto real = attribute.number()) {
    std::array<char, 400> digits;
    std::snprintf(digits.data(), digits.size(), "%.3f", *real);
    text = digits.data();
  }
  if (const auto whole = attribute.integer()) text = std::to_string(*whole);
  if (const auto string = attribute.text()) text = "'" + std::string(*string) + "'";
  if (const auto bytes = attribute.bytes()) {
    text.clear();
    for (const uint8_t byte : *bytes) {
      std::array<char, 3> digits;
      std::snprintf(digits.data(), digits.size(), "%02x", byte);
      text += digits.data();
    }
  }
  if (const auto items = attribute.list()) {
    text = "[";
    for (uint32_t i = 0; i < items->size(); i++) text += (i ? " " : "") + shown((*items)[i]);
    text += "]";
  }
  return text + (attribute.is_personal() ? "!" : "");
}

constexpr const char *input[] = {"input", nullptr};
constexpr const char *output[] = {"output", nullptr};

/* Writes a line for each output; another thread says that there is room, and answers flushes. */
class Lines : public tally::Reporter, public tally::Reconfigurable, public tally::CommandHandling {
 public:
  static constexpr tally::About about =
      tally::About{"org.example.lines", "Lines", "Example", "1.0.0",
                   "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"archive\":"
                   "{\"type\":\"integer\",\"minimum\":0,\"maximum\":1,\"default\":0},"
                   "\"events\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":1,\"default\":1},"
                   "\"input\":{\"type\":\"string\"},\"output\":{\"type\":\"string\"}}}",
                   TALLY_CAP_STREAMS | TALLY_CAP_OWN_THREADS}
          .with_read_paths(input)
          .with_written_paths(output);
  static constexpr const char *commands =
      "[{\"name\":\"totals\",\"summary\":\"What was taken.\",\"changes\":false},"
      "{\"name\":\"break\",\"summary\":\"Fails in an unforeseen way.\"}]";

  uint32_t wants() const override {
    return 1u << TALLY_OUTPUT_RECORD | 1u << TALLY_OUTPUT_BEACON | 1u << TALLY_OUTPUT_SESSION_END |
           (wants_lines_ ? 1u << TALLY_OUTPUT_LINE : 0u) | (wants_events_ ? 1u << TALLY_OUTPUT_EVENT : 0u);
  }

  void configure(std::string_view config) override {
    wants_lines_ = number(config, "archive") == 1;
    wants_events_ = number(config, "events") != 0;
  }
  void reconfigure(std::string_view config, int64_t, const tally_state &) override { configure(config); }

  void enable() override {
    is_over_ = false;
    thread_ = std::thread([this] { work(); });
  }

  void disable() override {
    const bool says = status().value_or("").substr(0, 1) == "{";
    log(TALLY_LOG_DEBUG, says ? "the host says what it does" : "the host says nothing");
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
    std::cout.flush();
  }

  std::string command(std::string_view name, std::string_view, int64_t, const tally_state &) override {
    if (name == "break") throw std::runtime_error("the command breaks");
    if (name != "totals") throw tally::Error("there is no command " + std::string(name), TALLY_ERR_NOT_FOUND);
    const bool waits = (host_flags() & TALLY_HOST_WAITS_FOR_ROOM) != 0;
    return "{\"taken\":" + std::to_string(taken_) + ",\"lines\":" + std::to_string(lines_) +
           ",\"waits\":" + std::to_string(waits) + "}";
  }

  bool take(tally::Output output) override {
    if (taken_ == 2 && !was_full_) {
      was_full_ = true;
      hand_on(std::nullopt);
      return false;
    }
    taken_++;
    if (output.what() == TALLY_OUTPUT_LINE) {
      lines_ += output.line().empty() ? 0 : 1;
      return true;
    }
    const tally_origin &origin = output.origin();
    std::ostringstream line;
    line << origin.time_us << ' ' << output.run() << ' ' << origin.session << ' ' << output.video_id() << ' ';
    switch (output.what()) {
      case TALLY_OUTPUT_RECORD: {
        const tally::Attributes attributes = output.record().attributes();
        line << output.instance() << " (" << output.plugin_id() << ' ' << output.plugin_version() << ") "
             << origin.ordinal << ' ' << output.record().kind();
        for (uint32_t i = 0; i < attributes.size(); i++)
          line << "\n  " << attributes[i].key() << '=' << shown(attributes[i]);
        break;
      }
      case TALLY_OUTPUT_EVENT: {
        const tally::Event event = output.event();
        uint32_t known = 0;
        for (uint32_t i = 0; i < event.attributes().size(); i++) known += event.attributes()[i].is_custom() ? 0 : 1;
        line << event.name() << ' ' << std::hex << event.flags() << std::dec << ' ' << event.state().playhead_ms << ' '
             << known;
        break;
      }
      case TALLY_OUTPUT_BEACON: write(line, output.instance(), output.beacon()); break;
      case TALLY_OUTPUT_SESSION_END: line << "session ends"; break;
      case TALLY_OUTPUT_GAP: line << "gap of " << output.gap(); break;
      default: line << "unknown"; break;
    }
    std::cout << line.str() << '\n';
    return true;
  }

  std::optional<tally::Flushed> answer_flush(const tally::FlushRequest &request) override {
    if (!std::cout.flush()) throw tally::Error("standard output takes nothing", TALLY_ERR_IO);
    if (request.taken == 0) return tally::Flushed();
    hand_on(std::pair(request.token, request.taken));
    return std::nullopt;
  }

 private:
  /* The flush to answer, with its token and a number of outputs, or nothing: say that there is room. */
  using Work = std::optional<std::pair<uint64_t, uint64_t>>;

  static void write(std::ostream &line, std::string_view from, const tally::Beacon &beacon) {
    line << from << ' ' << beacon.destination() << ' ' << beacon.method() << ' ' << beacon.url();
    for (const auto &[name, value] : beacon.headers()) line << "\n  " << name << ": " << value;
    line << "\n  " << beacon.body() << " as " << beacon.credential();
    for (const tally_patch &patch : beacon.patches())
      line << "\n  patch " << patch.kind << " in " << (patch.part == TALLY_PART_URL ? "url" : "body") << " at "
           << patch.off << " of " << patch.width;
    line << "\n  carries";
    for (const uint64_t record : beacon.records()) line << ' ' << record;
    line << ", " << std::hex << beacon.flags() << std::dec << ' ' << beacon.max_age_s();
  }

  void hand_on(Work what) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      todo_.push_back(what);
    }
    changed_.notify_one();
  }

  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return is_over_ || !todo_.empty(); });
      if (todo_.empty()) return;
      const Work what = todo_.front();
      todo_.pop_front();
      lock.unlock();
      if (what) flushed(what->first, tally::Flushed{what->second, 0, 0});
      else ready();
      lock.lock();
    }
  }

  int64_t taken_ = 0, lines_ = 0;
  bool wants_lines_ = false, wants_events_ = true, was_full_ = false, is_over_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> todo_;
  std::thread thread_;
};

}  // namespace

TALLY_PLUGINS(Everything, Lines)
