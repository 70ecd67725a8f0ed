/// An event that waits for those before it.
struct HeldEvent {
    /// What it says.
    let event: OpenAnalyticsEvent
    /// When it came, us since 1970.
    let received: Int64
    /// The how many of its run it is.
    let arrival: Int
    /// When it happened by the collector's clock, us since 1970.
    var time: Int64
    /// Whether its own time is none, and it is dated by its coming.
    let isDatedByComing: Bool
    /// By how much the device's clock was set before it, us.
    let clockStep: Int64?
    /// Whether its time is not the player's.
    var isShifted: Bool

    /// Whether it says that playback goes on behind an error.
    var goesOn: Bool {
        switch event.kind {
        case .playing, .resume, .heartbeat, .buffered: true
        default: false
        }
    }
}

/// Events in the order in which they happened, until they have waited long enough.
struct EventQueue {
    /// What becomes of an error.
    enum Verdict {
        case fatal
        case harmless
        case undecided
    }

    /// How long it is waited for what shows that an error was none that ends playback, us.
    static let errorPatience: Int64 = 30_000_000

    private(set) var events: [HeldEvent] = []

    /// Puts an event in its place: by time, then kind, then coming.
    mutating func insert(_ event: HeldEvent) {
        let place = events.lastIndex { Self.isBefore($0, event) }.map { $0 + 1 } ?? 0
        events.insert(event, at: place)
    }

    /// Moves all that have a time of the player's own.
    mutating func shift(by correction: Int64) {
        guard correction != 0 else { return }
        for place in events.indices where !events[place].isDatedByComing {
            events[place].time += correction
            events[place].isShifted = true
        }
        events.sort(by: Self.isBefore)
    }

    /// How many events have waited long enough, or wait for none: all up to the last of these.
    func countDue(at now: Int64, after holdBack: Int64?) -> Int {
        guard let holdBack else { return 0 }
        return (events.lastIndex { $0.received + holdBack <= now } ?? -1) + 1
    }

    /// What the first `count` events say of the error that is the first.
    func verdict(among count: Int) -> Verdict {
        let error = events[0]
        for event in events[..<count].dropFirst() where event.time <= error.time + Self.errorPatience {
            if event.event.kind == .stopped { return .fatal }
            if event.goesOn { return .harmless }
        }
        return .undecided
    }

    mutating func removeFirst() -> HeldEvent { events.removeFirst() }

    private static func isBefore(_ left: HeldEvent, _ right: HeldEvent) -> Bool {
        (left.time, left.event.kind.rank, left.arrival) < (right.time, right.event.kind.rank, right.arrival)
    }
}
