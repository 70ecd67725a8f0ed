/// What an output is.
public enum OutputKind: UInt32, Sendable {
    /// A player event.
    case event = 1
    /// A record of a tracker.
    case record = 2
    /// A beacon of a tracker.
    case beacon = 3
    /// A session begins.
    case sessionBegin = 4
    /// A session ends.
    case sessionEnd = 5
    /// A player run begins.
    case runBegin = 6
    /// A player run ends.
    case runEnd = 7
    /// Outputs before this one were lost.
    case gap = 8
    /// A line of the run's archive.
    case line = 9
}

/// A set of kinds of outputs: what a reporter wants to take.
public struct OutputKinds: OptionSet, Sendable {
    /// A bit for each kind: 1 shifted by the kind's number.
    public let rawValue: UInt32

    /// Takes bits, each 1 shifted by a kind's number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Makes a set of one kind.
    public init(_ kind: OutputKind) {
        rawValue = 1 << kind.rawValue
    }

    /// Player events.
    public static let events = OutputKinds(.event)
    /// Records of trackers.
    public static let records = OutputKinds(.record)
    /// Beacons of trackers.
    public static let beacons = OutputKinds(.beacon)
    /// Begins and ends of sessions.
    public static let sessions: OutputKinds = [OutputKinds(.sessionBegin), OutputKinds(.sessionEnd)]
    /// Begins and ends of player runs.
    public static let runs: OutputKinds = [OutputKinds(.runBegin), OutputKinds(.runEnd)]
    /// Gaps: how many outputs were lost.
    public static let gaps = OutputKinds(.gap)
    /// Lines of the runs' archives; not in ``all``.
    ///
    /// A run that goes on when a reporter begins to want them has none for it.
    public static let lines = OutputKinds(.line)
    /// Also the outputs of a run that a crash cut off, from its begin on.
    ///
    /// For a reporter that knows those which it has taken before by run, instance and number: no kind of its own, and
    /// not in ``all``.
    public static let recovered = OutputKinds(rawValue: 1 << 31)
    /// Everything but archive lines, kinds of later versions included.
    public static let all: OutputKinds = [.events, .records, .beacons, .sessions, .runs, .gaps]
}
