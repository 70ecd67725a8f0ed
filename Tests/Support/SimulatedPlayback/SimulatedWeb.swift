package import Chapters
package import MediaRules
package import PlaybackEngine
internal import Synchronization

/// What can be opened in a simulation, by its address: media and documents; and what was asked for.
package final class SimulatedWeb: Sendable {
    /// What a server says.
    package struct Answer: Sendable {
        /// The status.
        package var status = 200
        /// When the answer comes.
        package var latencyMs: Int64 = 0
        /// The document.
        package var body: [UInt8] = []

        /// An answer without a fault.
        package init(_ text: String = "", status: Int = 200, latencyMs: Int64 = 0) {
            self.status = status
            self.latencyMs = latencyMs
            body = Array(text.utf8)
        }
    }

    private struct State: Sendable {
        var answers: [String: [Answer]] = [:]
        var media: [String: [SimulatedMedia]] = [:]
        var requests: [String] = []
        var headers: [[RequestHeader]] = []
    }

    private let state = Mutex(State())

    /// Nothing is there.
    package init() {}

    /// The documents that were asked for, in order, with their queries.
    package var requests: [String] { state.withLock { $0.requests } }

    /// What they carried besides what libraries say, in the same order.
    package var headers: [[RequestHeader]] { state.withLock { $0.headers } }

    /// Puts a document at an address; of several answers each is given once, and the last one from then on.
    package func put(_ answers: Answer..., at url: String) {
        state.withLock { $0.answers[url] = answers }
    }

    /// Puts media at an address or path; of several each is opened once, and the last one from then on.
    package func put(_ media: SimulatedMedia..., at location: String) {
        state.withLock { $0.media[location] = media }
    }

    func answer(to url: String, headers: [RequestHeader]) -> Answer {
        state.withLock { state in
            state.requests.append(url)
            state.headers.append(headers)
            return Self.next(&state.answers, url) ?? Answer(status: 404)
        }
    }

    func media(at location: String) -> SimulatedMedia {
        state.withLock { Self.next(&$0.media, location) ?? .missing(location) }
    }

    /// How late the word comes that an item is being opened.
    func processMs(at location: String) -> Int64 { state.withLock { $0.media[location]?.first?.processMs ?? 0 } }

    /// The text of a manifest, without asking for it.
    func text(at location: String) -> String? {
        state.withLock { $0.answers[location]?.first }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    private static func next<Value>(_ all: inout [String: [Value]], _ key: String) -> Value? {
        guard let first = all[key]?.first else { return nil }
        if all[key]?.count ?? 0 > 1 { all[key]?.removeFirst() }
        return first
    }
}

/// Media as the engine finds it, and what goes wrong with it.
package struct SimulatedMedia: Sendable {
    /// How it cannot be opened, or breaks off: what GStreamer says of it then.
    package enum Fault: Sendable {
        /// The server answers with a status.
        case status(Int)
        /// There is no such file.
        case noFile
        /// It is not of a kind that is known.
        case garbage
        /// Nothing comes.
        case silent
        /// The connection is lost.
        case connectionLost
        /// The engine crashes with it.
        case crash
    }

    /// What the engine says of it.
    package var media: EngineMedia
    /// What it says of itself.
    package var tags = EngineTags()
    /// The languages of its subtitles.
    package var subtitles: [String] = []
    /// Its chapters.
    package var chapters: [Chapter] = []
    /// The picture.
    package var rendition = StreamRendition(width: 320, height: 180, framesPerSecondMilli: 25_000, bitrate: nil)
    /// How long it takes to decode the first of it.
    package var startupMs: Int64 = 110
    /// Why it cannot be opened.
    package var fault: Fault?
    /// What happens to it at a place.
    package var faultAt: (positionMs: Int64, fault: Fault)?
    /// Where data is late, and how long.
    package var stalls: [(positionMs: Int64, lengthMs: Int64)] = []
    /// Where the playhead stands still, and how long, though there is data.
    package var freezes: [(positionMs: Int64, lengthMs: Int64)] = []
    /// How long an item of a network is still loaded when its first picture is there already.
    package var stillMs: Int64 = 0
    /// The playlists that an engine asks for besides the manifest.
    package var playlists: [String] = []
    /// How long it takes until the engine's word that it is being opened arrives, as when its process begins.
    package var processMs: Int64 = 0
    /// What libraries of the engine complain of as it begins to play.
    package var complaints: [String] = []
    /// Where it ends, when that is before its duration.
    package var endMs: Int64?

    /// A file of picture and sound.
    package init(durationMs: Int64) {
        media = EngineMedia()
        media.durationMs = durationMs
        media.isSeekable = true
        media.hasVideo = true
        media.hasAudio = true
    }

    /// What cannot be opened.
    package init(_ fault: Fault) {
        self.init(durationMs: 0)
        self.fault = fault
    }

    /// A recording in segments, whose playlist is a document at the same address.
    package static func stream(durationMs: Int64) -> SimulatedMedia {
        var stream = SimulatedMedia(durationMs: durationMs)
        stream.media.isAdaptive = true
        return stream
    }

    static func missing(_ location: String) -> SimulatedMedia {
        SimulatedMedia(location.contains("://") ? .status(404) : .noFile)
    }
}
