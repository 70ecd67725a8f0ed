import EventModel
import MediaRules
import PlayerSignals
import Testing

/// Signals by their names.
struct NamedSignalTests {
    @Test("Each name of the interface is known, and no other")
    func names() {
        let names = [
            "opening", "redirected", "opened", "described", "wanted", "running", "buffering", "seeking", "seeked",
            "picture", "position", "tick", "format", "bitrate", "variant", "dropped", "rendered", "throughput",
            "buffered", "setting", "chapters", "chapter", "request", "missing_decoder", "failed", "ended", "closed",
        ]
        for name in names { #expect(NamedSignal(name, []).meaning != .unknown, "\(name)") }
        #expect(NamedSignal("open", []).meaning == .unknown)
    }

    @Test("Attributes become what signals say, and what is missing or of another kind says nothing")
    func attributes() {
        #expect(
            NamedSignal("opening", [.init("url", .string("u")), .init("playing", .bool(false))]).meaning
                == .signals([.opening(url: "u", wantsPlaying: false)])
        )
        #expect(NamedSignal("opening", [.init("url", .int(1))]).meaning == .signals([]))
        #expect(
            NamedSignal(
                "format",
                [.init("width", .int(2)), .init("height", .double(3)), .init("fps", .double(23.976))]
            )
            .meaning
                == .signals([.format(StreamRendition(width: 2, height: 3, framesPerSecondMilli: 23_976))])
        )
        #expect(
            NamedSignal("seeking", [.init("to_ms", .double(1.4)), .init("rate", .int(2))]).meaning
                == .signals([.seeking(toMs: 1, rate: 2)])
        )
        #expect(NamedSignal("buffering", [.init("percent", .double(.nan))]).meaning == .signals([]))
        #expect(
            NamedSignal("bitrate", [.init("audio", .int(5))]).meaning == .signals([.bitrate(5, .audio)])
        )
        #expect(NamedSignal("closed", [.init("cause", .string("quit"))]).meaning == .signals([.closed(cause: "quit")]))
        #expect(
            NamedSignal("request", [.init("url", .string("u")), .init("status", .int(4))]).meaning
                == .signals([.request(EngineRequest(url: "u", status: nil))])
        )
    }
}
