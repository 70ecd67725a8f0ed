// Asks simdjson whether bytes are JSON: the second opinion of ArchiveLineFuzz.
#include <simdjson.h>

#include <cstdint>
#include <cstdlib>

// 0 when the bytes are one JSON value, otherwise simdjson's error code.
extern "C" std::int32_t tally_fuzz_simdjson(const std::uint8_t *bytes, std::size_t count) {
    static simdjson::dom::parser parser;
    const simdjson::padded_string text(reinterpret_cast<const char *>(bytes), count);
    return static_cast<std::int32_t>(parser.parse(text).error());
}

// The code of a number that simdjson cannot hold, among others an integer beyond 64 bits.
extern "C" std::int32_t tally_fuzz_simdjson_number_error() {
    return static_cast<std::int32_t>(simdjson::NUMBER_ERROR);
}
