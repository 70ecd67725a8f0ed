import PluginABI
import Testing

/// The values of the macros that are part of the ABI, apart from the vocabulary.
struct MacroTests {
    private static let numbers: [(name: String, value: Int64, expected: Int64)] = [
        // tally_base.h
        ("TALLY_ABI_MAJOR", Int64(TALLY_ABI_MAJOR), 1),
        ("TALLY_ABI_MINOR", Int64(TALLY_ABI_MINOR), 0),
        ("TALLY_OK", Int64(TALLY_OK), 0),
        ("TALLY_ERR_INVALID", Int64(TALLY_ERR_INVALID), -1),
        ("TALLY_ERR_UNSUPPORTED", Int64(TALLY_ERR_UNSUPPORTED), -2),
        ("TALLY_ERR_STATE", Int64(TALLY_ERR_STATE), -3),
        ("TALLY_ERR_CONFIG", Int64(TALLY_ERR_CONFIG), -4),
        ("TALLY_ERR_IO", Int64(TALLY_ERR_IO), -5),
        ("TALLY_ERR_INTERNAL", Int64(TALLY_ERR_INTERNAL), -6),
        ("TALLY_ERR_TOO_LARGE", Int64(TALLY_ERR_TOO_LARGE), -7),
        ("TALLY_ERR_NOT_FOUND", Int64(TALLY_ERR_NOT_FOUND), -8),
        ("TALLY_LOG_DEBUG", Int64(TALLY_LOG_DEBUG), 0),
        ("TALLY_LOG_INFO", Int64(TALLY_LOG_INFO), 1),
        ("TALLY_LOG_WARN", Int64(TALLY_LOG_WARN), 2),
        ("TALLY_LOG_ERROR", Int64(TALLY_LOG_ERROR), 3),
        // tally_block.h
        ("TALLY_T_NULL", Int64(TALLY_T_NULL), 0),
        ("TALLY_T_BOOL", Int64(TALLY_T_BOOL), 1),
        ("TALLY_T_INT", Int64(TALLY_T_INT), 2),
        ("TALLY_T_DOUBLE", Int64(TALLY_T_DOUBLE), 3),
        ("TALLY_T_STRING", Int64(TALLY_T_STRING), 4),
        ("TALLY_T_LIST", Int64(TALLY_T_LIST), 5),
        ("TALLY_T_BYTES", Int64(TALLY_T_BYTES), 6),
        ("TALLY_ATTR_CUSTOM", Int64(TALLY_ATTR_CUSTOM), 1),
        ("TALLY_ATTR_PERSONAL", Int64(TALLY_ATTR_PERSONAL), 2),
        ("TALLY_KNOWN_PLAYHEAD", Int64(TALLY_KNOWN_PLAYHEAD), 0x1),
        ("TALLY_KNOWN_AD_PLAYHEAD", Int64(TALLY_KNOWN_AD_PLAYHEAD), 0x2),
        ("TALLY_KNOWN_LIVE_WALL", Int64(TALLY_KNOWN_LIVE_WALL), 0x4),
        ("TALLY_KNOWN_DURATION", Int64(TALLY_KNOWN_DURATION), 0x8),
        ("TALLY_KNOWN_BITRATE", Int64(TALLY_KNOWN_BITRATE), 0x10),
        ("TALLY_KNOWN_THROUGHPUT", Int64(TALLY_KNOWN_THROUGHPUT), 0x20),
        ("TALLY_KNOWN_DROPPED", Int64(TALLY_KNOWN_DROPPED), 0x40),
        ("TALLY_KNOWN_RENDERED", Int64(TALLY_KNOWN_RENDERED), 0x80),
        ("TALLY_KNOWN_FPS", Int64(TALLY_KNOWN_FPS), 0x100),
        ("TALLY_KNOWN_SIZE", Int64(TALLY_KNOWN_SIZE), 0x200),
        ("TALLY_KNOWN_VOLUME", Int64(TALLY_KNOWN_VOLUME), 0x400),
        ("TALLY_KNOWN_RATE", Int64(TALLY_KNOWN_RATE), 0x800),
        ("TALLY_KNOWN_PLAYER_SIZE", Int64(TALLY_KNOWN_PLAYER_SIZE), 0x1000),
        ("TALLY_KNOWN_MUTED", Int64(TALLY_KNOWN_MUTED), 0x2000),
        ("TALLY_KNOWN_FULLSCREEN", Int64(TALLY_KNOWN_FULLSCREEN), 0x4000),
        ("TALLY_KNOWN_LIVE", Int64(TALLY_KNOWN_LIVE), 0x8000),
        ("TALLY_KNOWN_AUDIO_ONLY", Int64(TALLY_KNOWN_AUDIO_ONLY), 0x1_0000),
        ("TALLY_STATE_IN_SESSION", Int64(TALLY_STATE_IN_SESSION), 0x1),
        ("TALLY_STATE_PLAYING", Int64(TALLY_STATE_PLAYING), 0x2),
        ("TALLY_STATE_PAUSED", Int64(TALLY_STATE_PAUSED), 0x4),
        ("TALLY_STATE_SEEKING", Int64(TALLY_STATE_SEEKING), 0x8),
        ("TALLY_STATE_BUFFERING", Int64(TALLY_STATE_BUFFERING), 0x10),
        ("TALLY_STATE_IN_AD_BREAK", Int64(TALLY_STATE_IN_AD_BREAK), 0x20),
        ("TALLY_STATE_IN_AD", Int64(TALLY_STATE_IN_AD), 0x40),
        ("TALLY_STATE_IN_CHAPTER", Int64(TALLY_STATE_IN_CHAPTER), 0x80),
        ("TALLY_STATE_STARTED", Int64(TALLY_STATE_STARTED), 0x100),
        ("TALLY_STATE_ENDED", Int64(TALLY_STATE_ENDED), 0x200),
        ("TALLY_STATE_INTERRUPTED", Int64(TALLY_STATE_INTERRUPTED), 0x400),
        ("TALLY_STATE_BACKGROUND", Int64(TALLY_STATE_BACKGROUND), 0x800),
        ("TALLY_STATE_MUTED", Int64(TALLY_STATE_MUTED), 0x1_0000),
        ("TALLY_STATE_FULLSCREEN", Int64(TALLY_STATE_FULLSCREEN), 0x2_0000),
        ("TALLY_STATE_LIVE", Int64(TALLY_STATE_LIVE), 0x4_0000),
        ("TALLY_STATE_AUDIO_ONLY", Int64(TALLY_STATE_AUDIO_ONLY), 0x8_0000),
        ("TALLY_EVENT_OUT_OF_ORDER", Int64(TALLY_EVENT_OUT_OF_ORDER), 0x1),
        ("TALLY_EVENT_SYNTHETIC", Int64(TALLY_EVENT_SYNTHETIC), 0x2),
        ("TALLY_EVENT_MOVED", Int64(TALLY_EVENT_MOVED), 0x4),
        ("TALLY_EVENT_GAP_BEFORE", Int64(TALLY_EVENT_GAP_BEFORE), 0x8),
        // tally_output.h
        ("TALLY_PATCH_SEND_EPOCH_MS", Int64(TALLY_PATCH_SEND_EPOCH_MS), 1),
        ("TALLY_PATCH_SEND_EPOCH_S", Int64(TALLY_PATCH_SEND_EPOCH_S), 2),
        ("TALLY_PATCH_ATTEMPT", Int64(TALLY_PATCH_ATTEMPT), 3),
        ("TALLY_PART_URL", Int64(TALLY_PART_URL), 1),
        ("TALLY_PART_BODY", Int64(TALLY_PART_BODY), 2),
        ("TALLY_BEACON_GZIP_WANTED", Int64(TALLY_BEACON_GZIP_WANTED), 0x1),
        ("TALLY_BEACON_DROP_IF_OFFLINE", Int64(TALLY_BEACON_DROP_IF_OFFLINE), 0x2),
        ("TALLY_BEACON_NO_RETRY", Int64(TALLY_BEACON_NO_RETRY), 0x4),
        ("TALLY_BEACON_KEEP_ORDER", Int64(TALLY_BEACON_KEEP_ORDER), 0x8),
        // tally_plugin.h
        ("TALLY_KIND_TRACKER", Int64(TALLY_KIND_TRACKER), 0x1),
        ("TALLY_KIND_REPORTER", Int64(TALLY_KIND_REPORTER), 0x2),
        ("TALLY_CAP_DETERMINISTIC", Int64(TALLY_CAP_DETERMINISTIC), 0x1),
        ("TALLY_CAP_OWN_THREADS", Int64(TALLY_CAP_OWN_THREADS), 0x2),
        ("TALLY_CAP_NETWORK", Int64(TALLY_CAP_NETWORK), 0x4),
        ("TALLY_CAP_HANDLES_CONSENT", Int64(TALLY_CAP_HANDLES_CONSENT), 0x8),
        ("TALLY_CAP_SPILLS", Int64(TALLY_CAP_SPILLS), 0x10),
        ("TALLY_CAP_LISTENS", Int64(TALLY_CAP_LISTENS), 0x20),
        ("TALLY_CAP_SHARES_STATE", Int64(TALLY_CAP_SHARES_STATE), 0x40),
        ("TALLY_CAP_STREAMS", Int64(TALLY_CAP_STREAMS), 0x80),
        // tally_tracker.h
        ("TALLY_END_UNLOAD", Int64(TALLY_END_UNLOAD), 1),
        ("TALLY_END_DISABLE", Int64(TALLY_END_DISABLE), 2),
        ("TALLY_END_REPLACE", Int64(TALLY_END_REPLACE), 3),
        ("TALLY_END_SHUTDOWN", Int64(TALLY_END_SHUTDOWN), 4),
        ("TALLY_TIMER_SESSION", Int64(TALLY_TIMER_SESSION), 1),
        ("TALLY_TIMER_INSTANCE", Int64(TALLY_TIMER_INSTANCE), 2),
        // tally_reporter.h
        ("TALLY_OUTPUT_EVENT", Int64(TALLY_OUTPUT_EVENT), 1),
        ("TALLY_OUTPUT_RECORD", Int64(TALLY_OUTPUT_RECORD), 2),
        ("TALLY_OUTPUT_BEACON", Int64(TALLY_OUTPUT_BEACON), 3),
        ("TALLY_OUTPUT_SESSION_BEGIN", Int64(TALLY_OUTPUT_SESSION_BEGIN), 4),
        ("TALLY_OUTPUT_SESSION_END", Int64(TALLY_OUTPUT_SESSION_END), 5),
        ("TALLY_OUTPUT_RUN_BEGIN", Int64(TALLY_OUTPUT_RUN_BEGIN), 6),
        ("TALLY_OUTPUT_RUN_END", Int64(TALLY_OUTPUT_RUN_END), 7),
        ("TALLY_OUTPUT_GAP", Int64(TALLY_OUTPUT_GAP), 8),
        ("TALLY_OUTPUT_LINE", Int64(TALLY_OUTPUT_LINE), 9),
        ("TALLY_WANTS_RECOVERED", Int64(TALLY_WANTS_RECOVERED), 0x8000_0000),
        ("TALLY_HOST_WAITS_FOR_ROOM", Int64(TALLY_HOST_WAITS_FOR_ROOM), 1),
        ("TALLY_HOST_GOES_ON", Int64(TALLY_HOST_GOES_ON), 2),
    ]

