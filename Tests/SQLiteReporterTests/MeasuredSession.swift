import Database

/// A session as its events say, worked out event by event.
struct MeasuredSession {
    let session: Int64
    private(set) var played = 0.0
    private(set) var wall = 0.0
    private(set) var rebuffered = 0.0
    private(set) var rated = 0.0
    private(set) var bits = 0.0
    private var paused = 0.0
    private var sought = 0.0
    private var inAds = 0.0
    private var furthest: Double?
    private var estimate: Double?

    /// What goes on without a break: where it began, what it lasted in time of the content, and what of that is lost.
    private var stretch: (begin: Double, length: Double, lost: Double)?
    private var placeBefore: Double?
    private var cause = ""

    /// The figures in the order in which the tests ask for them, ms and bit/s.
    var figures: [Double?] {
        [played, wall, rebuffered, paused, sought, inAds, rated].map { $0 / 1000 }
            + [rated > 0 ? bits / rated : nil, furthest, estimate]
    }

    private struct Event {
        let session: Int64
        let time: Double
        let type: String
        let flags: Set<String>
        let reported: Double?
        let playhead: Double?
        let length: Double?
        let bitrate: Double?
        let rate: Double
        let cause: String
        let soughtFrom: Double?
        let end: Double

        init(_ row: Statement) {
            func number(_ column: Int32) -> Double? { row.isNull(column) ? nil : row.double(column) }
            session = row.int(0)
            time = row.double(1)
            type = row.text(2)
            flags = Set(row.text(3).split(separator: " ").map(String.init))
            reported = number(4)
            playhead = number(5)
            length = number(6).flatMap { $0 > 0 && row.int(12) == 0 ? $0 : nil }
            bitrate = number(7)
            rate = max(number(8) ?? 1000, 1) / 1000
            cause = row.text(9)
            soughtFrom = number(10)
            end = row.double(11)
        }

        /// Where the player said that it stood while it played last.
        var place: Double? { type == "seek_start" ? soughtFrom : reported }
    }

    private static let flagNames = [
        "playing", "seeking", "buffering", "in_ad_break", "in_ad", "started", "ended", "interrupted",
    ]

    /// All sessions of a database that have begun.
    static func all(of recording: Recording) throws -> [MeasuredSession] {
        let flags = flagNames.map { "iif(\($0), '\($0) ', '')" }.joined(separator: " || ")
        let events = try Database(path: recording.path).prepare(
            """
            SELECT session, time_us, type, \(flags), reported_playhead_ms, playhead_ms, duration_ms, bitrate_bps,
                rate_milli, json_extract(events.attributes, '$.buffer_cause'),
                json_extract(events.attributes, '$.seek_from_ms'), ended_us, live
            FROM events JOIN sessions USING (run, session) WHERE begun_us IS NOT NULL ORDER BY session, ordinal
            """
        ).rows { Event($0) }
        return Dictionary(grouping: events, by: \.session).sorted { $0.key < $1.key }.map { session, events in
            var measured = MeasuredSession(session: session)
            for (index, event) in events.enumerated() {
                measured.add(event, before: index + 1 < events.count ? events[index + 1] : nil)
            }
            return measured
        }
    }

    private init(session: Int64) { self.session = session }

    private mutating func add(_ event: Event, before next: Event?) {
        if event.type == "buffer_start" { cause = event.cause }
        let span = max((next?.time ?? event.end) - event.time, 0)
        let place = event.reported ?? event.playhead
        defer { placeBefore = place }
        guard isPlaying(event, for: span) else {
            stretch = nil
            return
        }
        if let place, let placeBefore, place + 500 < placeBefore { stretch = nil }
        var current = stretch ?? (place ?? 0, 0, 0)
        current.length += span * event.rate
        var credit = span
        if let length = event.length {
            var bound = length
            if let report = next?.place, let place, report + 500 >= place { bound = min(report, length) }
            let lag = current.length - 1000 * (bound - current.begin)
            if lag > 500_000, lag > current.lost {
                credit = max(span - (lag - current.lost) / event.rate, 0).rounded(.down)
                current.lost = lag
            }
        }
        stretch = current
        wall += span
        played += credit
        if let bitrate = event.bitrate, bitrate >= 0 {
            rated += credit
            bits += credit * bitrate
        }
        for report in [event.reported, next?.place] {
            if let report { furthest = max(furthest ?? report, report) }
        }
        if let place {
            let reached = min(place + credit * event.rate / 1000, event.length ?? .infinity)
            estimate = max(estimate ?? reached, reached)
        }
    }

    /// Whether the content plays; what else goes on is counted.
    private mutating func isPlaying(_ event: Event, for span: Double) -> Bool {
        let has = event.flags.contains
        if has("in_ad") || has("in_ad_break") {
            inAds += span
        } else if has("ended"), !has("playing") {
        } else if !has("started") {
        } else if has("seeking") {
            sought += span
        } else if !has("playing") {
            paused += span
        } else if has("interrupted") {
        } else if !has("buffering") {
            return true
        } else if cause == "seek" {
            sought += span
        } else if cause != "initial" {
            rebuffered += span
        }
        return false
    }
}
