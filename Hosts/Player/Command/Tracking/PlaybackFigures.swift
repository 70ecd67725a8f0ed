internal import HostSupport
internal import PlaybackEngine
internal import Streaming
internal import Tally

/// What a run came to, as a viewer would tell it.
struct PlaybackFigures: Sendable {
    enum Activity: String {
        case loading, playing, paused, buffering, seeking, advertising, ended
    }

    var isWanted = false
    var activity = Activity.loading
    var items = 0
    var ads = 0
    /// Failures of ads and of their documents.
    var adErrors = 0
    var events = 0
    /// Processor time within track calls.
    var trackNs: Int64 = 0
    /// Times that a source was opened again after it had failed.
    var retries = 0
    /// Track calls that the full queue refused.
    var refusedEvents = 0
    /// Attributes that were left out of events, because they broke a limit.
    var refusedAttributes = 0
    /// From the wish to play to the first picture, nil before it.
    var firstPictureMs: Int64?
    /// From the wish to play to the first picture that moves, or to the first sound; nil before it.
    var startupMs: Int64?
    var playedNs: Int64 = 0
    /// Times without data in the middle of playback.
    var stalls = 0
    var stalledNs: Int64 = 0
    /// Pauses by command.
    var pauses = 0
    var seeks = 0
    /// What was on screen, in order, without repetitions in a row.
    var renditions: [StreamRendition] = []
    /// Frames that were not shown in time.
    var droppedFrames: Int64 = 0
    var renderedFrames: Int64 = 0
    var isComplete = false
    /// Why playback ended early.
    var failure: EngineError?
    /// What was wrong though it was played to its end.
    var damage: EngineError?
    var playheadMs: Int64?

    mutating func show(_ rendition: StreamRendition) {
        if renditions.last != rendition { renditions.append(rendition) }
    }
}

extension StreamRendition {
    /// The rendition in a few words: `720p 2.5 Mbit/s`.
    var shortText: String {
        let size = height.map { "\($0)p" }
        let rate = bitrate.map { bitrate in
            bitrate < 1_000_000
                ? "\(bitrate / 1000) kbit/s" : "\(bitrate / 1_000_000).\(bitrate / 100_000 % 10) Mbit/s"
        }
        let parts = [size, rate].compactMap { $0 }
        return parts.isEmpty ? "unknown" : parts.joined(separator: " ")
    }
}

/// Times of the playhead as people read them.
enum ReadableTime {
    /// `m:ss`, from an hour on `h:mm:ss`; a stream without end is `live`.
    static func text(milliseconds: Int64) -> String {
        guard milliseconds >= 0 else { return "live" }
        let seconds = milliseconds / 1000
        let tail = "\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\(seconds / 60 % 60 < 10 ? "0" : "")\(seconds / 60 % 60):\(tail)"
    }
}

/// Tells how playback goes, one line for each step, where no status line shows it.
struct ProgressNotes: Sendable {
    let log: LogPrinter
    /// Whether a status line shows it instead.
    let isSilent: Bool
    /// Whether only what nobody may miss is told.
    let isQuiet: Bool
    /// What the notes begin with; nil for the only player.
    var name: String?

    func say(_ text: String) { if !isSilent { log.show(.info, prefix + text) } }
    private var prefix: String { name.map { $0 + ": " } ?? "" }
    func warn(_ text: String) { log.show(.warning, prefix + text) }

    /// Warns of what the end of the run or its events tell as well.
    func warnMeanwhile(_ text: String) { if !isQuiet { warn(text) } }
}
