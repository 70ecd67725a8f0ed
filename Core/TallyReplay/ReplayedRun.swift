internal import Coordinator
internal import EventModel

/// One player run of an archive that is being replayed.
@safe final class ReplayedRun {
    @safe @exclusivity(unchecked) var coordinator: Coordinator
    /// Where it stands when its sessions are cut out; nil when the run is replayed whole.
    @safe @exclusivity(unchecked) var cut: SessionCut?
    /// Wall clock at the run's time 0, us since 1970.
    let epoch: Int64
    /// The number that the next line should have.
    @safe @exclusivity(unchecked) var expected: UInt64 = 1
    /// Lines before that which never came; beyond ``gapsKept`` gaps, the last one reaches over what lies between.
    private(set) var missing: [Range<UInt64>] = []
    /// Where its start lies in the replay's schedule; nil before its first line.
    @safe @exclusivity(unchecked) var base: Int64?
    /// Where it began among the runs of the replay, for their order.
    let number: UInt64
    /// Where its header lies among the bytes of its archive.
    @safe @exclusivity(unchecked) var offset = 0
    /// When it was heard of last: the line of its archive, and the time of ``ClosedRuns``.
    @safe @exclusivity(unchecked) var heard: (line: Int, time: Int64) = (0, 0)
    /// Behind how many bytes of its archive its session was ended since nothing came.
    @safe @exclusivity(unchecked) var idledAt: [Int] = []
    /// Lines that wait for earlier ones, by rising number.
    @safe @exclusivity(unchecked) var held: [HeldLine] = []
    /// Hands its lines on; nil when nobody wants them.
    @safe @exclusivity(unchecked) var lines: ReplayLines?
    private let id: [UInt8]

    private static let gapsKept = 8

    init(id: String, epoch: Int64, number: UInt64, coordinator: Coordinator) {
        self.id = Array(id.utf8)
        self.epoch = epoch
        self.number = number
        self.coordinator = coordinator
    }

    /// Replays an event if it is this run's and follows the last line, and nothing holds it up.
    func replayNext(_ event: EventView, run: UTF8Text, ordinal: UInt64, control: ReplayControl?) -> Bool {
        guard ordinal == expected, held.isEmpty, cut == nil, has(run),
            event.time - coordinator.time <= Limits.longestSilenceMicroseconds,
            event.time >= coordinator.earliestEventTime
        else {
            return false
        }
        if let control, !control.isOpen, !control.admit(event.time, base: &base, isEvent: true) { return false }
        expected = ordinal + 1
        lines?.expect(.event, ordinal)
        unsafe coordinator.replay(UnsafeMutablePointer(mutating: event.raw))
        return true
    }

    /// Whether a line came already.
    func has(_ ordinal: UInt64) -> Bool {
        ordinal < expected && !missing.contains { $0.contains(ordinal) } || held.contains { $0.ordinal == ordinal }
    }

    /// Goes on behind lines that are missing.
    func skip(to ordinal: UInt64) {
        let last = missing.count == Self.gapsKept ? missing.removeLast() : nil
        missing.append((last?.lowerBound ?? expected)..<ordinal)
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
