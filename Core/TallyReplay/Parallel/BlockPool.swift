internal import System

/// The blocks that are on their way: so many and no more, so that reading is never far ahead.
final class BlockPool: Sendable {
    /// How many blocks are on their way at most.
    private let limit: Int

    private struct State {
        var free: [LineBlock] = []
        var out = 0
        /// Where memory for more blocks is taken from.
        var slab: MemorySlab?
    }

    private let state = Condition(State())

    /// A pool of so many blocks, of which a slab holds 15.
    init(limit: Int) { self.limit = limit }

    /// Whether a block can be had at once.
    var hasRoom: Bool { state.with { $0.out < limit } }

    /// An empty block, once there is one.
    func block(of archive: DealtArchive, firstLine: Int) -> LineBlock {
        let free = state.wait(until: nil) { state -> LineBlock? in
            guard state.out < self.limit else { return nil }
            state.out += 1
            return state.free.popLast() ?? Self.makeBlock(&state, archive)
        }
        let block = free ?? LineBlock(archive)
        block.begin(archive, firstLine: firstLine)
        return block
    }

    private static func makeBlock(_ state: inout State, _ archive: DealtArchive) -> LineBlock {
        if let block = LineBlock(archive, in: state.slab) { return block }
        state.slab = MemorySlab()
        return LineBlock(archive, in: state.slab) ?? LineBlock(archive)
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