    private static let texts: [(name: String, value: String, expected: String)] = [
        ("TALLY_EXT_TRACKER", TALLY_EXT_TRACKER, "tally.tracker/1"),
        ("TALLY_EXT_EMIT", TALLY_EXT_EMIT, "tally.emit/1"),
        ("TALLY_EXT_TIMER", TALLY_EXT_TIMER, "tally.timer/1"),
        ("TALLY_EXT_RANDOM", TALLY_EXT_RANDOM, "tally.random/1"),
        ("TALLY_EXT_STORE", TALLY_EXT_STORE, "tally.store/1"),
        ("TALLY_EXT_REPORTER", TALLY_EXT_REPORTER, "tally.reporter/1"),
        ("TALLY_EXT_HOST_REPORTER", TALLY_EXT_HOST_REPORTER, "tally.host-reporter/1"),
        ("TALLY_EXT_STATUS", TALLY_EXT_STATUS, "tally.status/1"),
        ("TALLY_EXT_CONFIGURE", TALLY_EXT_CONFIGURE, "tally.configure/1"),
        ("TALLY_EXT_COMMAND", TALLY_EXT_COMMAND, "tally.command/1"),
    ]

    @Test("A number has the value that it was released with", arguments: numbers)
    func number(name: String, value: Int64, expected: Int64) {
        #expect(value == expected)
    }

    @Test("An extension has the id that it was released with", arguments: texts)
    func text(name: String, value: String, expected: String) {
        #expect(value == expected)
    }

    @Test("A number is a literal without a cast, which every binding generator takes")
    func literals() throws {
        for header in try Header.all {
            for definition in header.definitions where header.valueMacros.contains(definition[1]) {
                let value = definition[2].drop { $0 == "(" || $0 == "-" || $0 == "\"" }
                #expect(value.first?.isNumber == true || definition[2].hasPrefix("\""), "\(definition[1])")
            }
        }
    }

    @Test("Every macro of the headers that has a value is listed here")
    func complete() throws {
        let headers = try Header.all.filter { $0.name != "tally_vocabulary.h" }
        let defined = headers.flatMap(\.valueMacros).sorted()
        #expect(!defined.isEmpty)
        #expect(defined == (Self.numbers.map(\.name) + Self.texts.map(\.name)).sorted())
    }
}
