internal import Coordinator

/// What a replay read and made.
public struct ReplaySummary: Sendable, Equatable {
    /// A place in an archive where something was wrong, as `FILE:LINE: what`.
    public typealias Place = String

    /// Player runs.
    public var runs = 0
    /// Runs whose end the archive does not have.
    public var openRuns = 0
    /// Those of them that were ended where they were last seen.
    public var endedRuns = 0
    /// Runs that were erased, and so are not replayed.
    public var erasedRuns = 0
    /// Runs that were not selected, and so are not replayed.
    public var unselectedRuns = 0
    /// Sessions that began.
    public var sessions = 0
    /// Events, control events included.
    public var events: UInt64 = 0
    /// Records that the trackers emitted.
    public var records: UInt64 = 0
    /// Beacons that the trackers emitted.
    public var beacons: UInt64 = 0
    /// Errors that the trackers returned.
    public var trackerErrors: UInt64 = 0
    /// How often a run was closed before its end, since nothing came of it or too many were open.
    public var closedRuns = 0
    /// How often such a run was begun again by replay, since it went on.
    public var reopenedRuns = 0
    /// Lines of such runs that were left out, since nothing kept those of a pipe.
    public var leftOutLines = 0
    /// The most bytes of a pipe that lay in a temporary file at once, to begin such runs again.
    public var keptBytes = 0
    /// Lines read.
    public var lines = 0
    /// Lines that came after one that follows them, and were put right.
    public var reordered = 0
    /// Lines that came already, headers among them, and were left out.
    public var repeated = 0
    /// Bytes read.
    public var bytes = 0
    /// Time of the runs together, us.
    public var runTime: Int64 = 0
    /// Lines that could not be used.
    public var damaged = 0
    /// Places of the first damaged lines and of the gaps, at most ``placesKept``.
    public var places: [Place] = []

    /// How many places are kept.
    public static let placesKept = 100

    /// Nothing was read yet.
    public init() {}

    /// Runs of which a header was read, replayed or not.
    package var headers: Int { runs + erasedRuns + unselectedRuns }

    /// Adds what another coordinator read and made, but for the places.
    mutating func add(_ other: ReplaySummary) {
        runs += other.runs
        openRuns += other.openRuns
        endedRuns += other.endedRuns
        erasedRuns += other.erasedRuns
        unselectedRuns += other.unselectedRuns
        sessions += other.sessions
        events += other.events
        records += other.records
        beacons += other.beacons
        trackerErrors += other.trackerErrors
        closedRuns += other.closedRuns
        reopenedRuns += other.reopenedRuns
        leftOutLines += other.leftOutLines
        keptBytes = max(keptBytes, other.keptBytes)
        lines += other.lines
        reordered += other.reordered
        repeated += other.repeated
        bytes += other.bytes
        runTime += other.runTime
        damaged += other.damaged
    }

    /// Adds what was read, and damaged so that no coordinator saw it.
    mutating func add(_ outcome: LineDealer.Outcome) {
        lines += outcome.lines
        bytes += outcome.bytes
        damaged += outcome.damage.count
    }

    mutating func add(_ statistics: TrackerStatistics) {
        records += statistics.records
        beacons += statistics.beacons
        trackerErrors += statistics.errors
    }

    mutating func add(place: Place) {
        damaged += 1
        if places.count < Self.placesKept {
            places.append(place)
        }
    }
}
