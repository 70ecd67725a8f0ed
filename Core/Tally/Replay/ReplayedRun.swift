internal import Coordinator

/// One player run of an archive that is being replayed.
@safe final class ReplayedRun {
    let coordinator: Coordinator
    /// The number that the next line should have.
    @safe @exclusivity(unchecked) var expected: UInt64 = 1
    /// Where it began, for the order of runs.
    @safe @exclusivity(unchecked) var begun: UInt64 = 0
    /// Holds the run to the wanted speed.
    @safe @exclusivity(unchecked) var pace: ReplayPace
    /// Lines that wait for earlier ones, by rising number.
    @safe @exclusivity(unchecked) var held: [HeldLine] = []
    private let id: [UInt8]

    init(id: String, coordinator: Coordinator, pace: ReplayPace) {
        self.id = Array(id.utf8)
        self.pace = pace
        self.coordinator = coordinator
    }

    /// Replays an event if it is this run's and follows the last line.
    func takeNext(_ event: EventView, run: UTF8Text, ordinal: UInt64) -> Bool {
        guard ordinal == expected, held.isEmpty, has(run),
            event.time - coordinator.time <= Limits.longestSilenceMicroseconds
        else {
            return false
        }
        expected = ordinal + 1
        pace.wait(for: event.time)
        unsafe coordinator.replay(UnsafeMutablePointer(mutating: event.raw))
        return true
    }

    /// Keeps a line until the ones before it have come; false when it is there already.
    func hold(_ line: HeldLine) -> Bool {
        let place = held.lastIndex { $0.ordinal <= line.ordinal }
        if let place, held[place].ordinal == line.ordinal { return false }
        held.insert(line, at: place.map { $0 + 1 } ?? 0)
        return true
    }

    /// Whether a line's run is this one.
    func has(_ run: UTF8Text) -> Bool {
        unsafe id.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return run.count == 0 }
            return unsafe UTF8Text(start: start, count: bytes.count) == run
        }
    }
}
