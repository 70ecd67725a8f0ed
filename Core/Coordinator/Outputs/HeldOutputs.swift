internal import EventModel
internal import PluginABI

/// What happens to the outputs of a tracker that leaves the viewer's consent to the core.
enum OutputGate {
    /// They go to the reporters.
    case open
    /// They are dropped.
    case shut
    /// They wait until the viewer has decided.
    case holding
}

/// Outputs that wait for the viewer's decision: whole copies, of which the oldest make way when there are too many.
@safe struct HeldOutputs {
    /// How many outputs of one tracker wait at most.
    static let largestCount = 1_000
    /// How many bytes of one tracker wait at most.
    static let largestBytes = 4 * 1024 * 1024

    private struct Held {
        let segment: OutputSegment
        let bytes: Int
        let output: Output
    }

    private var held: [Held] = []
    private var first = 0
    private var bytes = 0
    /// How many had to make way.
    private(set) var dropped: UInt64 = 0

    /// How many wait.
    var count: Int {
        held.count - first
    }

    /// Keeps a copy.
    mutating func add(_ output: Output) {
        let size = OutputCopy.size(of: output)
        let segment = OutputSegment(capacity: size)
        guard segment.append(output), let copy = unsafe segment.outputs.first.flatMap({ unsafe $0 }) else { return }
        let kept = unsafe Output(
            what: output.what,
            identity: output.identity,
            session: output.session,
            ordinal: output.ordinal,
            time: output.time,
            item: copy.pointee.item
        )
        held.append(Held(segment: segment, bytes: size, output: kept))
        bytes += size
        while count > Self.largestCount || bytes > Self.largestBytes {
            dropOldest()
        }
    }

    /// Lends all that waits, the oldest first.
    func forEach(_ body: (Output) -> Void) {
        for held in held[first...] {
            withExtendedLifetime(held.segment) { body(held.output) }
        }
    }

    private mutating func dropOldest() {
        bytes -= held[first].bytes
        first += 1
        dropped += 1
        if first * 2 > held.count {
            held.removeFirst(first)
            first = 0
        }
    }
}

/// What the viewer has decided so far, for trackers that join later.
struct ConsentGates {
    private var all: (state: String, gate: OutputGate)?
    private var single: [String: (state: String, gate: OutputGate)] = [:]

    /// What a state of a consent event does to outputs.
    static func gate(of state: UTF8Text) -> OutputGate {
        if state == "in" { .open } else if state == "pending" { .holding } else { .shut }
    }

    /// Follows a decision; one for all goes over those for single trackers.
    mutating func follow(scope: UTF8Text, state: UTF8Text) {
        let decided = (state: state.string, gate: Self.gate(of: state))
        if scope == "all" {
            all = decided
            single = [:]
        } else {
            single[scope.string] = decided
        }
    }

    /// What happens to the outputs of a tracker.
    func gate(of tracker: String) -> OutputGate {
        (single[tracker] ?? all)?.gate ?? .open
    }

    /// The viewer's decision for a tracker, nil when there was none.
    func state(of tracker: String) -> String? {
        (single[tracker] ?? all)?.state
    }
}
