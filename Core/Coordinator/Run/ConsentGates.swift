internal import EventModel

/// What the viewer has decided so far, for trackers that join later.
struct ConsentGates {
    private var all: (state: String, gate: OutputGate)?
    private var single: [String: (state: String, gate: OutputGate)] = [:]

    /// What a state of a consent event does to outputs.
    static func gate(of state: UTF8Text) -> OutputGate {
        if state == "in" { .open } else if state == "pending" { .holding } else { .shut }
    }

    /// Takes note of a decision; one for all goes over those for single trackers.
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
