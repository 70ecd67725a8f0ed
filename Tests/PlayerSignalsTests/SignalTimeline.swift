import EventModel
import MediaRules
import PlayerSignals
import Tally

/// A course of signals as a test writes it down, and the calls that it comes to, a line each.
struct SignalTimeline {
    private var course = SignalCourse(player: [.init("player_name", .string("p"))], at: 0)
    /// The calls but those that begin a run, as `time event attributes`; playhead samples are left out unless asked for.
    private(set) var lines: [String] = []
    private(set) var calls: [SignalledCall] = []
    private let showsSamples: Bool

    init(showsSamples: Bool = false) {
        self.showsSamples = showsSamples
        _ = course.removeCalls()
    }

    /// Tells signals at a time, ms.
    mutating func at(_ milliseconds: Int64, _ signals: PlayerSignal...) {
        course.advance(to: milliseconds * 1_000_000)
        for signal in signals { course.handle(signal, at: milliseconds * 1_000_000) }
        note()
    }

    /// Looks at the playhead each 250 ms of a stretch, while it moves on from a place at a rate.
    mutating func play(from start: Int64, to end: Int64, playhead: Int64, rate: Double = 1) {
        for time in stride(from: start, through: end, by: 250) {
            at(time, .position(ms: playhead + Int64(Double(time - start) * rate)))
        }
    }

    mutating func finish(_ milliseconds: Int64) {
        course.finish(at: milliseconds * 1_000_000)
        note()
    }

    private mutating func note() {
        for call in course.removeCalls() {
            calls.append(call)
            if case .event(.playheadSample, _) = call.call, !showsSamples { continue }
            if case .event(.qualitySample, _) = call.call, !showsSamples { continue }
            lines.append("\(call.timeNs / 1_000_000) \(call.call.text)")
        }
    }

    /// The state that the last call of an event had.
    func known(at event: EventType) -> SignalledCall.Known? {
        calls.last { if case .event(event, _) = $0.call { true } else { false } }?.known
    }
}

/// Players as most tests begin with.
extension SignalTimeline {
    static let url = "http://host/films/film.mp4?token=1"
    static let loaded = ["0 video_load", "0 play"]

    /// A player like mpv: it tells wishes, and nothing of its clock.
    static func wishing(showsSamples: Bool = false, durationMs: Int64 = 20_000) -> SignalTimeline {
        var line = SignalTimeline(showsSamples: showsSamples)
        line.at(0, .opening(url: url, wantsPlaying: true))
        line.at(40, .opened(OpenedMedia(durationMs: durationMs, isLive: false, hasVideo: true)))
        line.at(100, .format(StreamRendition(width: 640, height: 360, framesPerSecondMilli: 25_000)), .picture)
        return line
    }

    /// A player like GStreamer: its clock halts by wishes and by waits.
    static func clocked(showsSamples: Bool = false) -> SignalTimeline {
        var line = SignalTimeline(showsSamples: showsSamples)
        line.at(0, .opening(url: url, wantsPlaying: true), .running(false))
        line.at(100, .format(StreamRendition(width: 640, height: 360)), .picture)
        line.at(100, .opened(OpenedMedia(durationMs: 20_000, isLive: false, hasVideo: true)), .running(true))
        return line
    }

    static let started =
        loaded + [
            "100 metadata_change", "100 rendition_change visible 640x360 - -", "100 first_frame",
        ]
}

extension SignalledCall.Call {
    /// The call in a few words.
    fileprivate var text: String {
        switch self {
        case .event(let type, let attributes):
            ([EventTypeNames.name(of: type)?.string ?? "?"] + attributes.map { "\($0.name)=\($0.value.text)" })
                .joined(separator: " ")
        case .renditionChange(let change):
            "rendition_change \(change.phase.rawValue) \(change.width ?? 0)x\(change.height ?? 0)"
                + " \(change.bitrate.map(String.init) ?? "-") \(change.shift?.rawValue ?? "-")"
        case .requestCompleted(let request): "request_completed \(request.type ?? "-") \(request.status ?? 0)"
        case .requestFailed(let request, let details):
            "request_failed \(request.type ?? "-") \(request.status ?? 0) \(details.message ?? "")"
        case .playerError(let id, let details):
            "player_error \(id) \(details.domain ?? "-") \(details.code ?? 0)\(details.fatal == true ? " fatal" : "")"
        }
    }
}

extension PlainValue {
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .int(let number): "\(number)"
        default: "\(self)"
        }
    }
}
