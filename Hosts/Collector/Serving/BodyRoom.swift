internal import System

/// Memory of bodies that are still coming: bounded, and the larger ones go first when it is short.
///
/// Slow clients could else hold a body of the longest length each. Where all room is taken, a body that has more than
/// its part of it, were all of one length, is given up; those of few bytes always have room. Any thread.
package final class BodyRoom: Sendable {
    private struct State {
        var bytes = 0
        var bodies = 0
    }

    private let limit: Int
    private let state = Lock(State())

    /// Room for so many bytes.
    init(limit: Int) { self.limit = limit }

    /// Bytes of bodies that are still coming.
    package var bytes: Int { state.with { $0.bytes } }

    /// Grows a body, which has `before` bytes; false when there is no room for it.
    func grow(from before: Int, by bytes: Int) -> Bool {
        state.with { state in
            let bodies = state.bodies + (before == 0 ? 1 : 0)
            guard state.bytes + bytes <= limit || (before + bytes) * bodies <= limit else { return false }
            state.bytes += bytes
            state.bodies = bodies
            return true
        }
    }

    /// Gives back what a body of so many bytes had.
    func giveBack(_ bytes: Int) {
        guard bytes > 0 else { return }
        state.with { state in
            state.bytes -= bytes
            state.bodies -= 1
        }
    }
}
