package import EventModel
internal import MediaRules

/// A signal as another language tells it: by its name and attributes.
package struct NamedSignal: Sendable {
    private let name: String
    private let attributes: [TrackedCall.Attribute]
    /// What is wrong with it, also where that changes nothing; nil when nothing is or no signal has the name.
    package let fault: SignalFault?

    package init(_ name: String, _ attributes: [TrackedCall.Attribute]) {
        self.name = name
        self.attributes = attributes
        fault = SignalShape.named(name)?.fault(in: attributes)
    }

    /// What became of the name.
    package enum Meaning: Equatable, Sendable {
        /// It is this signal, or these.
        case signals([PlayerSignal])
        /// A chapter, to be told with the others.
        case chapter(SignalledChapter)
        /// It came without an attribute that it must have, or with one of another kind.
        case faulty(SignalFault)
        /// No signal has the name.
        case unknown
    }

    /// The signals that it stands for.
    package var meaning: Meaning {
        if let fault, fault.isGrave { return .faulty(fault) }
        return switch name {
        case "tick": .signals([])
        case "opening":
            one(text("url").map { .opening(url: $0, wantsPlaying: truth("playing")) })
        case "redirected": .signals([.redirected])
        case "opened":
            .signals([
                .opened(OpenedMedia(durationMs: int("duration_ms"), isLive: truth("live"), hasVideo: truth("video")))
            ])
        case "described": .signals([.described(attributes)])
        case "wanted": one(truth("playing").map { .wanted($0) })
        case "running": one(truth("running").map { .running($0) })
        case "buffering": one(int("percent").map { .buffering(percent: Int(clamping: $0)) })
        case "seeking": .signals([.seeking(toMs: int("to_ms"), rate: number("rate"))])
        case "seeked": .signals([.seeked(atMs: int("at_ms"))])
        case "picture": .signals([.picture])
        case "position": .signals([.position(ms: int("ms"))])
        case "format": .signals([.format(format)])
        case "bitrate":
            .signals(
                [
                    int("video").map { PlayerSignal.bitrate($0, .video) },
                    int("audio").map { PlayerSignal.bitrate($0, .audio) },
                ]
                .compactMap { $0 }
            )
        case "variant": one(int("bitrate").map { .variant(bitrate: $0) })
        case "dropped":
            one(
                int("count").map { count in
                    let source = UInt(truncatingIfNeeded: int("source") ?? 0)
                    return .dropped(source: source, count: count, isEvent: truth("event") ?? false)
                }
            )
        case "rendered": one(int("count").map { .rendered($0) })
        case "throughput": one(int("bitrate").map { .throughput($0) })
        case "buffered": one(int("ms").map { .buffered(ms: $0) })
        case "setting": .signals([.setting(setting)])
        case "chapters": .signals([.chapters([])])
        case "chapter":
            int("start_ms").map { start in
                .chapter(SignalledChapter(startMs: start, endMs: int("end_ms"), title: text("title") ?? ""))
            } ?? .signals([])
        case "request": one(request.map { .request($0) })
        case "missing_decoder":
            one(text("media_type").map { .missingDecoder(mediaType: $0, name: text("name") ?? $0) })
        case "failed": .signals([.failed(failure)])
        case "ended": .signals([.ended(isLimited: truth("limited") ?? false)])
        case "closed": .signals([.closed(cause: text("cause"))])
        default: .unknown
        }
    }

    private func one(_ signal: PlayerSignal?) -> Meaning { .signals(signal.map { [$0] } ?? []) }

    // MARK: - Attributes

    private func value(_ name: String) -> PlainValue? { attributes.last { $0.name == name }?.value }

    private func text(_ name: String) -> String? {
        if case .string(let text) = value(name) { text } else { nil }
    }

    private func number(_ name: String) -> Double? {
        switch value(name) {
        case .int(let number): Double(number)
        case .double(let number): number.isFinite ? number : nil
        default: nil
        }
    }

    /// A whole number; one that no player means is none, so that sums and differences of them are numbers.
    private func int(_ name: String) -> Int64? {
        number(name).flatMap { abs($0) <= PlainValue.greatest ? Int64(exactly: $0.rounded()) : nil }
    }

    private func truth(_ name: String) -> Bool? {
        if case .bool(let truth) = value(name) { truth } else { nil }
    }

    private var format: StreamRendition {
        StreamRendition(
            width: int("width").map { Int(clamping: $0) },
            height: int("height").map { Int(clamping: $0) },
            framesPerSecondMilli: number("fps").flatMap { $0 > 0 ? Int64(exactly: ($0 * 1_000).rounded()) : nil }
        )
    }

    private var setting: PlayerSetting {
        var size: ReportedState.Size?
        if let width = int("player_width"), let height = int("player_height"), width > 0, height > 0 {
            size = ReportedState.Size(width: Int32(clamping: width), height: Int32(clamping: height))
        }
        return PlayerSetting(
            volume: number("volume"),
            isMuted: truth("muted"),
            rate: number("rate"),
            isFullscreen: truth("fullscreen"),
            playerSize: size
        )
    }

    private var request: EngineRequest? {
        guard let url = text("url") else { return nil }
        // A number below 100 is no answer of a server but a failure of the connection.
        var request = EngineRequest(url: url, status: int("status").flatMap { $0 >= 100 ? Int(clamping: $0) : nil })
        request.contentLength = int("bytes")
        request.contentType = text("type")
        request.durationMs = int("duration_ms")
        return request
    }

    private var failure: RawEngineError {
        RawEngineError(
            domain: text("domain") ?? "",
            code: int("code").map { Int(clamping: $0) } ?? 0,
            httpStatus: int("http_status").map { Int(clamping: $0) },
            message: text("message") ?? "",
            debug: text("debug") ?? ""
        )
    }
}
