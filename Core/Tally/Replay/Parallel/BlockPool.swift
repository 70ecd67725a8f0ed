internal import Coordinator

/// The blocks that are on their way: so many and no more, so that reading is never far ahead.
final class BlockPool: Sendable {
    /// How many blocks are read ahead: 8 MiB, so that a long run keeps the other coordinators busy too.
    private static let limit = 32

    private struct State {
        var free: [LineBlock] = []
        var out = 0
    }

    private let state = Condition(State())

    /// An empty block, once there is one.
    func take(_ archive: DealtArchive, firstLine: Int) -> LineBlock {
        let known = state.wait(until: nil) { state -> LineBlock?? in
            guard state.out < Self.limit else { return nil }
            state.out += 1
            return .some(state.free.popLast())
        }
        let block = (known ?? nil) ?? LineBlock(archive)
        block.begin(archive, firstLine: firstLine)
        return block
    }

    /// One coordinator has passed the block.
    func release(_ block: LineBlock) {
        let isLast = state.with { _ in
            block.users -= 1
            return block.users == 0
        }
        guard isLast else { return }
        state.change { state in
            state.out -= 1
            state.free.append(block)
        }
    }

    /// Waits until no block is on its way but those that the caller has.
    func waitUntilPassed(but own: Int) {
        _ = state.wait(until: nil) { state -> Bool? in state.out <= own ? true : nil }
    }
}
