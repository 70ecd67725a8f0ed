/* @NAME@: measures how long the viewer waits for data, and counts pauses. */
#include "tally_plugin.hpp"

namespace {

class @TYPE@ : public tally::Tracker {
 public:
  static constexpr tally::About about{"@ID@", "@NAME@", "@VENDOR@", "0.1.0"};

  void session_begin(tally::Event) override {
    video_.clear();
    pauses_ = waits_ = waited_us_ = 0;
    waiting_since_us_.reset();
  }

  /* Ignores what it does not know: a newer host may say more. */
  void on_event(tally::Event event) override {
    switch (event.type()) {
      case TALLY_EVENT_TYPE_VIDEO_LOAD:
        if (auto name = event.attributes().find(uint16_t{TALLY_KEY_VIDEO_NAME})) video_ = name->text().value_or("");
        break;
      case TALLY_EVENT_TYPE_PAUSE: pauses_++; break;
      case TALLY_EVENT_TYPE_BUFFER_START:
        if (!waiting_since_us_) waiting_since_us_ = event.time_us();
        break;
      case TALLY_EVENT_TYPE_BUFFER_COMPLETE: finish_wait(event.time_us(), event.state()); break;
      default: break;
    }
  }

  void session_end(uint32_t, int64_t now_us, const tally_state &now) override {
    finish_wait(now_us, now);
    record("summary")
        .set("video", video_)
        .set("pauses", pauses_)
        .set("waits", waits_)
        .set("waited_ms", waited_us_ / 1000)
        .emit();
  }

 private:
  void finish_wait(int64_t now_us, const tally_state &now) {
    if (!waiting_since_us_) return;
    const int64_t waited_us = now_us - *waiting_since_us_;
    waiting_since_us_.reset();
    waits_++;
    waited_us_ += waited_us;
    auto &wait = record("wait").set("waited_ms", waited_us / 1000);
    if (now.known & TALLY_KNOWN_PLAYHEAD) wait.set("playhead_ms", now.playhead_ms);
    wait.emit();
  }

  std::string video_;
  int64_t pauses_ = 0, waits_ = 0, waited_us_ = 0;
  std::optional<int64_t> waiting_since_us_;
};

}  // namespace

TALLY_PLUGIN(@TYPE@)
