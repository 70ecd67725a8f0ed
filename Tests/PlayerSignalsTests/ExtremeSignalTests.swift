import EventModel
import PlayerSignals
import Tally
import Testing
import TextEncoding

/// Signals with numbers that no player means: nothing that a player tells may end its process.
struct ExtremeSignalTests {
    private static let values: [PlainValue] = [
        .double(.nan), .double(.infinity), .double(-.infinity), .double(1e300), .int(.max), .int(.min), .int(0),
        .int(-1),
        .int(1 << 53), .int(-(1 << 53)), .int(250), .double(0.5), .bool(true), .string("x"), .null,
    ]
    private static let signals: [String: [String]] = [
        "opening": ["url", "playing"], "redirected": [], "opened": ["duration_ms", "live", "video"],
        "described": ["video_name"], "wanted": ["playing"], "running": ["running"], "buffering": ["percent"],
        "seeking": ["to_ms", "rate"], "seeked": ["at_ms"], "picture": [], "position": ["ms"], "tick": [],
        "format": ["width", "height", "fps"], "bitrate": ["video", "audio"], "variant": ["bitrate"],
        "dropped": ["source", "count", "event"], "rendered": ["count"], "throughput": ["bitrate"], "buffered": ["ms"],
        "setting": ["volume", "rate", "muted", "fullscreen", "player_width", "player_height"],
        "chapter": ["start_ms", "end_ms", "title"], "request": ["url", "status", "bytes", "duration_ms"],
        "failed": ["domain", "code", "http_status"], "ended": ["limited"], "closed": ["cause"],
    ]

    @Test("Any numbers in any order come to track calls", arguments: UInt64(1)...40)
    func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func pick<Element>(_ list: [Element]) -> Element { list[Int(random.next() % UInt64(list.count))] }
        let names = Self.signals.keys.sorted()
        var course = SignalCourse(player: [], at: 0)
        var time: Int64 = 0
        for number in 0..<400 {
            time += pick([0, 1_000_000, 250_000_000, 20_000_000_000])
            // In between what is usual, so that the unusual comes in every state.
            let name =
                number % 40 == 0 ? "opening" : number % 40 == 1 ? "opened" : number % 40 == 2 ? "picture" : pick(names)
            let attributes = (Self.signals[name] ?? []).map { attribute in
                TrackedCall.Attribute(attribute, attribute == "url" ? .string("http://h/f.mp4") : pick(Self.values))
            }
            course.advance(to: time)
            switch NamedSignal(name, attributes).meaning {
            case .signals(let signals): for signal in signals { course.handle(signal, at: time) }
            case .chapter(let chapter): course.handle(.chapters([chapter, chapter]), at: time)
            case .unknown: Issue.record("\(name)")
            }
            for call in course.removeCalls() { #expect(call.timeNs <= time) }
        }
        course.finish(at: time)
        #expect(!course.removeCalls().isEmpty)
    }
}
