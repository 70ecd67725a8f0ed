import System

/// Something that others wait at until a test opens it.
final class Gate: Sendable {
    private struct State {
        var open = false
        var waiting = 0
    }

    private let state = Condition(State())

    func open() {
        state.change { $0.open = true }
    }

    /// Waits until the gate is open, at most a minute.
    func pass() {
        state.change { $0.waiting += 1 }
        _ = state.wait(until: Gate.deadline()) { $0.open ? true : nil }
    }

    /// Waits until somebody stands at the gate; false when nobody comes.
    func waitForVisitor() -> Bool {
        state.wait(until: Gate.deadline()) { $0.waiting > 0 ? true : nil } ?? false
    }

    private static func deadline() -> Int64 {
        SystemTime.monotonic() + 300_000_000
    }
}
