// How fast simdjson parses an archive that is in memory: its DOM interface, one document a line, on one thread.
//
// usage: simdjson_parse FILE
// Prints `name value unit`. The rate is per second of processor time, as that of `tally-bench replay`.
#include <cstdio>
#include <ctime>

#include <simdjson.h>

int main(int count, char **arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: simdjson_parse FILE\n");
    return 64;
  }
  simdjson::padded_string bytes;
  if (auto error = simdjson::padded_string::load(arguments[1]).get(bytes)) {
    std::fprintf(stderr, "simdjson_parse: %s: %s\n", arguments[1], simdjson::error_message(error));
    return 66;
  }
  simdjson::dom::parser parser;
#ifdef SIMDJSON_THREADS_ENABLED
  parser.threaded = false;
#endif
  timespec begin{}, end{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  simdjson::dom::document_stream documents;
  if (auto error = parser.parse_many(bytes).get(documents)) {
    std::fprintf(stderr, "simdjson_parse: %s\n", simdjson::error_message(error));
    return 70;
  }
  std::size_t lines = 0, objects = 0;
  for (auto document : documents) {
    simdjson::dom::element element;
    if (auto error = document.get(element)) {
      std::fprintf(stderr, "simdjson_parse: line %zu: %s\n", lines + 1, simdjson::error_message(error));
      return 70;
    }
    lines++;
    objects += element.is_object();
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  double seconds = static_cast<double>(end.tv_sec - begin.tv_sec) + static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9;
  std::printf(
      "simdjson/bytes %.1f MB/s lines=%zu objects=%zu code=%s\n", static_cast<double>(bytes.size()) / 1e6 / seconds,
      lines, objects, simdjson::get_active_implementation()->name().c_str());
  return 0;
}
