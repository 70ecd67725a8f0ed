/* @NAME@: writes a line to standard output for each record that a tracker made. */
#include <iostream>

#include "tally_plugin.hpp"

namespace {

class @TYPE@ : public tally::Reporter {
 public:
  static constexpr tally::About about{
      "@ID@", "@NAME@", "@VENDOR@", "0.1.0", "{\"type\":\"object\",\"additionalProperties\":false}", TALLY_CAP_STREAMS};

  uint32_t wants() const override { return 1u << TALLY_OUTPUT_RECORD; }

  bool take(tally::Output output) override {
    std::cout << output.origin().time_us / 1000 << ' ' << output.run() << ' ' << output.origin().session << ' '
              << output.instance() << ' ' << output.record().kind() << '\n';
    return true;
  }

  void flush() override {
    if (!std::cout.flush()) throw tally::Error("standard output takes nothing", TALLY_ERR_IO);
  }
};

}  // namespace

TALLY_PLUGIN(@TYPE@)
