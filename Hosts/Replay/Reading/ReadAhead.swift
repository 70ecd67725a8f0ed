internal import Archive
internal import System

/// Reads, and decompresses, on a thread of its own while what was read before is replayed.
@safe final class ReadAhead: @unchecked Sendable {
    /// Bytes of one piece.
    private static let pieceBytes = 256 * 1024
    /// How many pieces are read ahead.
    private static let pieces = 4

    @safe private struct Piece {
        let bytes: UnsafeMutableRawBufferPointer
        var count = 0
        var failure: ArchiveSource.Failure?
    }

    private struct State {
        var free: [Piece] = []
        var full: [Piece] = []
        var isCancelled = false
    }

    private let state: Condition<State>
    private var current: Piece?
    private var start = 0
    private var thread: Thread?

    /// Begins to read with a function that gives 0 at the end.
    init(_ read: @escaping (UnsafeMutableRawBufferPointer) throws(ArchiveSource.Failure) -> Int) {
        var state = State()
        for _ in 0..<Self.pieces {
            unsafe state.free.append(Piece(bytes: .allocate(byteCount: Self.pieceBytes, alignment: 64)))
        }
        let shared = Condition(state)
        self.state = shared
        let reading = unsafe Reading(read)
        thread = Thread(name: "tally-read") {
            while let piece = Self.freePiece(shared) {
                let filled = reading.fill(piece)
                shared.change { $0.full.append(filled) }
                if filled.count == 0 { return }
            }
        }
    }

    deinit {
        state.change { $0.isCancelled = true }
        thread?.join()
        let left = state.change { state in state.free + state.full }
        for piece in left + [current].compactMap({ $0 }) { unsafe piece.bytes.deallocate() }
    }

    /// A piece that can be filled; nil when nobody reads any more.
    private static func freePiece(_ state: Condition<State>) -> Piece? {
        let piece = state.wait(until: nil) { state -> Piece?? in
            if state.isCancelled { return .some(nil) }
            guard let piece = state.free.popLast() else { return nil }
            return .some(piece)
        }
        return piece ?? nil
    }

    /// Takes some of what was read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveSource.Failure) -> Int {
        if current == nil {
            current = state.wait(until: nil) { state -> Piece? in
                state.full.isEmpty ? nil : state.full.removeFirst()
            }
            start = 0
        }
        guard let piece = current else { return 0 }
        if let failure = piece.failure { throw failure }
        let count = min(piece.count - start, buffer.count)
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece.bytes[start..<start + count]))
        start += count
        if start == piece.count, piece.count > 0 {
            current = nil
            state.change { $0.free.append(piece) }
        }
        return count
    }

    /// The reading function on its way to its thread.
    @safe private final class Reading: @unchecked Sendable {
        private let read: (UnsafeMutableRawBufferPointer) throws(ArchiveSource.Failure) -> Int

        init(_ read: @escaping (UnsafeMutableRawBufferPointer) throws(ArchiveSource.Failure) -> Int) {
            unsafe self.read = unsafe read
        }

        func fill(_ piece: Piece) -> Piece {
            var piece = piece
            do throws(ArchiveSource.Failure) {
                piece.count = unsafe try read(piece.bytes)
            } catch {
                piece.count = 0
                piece.failure = error
            }
            return piece
        }
    }
}
