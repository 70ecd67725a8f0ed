internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import TallyTesting

/// What a player does in a check, step by step, with the times of a virtual clock.
struct Course: Sendable {
    /// One thing that happens.
    enum Step: Sendable {
        /// A session begins; with attributes the tracker joins one that goes on.
        case begin([(String, PlainValue)])
        /// An event.
        case event(EventType, [(String, PlainValue)])
        /// The player's state becomes another: the place in ms, and what follows from the events.
        case player(playhead: Int64, flags: UInt32)
        /// The main content has another length, ms.
        case length(Int64)
        /// Time passes, ms.
        case wait(Int64)
        /// The session ends.
        case end(UInt32)
    }

    /// The steps in order.
    var steps: [Step]

    /// Makes a course of steps.
    init(_ steps: [Step]) { self.steps = steps }

    private static let playing =
        TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED

    /// What a viewer does in an ordinary session: a start, samples, an ad, a stall, a seek, a pause, an error, an end.
    static let usual = Course(of: "film-1", "Größe & <Ärger>")
    /// The same with other texts, for who watches beside.
    static let beside = Course(of: "film-2", "Another")

    private init(of video: String, _ name: String) {
        self.init([
            .begin([]), .player(playhead: 0, flags: TALLY_STATE_IN_SESSION),
            .event(
                .videoLoad,
                [
                    ("video_id", .string(video)), ("video_name", .string(name)),
                    ("stream_type", .string("vod")), ("channel", .string("one")),
                ]
            ),
            .wait(20), .player(playhead: 0, flags: TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING), .event(.play, []),
            .wait(300), .player(playhead: 0, flags: Self.playing), .event(.firstFrame, []),
            .event(
                .renditionChange,
                [("rendition_bitrate_bps", .int(2_500_000)), ("rendition_phase", .string("visible"))]
            ),
            .wait(11_000), .player(playhead: 11_000, flags: Self.playing), .event(.playheadSample, []),
            .player(playhead: 11_000, flags: Self.playing | TALLY_STATE_IN_AD_BREAK),
            .event(.adBreakStart, [("ad_break_id", .string("break of \(video)"))]),
            .player(playhead: 11_000, flags: Self.playing | TALLY_STATE_IN_AD_BREAK | TALLY_STATE_IN_AD),
            .event(.adStart, [("ad_id", .string("ad of \(video)")), ("ad_duration_ms", .int(15_000))]), .wait(15_000),
            .event(.adComplete, []), .player(playhead: 11_000, flags: Self.playing), .event(.adBreakComplete, []),
            .wait(1_000), .player(playhead: 12_000, flags: Self.playing | TALLY_STATE_BUFFERING),
            .event(.bufferStart, [("buffer_cause", .string("stall"))]), .wait(1_500),
            .player(playhead: 12_000, flags: Self.playing), .event(.bufferComplete, []),
            .player(playhead: 12_000, flags: Self.playing | TALLY_STATE_SEEKING),
            .event(.seekStart, [("seek_to_ms", .int(60_000))]), .wait(200),
            .player(playhead: 60_000, flags: Self.playing), .event(.seekComplete, []), .wait(5_000),
            .player(playhead: 65_000, flags: TALLY_STATE_IN_SESSION | TALLY_STATE_STARTED | TALLY_STATE_PAUSED),
            .event(.pause, []), .wait(3_000), .player(playhead: 65_000, flags: Self.playing), .event(.play, []),
            .event(.custom, [("custom_name", .string("liked")), ("own.value", .double(0.5))]),
            .event(.playerError, [("error_code", .int(7)), ("error_message", .string("decoder of \(video)"))]),
            .wait(20_000), .player(playhead: 85_000, flags: TALLY_STATE_IN_SESSION | TALLY_STATE_ENDED),
            .event(.complete, []), .player(playhead: 85_000, flags: 0), .event(.videoUnload, []),
            .end(TALLY_END_UNLOAD),
        ])
    }
}

extension CheckHost {
    /// Has an instance live from `create` to `destroy`, and work in between.
    static func working(_ subject: Subject, _ body: (CheckHost) throws(Finding) -> Void) throws(Finding) {
        let host = try CheckHost(subject)
        try host.start(subject)
        try body(host)
        host.finish()
    }

    /// Makes, configures and enables the instance.
    func start(_ subject: Subject) throws(Finding) {
        guard create() else { throw .failed("create returned NULL") }
        let status = initialize(subject.configuration)
        guard status >= TALLY_OK else {
            throw .failed("init returned \(status): \(faults.last ?? "without a reason")")
        }
        let enabled = enable()
        guard enabled >= TALLY_OK else {
            throw .failed("enable returned \(enabled): \(faults.last ?? "without a reason")")
        }
    }

    /// Disables and destroys the instance.
    func finish() {
        disable()
        destroy()
    }

    /// Lets a course happen; the statuses of the calls that an error came back from.
    @discardableResult
    func play(_ course: Course, _ wanted: WantedTypes) -> [String] {
        var errors: [String] = []
        for step in course.steps {
            let known = unreturned.count
            if let error = perform(step, wanted) { errors.append(error) }
            errors += unreturned[known...]
        }
        return errors
    }

    /// Why a call has returned an error, as the plugin has it.
    private var reason: String { faults.last ?? "without a reason" }

    /// Lets one step happen; what came back that is an error.
    func perform(_ step: Course.Step, _ wanted: WantedTypes) -> String? {
        switch step {
        case .begin(let attributes):
            let event = EventBytes(
                .sessionSnapshot,
                at: time,
                ordinal: ordinal,
                session: sessionCount + 1,
                flags: TALLY_EVENT_SYNTHETIC,
                player: player,
                attributes
            )
            let status = begin(event)
            return status < TALLY_OK ? "session_begin returned \(status): \(reason)" : nil
        case .event(let type, let attributes):
            ordinal += 1
            guard wanted.contains(type) else { return nil }
            let event = EventBytes(
                type,
                at: time,
                ordinal: ordinal,
                session: session,
                player: player,
                attributes
            )
            let status = send(event)
            return status < TALLY_OK ? "on_event(\(event.name)) returned \(status): \(reason)" : nil
        case .player(let playhead, let flags):
            player.playheadMilliseconds = playhead
            player.durationMilliseconds = player.durationMilliseconds ?? 90_000
            player.bitrate = 2_500_000
            player.flags = flags
        case .length(let length): player.durationMilliseconds = length
        case .wait(let milliseconds): advance(to: time + milliseconds * 1_000)
        case .end(let reason): end(reason)
        }
        return nil
    }
}

/// Which events a tracker is called with.
struct WantedTypes: Sendable {
    private let wanted: WantedEvents

    /// Those of the subject's descriptor.
    init(_ subject: Subject) throws(Finding) {
        wanted = unsafe WantedEvents(try subject.descriptor().pointee.wanted_events)
    }

    /// Whether a type is among them.
    func contains(_ type: EventType) -> Bool { wanted.contains(type.rawValue) }
}
