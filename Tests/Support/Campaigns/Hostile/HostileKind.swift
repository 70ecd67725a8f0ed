internal import Glibc

/// One thing that a hostile tracker does, and what has to come of it.
///
/// All kinds are ``all``; docs/isolation.md shows the same table, and a test holds the two together.
package struct HostileKind: Sendable {
    /// Where in the tracker's life it does it.
    package enum Place: String, Sendable {
        case initialize = "init"
        case enable, disable, destroy, configure, command
        case sessionBegin = "session_begin"
        case event = "on_event"
        case timer = "on_timer"
        case sessionEnd = "session_end"
        /// As the file is loaded, described or made: it is a file of its own, which is compiled for the test.
        case file
    }

    /// What has to come of a playback.
    package enum Outcome: Sendable, Equatable {
        /// The media is played to its end and the program ends with one of these codes, 0 unless given; the archive is
        /// whole, and what the other trackers said is what its replay says.
        case goesOn([Int32] = [0])
        /// The same without the tracker: the exit code tells that a plugin failed, and the file may be left out from then on.
        case goesOnWithout
        /// The same as if it went on, but playback is ended early, and gracefully.
        case stops
        /// The process ends with one of these codes, or signals as negative numbers. The archive is sound up to there, and so
        /// is what the others said; where the plugin is told, standard error names it.
        case dies([Int32], isTold: Bool)
        /// It ends with one of these codes, or signals as negative numbers, and where it is played to its end all is as if it
        /// went on.
        case harmless([Int32])
        /// Nothing can be promised: what was seen is said, and not judged.
        case unknown
    }

    /// How it is called: in the fixture, in the table and in what the campaign says.
    package let id: String
    /// What the fixture calls it, where several rows do the same in several places.
    package let deed: String
    package let place: Place
    /// How many such calls go by before.
    package let after: Int
    /// What it does, for people.
    package let what: String
    /// With the tracker in the player's own process.
    package let inProcess: Outcome
    /// With the tracker in a process of its own.
    package let isolated: Outcome
    /// Whether the next start leaves the file out because a process died in it.
    package var isQuarantined: Bool {
        if case .dies(_, let isTold) = inProcess { isTold } else { false }
    }

    /// What the player's script has to say for the call to happen; empty for those that come by themselves.
    package var script: String {
        switch place {
        case .disable: "0.8 plugin disable hostile\n"
        case .command: "0.8 plugin command hostile act\n"
        case .configure: "0.8 configure hostile '{\"again\":true}'\n"
        default: ""
        }
    }

    /// A kind whose name is the fixture's, unless it is given.
    init(
        _ id: String,
        as deed: String? = nil,
        in place: Place = .event,
        after: Int = 5,
        _ what: String,
        _ inProcess: Outcome,
        isolated: Outcome = .goesOn([0, 75])
    ) {
        self.id = id
        self.deed = deed ?? id
        self.place = place
        self.after = place == .event || place == .timer ? after : 0
        self.what = what
        self.inProcess = inProcess
        self.isolated = isolated
    }

    /// Every kind, in the order of the table.
    package static let all: [HostileKind] =
        deaths + exits + hangs + outputs + memory + threads + processes + machine + files

    /// The kind of this name.
    package static func named(_ id: String) -> HostileKind? { all.first { $0.id == id } }

    /// The table of docs/isolation.md, a row a line.
    package static var table: [String] {
        all.map { "| `\($0.id)` | \($0.where) | \($0.what) | \($0.inProcess) | \($0.isolated) |" }
    }

    private var `where`: String { place == .file ? "file" : "`\(place.rawValue)`" }
}

extension HostileKind.Outcome {
    /// A call that crashes: which tracker it was is told, and its file is left out from then on.
    static func crash(_ signals: Int32...) -> Self { .dies(signals.map { -$0 }, isTold: true) }
}

extension HostileKind.Outcome: CustomStringConvertible {
    /// As the table of the page has it.
    package var description: String {
        switch self {
        case .goesOn([0]): "goes on"
        case .goesOnWithout: "goes on without it, 75"
        case .goesOn(let codes): "goes on, \(Self.list(codes))"
        case .stops: "ends early, gracefully"
        case .dies(let codes, let isTold): "ends: \(Self.list(codes))\(isTold ? ", told" : "")"
        case .harmless(let codes): "goes on, or ends: \(Self.list(codes.filter { $0 != 0 }))"
        case .unknown: "nothing is promised"
        }
    }

    private static func list(_ codes: [Int32]) -> String {
        codes.map { $0 < 0 ? name(ofSignal: -$0) : "\($0)" }.joined(separator: " or ")
    }

    private static func name(ofSignal signal: Int32) -> String {
        let names: [Int32: String] = [
            SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
            SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV", SIGALRM: "SIGALRM", SIGXFSZ: "SIGXFSZ",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
