// A player without a picture, in C++17.
//
//   player PLUGIN-FOLDER ARCHIVE-FOLDER OUTPUTS-FILE

#include "telemetry.hpp"
#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

using namespace std::literals;
using std::chrono::milliseconds;

class Player {
public:
  explicit Player(tally *telemetry) : run_(start_run(telemetry)) {}

  void load(const std::vector<tally_attribute> &video, milliseconds duration) {
    tally_run_set_info(run_.get(), TALLY_SUBJECT_VIDEO, video.data(), video.size());
    duration_ = duration;
    stand_at(0ms);
    tally_track_load(run_.get());
    tally_track_play(run_.get());
    wait("initial");
    tally_track_first_frame(run_.get());
  }

  // Samples are told only while playback goes on: a playhead that stands needs none.
  void play_until(milliseconds end) {
    while (position_ < std::min(end, duration_)) {
      std::this_thread::sleep_for(250ms);
      tally_track_playhead(run_.get(), (position_ += 250ms).count());
    }
  }

  void pause() { tally_track_pause(run_.get()); }
  void resume() { tally_track_play(run_.get()); }

  void seek(milliseconds target) {
    tally_track_seek(run_.get(), position_.count(), target.count());
    stand_at(target);
    tally_track_seeked(run_.get());
  }

  void wait(const char *cause) {
    tally_track_buffering(run_.get(), cause);
    std::this_thread::sleep_for(500ms);
    tally_track_buffered(run_.get());
  }

  // Played to its end it is complete; left before, it is only unloaded.
  void unload() {
    if (position_ >= duration_) tally_track_complete(run_.get());
    tally_track_unload(run_.get());
  }

private:
  // The next track call says where to.
  void stand_at(milliseconds place) {
    tally_player_state state = tally_player_state_unknown();
    state.known = TALLY_HAS_PLAYHEAD | TALLY_HAS_DURATION;
    state.playhead_ms = (position_ = place).count();
    state.duration_ms = duration_.count();
    tally_run_set_state(run_.get(), &state);
  }

  Run run_;
  milliseconds position_{0}, duration_{0};
};

int main(int count, char **arguments) try {
  if (count != 4) return TALLY_ERROR_ARGUMENT;
  const Telemetry telemetry = open_telemetry(arguments[1], arguments[2] + "/"s, arguments[3]);
  {
    Player player(telemetry.get());
    player.load({tally_text("video_id", "film-1"), tally_text("video_name", "A film"), tally_text("stream_type", "vod"),
                 tally_text("player_name", "Example")},
                6s);
    player.play_until(1s);
    player.pause();
    std::this_thread::sleep_for(300ms);
    player.resume();
    player.play_until(1500ms);
    player.seek(5s);
    player.play_until(5500ms);
    player.wait("stall");
    player.play_until(6s);
    player.unload();
  }
  // The run is over now, so that the report of its last session is there.
  for (tally_report report = tally_report_empty(); tally_next_report(telemetry.get(), &report);)
    if (report.kind == TALLY_REPORT_SESSION)
      std::cout << "session " << report.session << ": delivered " << report.delivered << ", lost " << report.dropped
                << "\n";
    else if (report.message) std::cerr << "player: " << report.message << "\n";
} catch (const TallyError &error) {
  std::cerr << "player: " << error.what() << "\n";
  return error.code;
}
