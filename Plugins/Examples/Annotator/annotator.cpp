/* A tracker in C++ that puts what happened into words: a record `note` for each thing that a person who looks at a
 * session would want to know, with a sentence in `text`.
 *
 *   { plugin: "annotator", config: { "language": "de" } }
 */
#include <array>
#include <cstdio>

#include "tally_plugin.hpp"

namespace {

/* The sentences, in the order of `Note`. Each takes a number. */
enum Note { started, paused, resumed, waited, sought, ad_shown, ad_skipped, failed, ended };
using Sentences = std::array<const char *, 9>;

constexpr Sentences english{
    "The first frame came after %.1f s.", "The viewer paused at %.0f s.",        "The viewer went on after %.1f s.",
    "Playback waited %.1f s for data.",   "The viewer went to %.0f s.",          "An ad ran for %.1f s.",
    "An ad was skipped after %.1f s.",    "The player met an error at %.0f s.", "The video was over at %.0f s."};
constexpr Sentences german{
    "Das erste Bild kam nach %.1f s.",     "Pause bei %.0f s.",                 "Weiter nach %.1f s.",
    "Die Wiedergabe stockte %.1f s.",      "Sprung zu %.0f s.",                 "Eine Anzeige lief %.1f s.",
    "Anzeige nach %.1f s übersprungen.",   "Fehler des Players bei %.0f s.",    "Das Video war bei %.0f s zu Ende."};

/* Seconds between two times of the run. */
double seconds(int64_t from_us, int64_t to_us) { return static_cast<double>(to_us - from_us) / 1e6; }

class Annotator : public tally::Tracker {
 public:
  static constexpr tally::About about{
      "org.tally.example.annotator", "Annotator", "Tally", "1.0.0",
      "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"language\":{\"type\":\"string\","
      "\"enum\":[\"en\",\"de\"],\"default\":\"en\",\"description\":\"Of the sentences.\"}}}"};

  /* The host has held it against the schema: there is one key, which has one of two values. */
  void configure(std::string_view config) override {
    if (config.find("\"de\"") != std::string_view::npos) sentences_ = &german;
  }

  void session_begin(tally::Event snapshot) override {
    since_us_ = snapshot.time_us();
    pause_us_ = wait_us_ = ad_us_ = 0;
    has_frame_ = false;
  }

  void on_event(tally::Event event) override {
    const int64_t now = event.time_us();
    const tally_state state = event.state();
    const double playhead = static_cast<double>(state.playhead_ms) / 1e3;
    switch (event.type()) {
      case TALLY_EVENT_TYPE_PLAY:
        if (pause_us_) note(resumed, seconds(pause_us_, now));
        else since_us_ = now;
        pause_us_ = 0;
        break;
      case TALLY_EVENT_TYPE_FIRST_FRAME:
        has_frame_ = true;
        note(started, seconds(since_us_, now));
        break;
      case TALLY_EVENT_TYPE_PAUSE:
        pause_us_ = now;
        note(paused, playhead);
        break;
      case TALLY_EVENT_TYPE_BUFFER_START: wait_us_ = now; break;
      case TALLY_EVENT_TYPE_BUFFER_COMPLETE:
        /* Waiting for the first frame is part of starting. */
        if (wait_us_ && has_frame_) note(waited, seconds(wait_us_, now));
        wait_us_ = 0;
        break;
      case TALLY_EVENT_TYPE_SEEK_COMPLETE: note(sought, playhead); break;
      case TALLY_EVENT_TYPE_AD_START: ad_us_ = now; break;
      case TALLY_EVENT_TYPE_AD_COMPLETE: note(ad_shown, seconds(ad_us_, now)); break;
      case TALLY_EVENT_TYPE_AD_SKIP: note(ad_skipped, seconds(ad_us_, now)); break;
      case TALLY_EVENT_TYPE_PLAYER_ERROR: {
        const auto message = event.attributes().find("error_message");
        note(failed, playhead, message ? message->text().value_or("") : "");
        break;
      }
      case TALLY_EVENT_TYPE_COMPLETE: note(ended, playhead); break;
      default: break;
    }
  }

 private:
  void note(Note what, double number, std::string_view detail = {}) {
    std::array<char, 128> text;
    std::snprintf(text.data(), text.size(), (*sentences_)[what], number);
    auto &made = record("note").set("text", text.data());
    if (!detail.empty()) made.set("detail", detail);
    made.emit();
  }

  const Sentences *sentences_ = &english;
  int64_t since_us_ = 0, pause_us_ = 0, wait_us_ = 0, ad_us_ = 0;
  bool has_frame_ = false;
};

}  // namespace

TALLY_PLUGIN(Annotator)
