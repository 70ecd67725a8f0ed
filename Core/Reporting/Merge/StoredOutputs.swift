package import Coordinator
internal import PluginABI
package import System

/// Outputs that wait in a file, each with the place in the input that caused it, until their turn comes.
///
/// Used by one thread. Nothing of an output stays in memory: many more may wait than memory would hold.
@safe package final class StoredOutputs: OutputConsumer {
    /// Bytes of an ordinary piece of the file; a larger one has a multiple of it.
    private static let pieceBytes = 256 * 1024

    /// An output in a piece: all that it points at lies behind it there.
    @safe private struct Entry {
        /// Bytes up to the next one.
        var length: Int
        let position: UInt64
        let what: UInt32
        let origin: tally_origin
        let item: UnsafeRawPointer?
    }

    @safe private struct Piece {
        let segment: OutputSegment
        let entries: UnsafeRawPointer
    }

    package let wanted: UInt32
    /// How many outputs are missing: there was no room for them.
    package private(set) var lost = 0
    private let file: SpillFile
    private let place: () -> UInt64
    private var pieces: [Piece] = []
    /// Those that are still to be read, the next one last.
    private var unread: [Piece] = []
    /// Where the texts of those lie that said something in the last piece.
    private var texts: [ObjectIdentifier: (identity: OriginIdentity, origin: tally_origin)] = unsafe [:]
    /// How far the next piece was read, and who said what was read last, by where his run's id lies.
    private var offset = 0
    private var last: (run: UnsafePointer<CChar>?, identity: OriginIdentity)?

    /// Stores outputs of the kinds that are wanted; `place` tells the place of what is put in, rising.
    package init(in file: SpillFile, wanted: UInt32, place: @escaping () -> UInt64) {
        self.file = file
        self.wanted = wanted
        self.place = place
    }

    package func consume(_ output: Output) { append(output, at: place()) }

    /// Adds an output that a place caused, which no earlier one is behind.
    func append(_ output: Output, at position: UInt64) {
        let size = OutputCopy.size(of: output) + Self.size(of: output.identity) + MemoryLayout<Entry>.stride
        if pieces.last.map({ $0.segment.capacity - $0.segment.used < size }) ?? true {
            guard addPiece((size + Self.pieceBytes - 1) / Self.pieceBytes * Self.pieceBytes) else {
                lost += 1
                return
            }
        }
        guard let segment = pieces.last?.segment else { return }
        let before = segment.used
        let entry = unsafe segment.allocate(Entry.self)
        var origin = unsafe origin(of: output.identity, in: segment)
        unsafe origin.session = output.session
        unsafe origin.ordinal = output.ordinal
        unsafe origin.time_us = output.time
        let item = unsafe OutputCopy.copy(output, into: segment)
        unsafe entry.initialize(
            to: Entry(
                length: segment.used - before,
                position: position,
                what: output.what,
                origin: origin,
                item: item
            )
        )
    }

    /// Nobody is asked: a replay asks its reporters at the end.
    package func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }

    /// Gives back the memory of what was put in, which is not needed for a while.
    package func rest() {
        pieces.last?.segment.rest()
        unsafe texts.removeAll()
    }

    private func addPiece(_ size: Int) -> Bool {
        rest()
        guard let memory = file.memory(size), let start = unsafe memory.bytes.baseAddress else { return false }
        unsafe pieces.append(Piece(segment: OutputSegment(spilled: memory), entries: UnsafeRawPointer(start)))
        return true
    }

    // MARK: - Origins

    private static func size(of identity: OriginIdentity) -> Int {
        let origin = unsafe identity.origin
        let texts = unsafe [
            origin.player_run_id, origin.plugin_id, origin.plugin_version, origin.instance, origin.video_id,
        ]
        return unsafe texts.reduce(0) { unsafe $0 + OutputCopy.aligned($1.len) }
    }

    /// An origin whose texts lie in the last piece.
    private func origin(of identity: OriginIdentity, in segment: OutputSegment) -> tally_origin {
        // Who is gone may leave its address to another one: the table keeps them.
        if let known = unsafe texts[ObjectIdentifier(identity)] { return unsafe known.origin }
        var origin = unsafe identity.origin
        unsafe origin.player_run_id = unsafe OutputCopy.text(origin.player_run_id, segment)
        unsafe origin.plugin_id = unsafe OutputCopy.text(origin.plugin_id, segment)
        unsafe origin.plugin_version = unsafe OutputCopy.text(origin.plugin_version, segment)
        unsafe origin.instance = unsafe OutputCopy.text(origin.instance, segment)
        unsafe origin.video_id = unsafe OutputCopy.text(origin.video_id, segment)
        unsafe texts[ObjectIdentifier(identity)] = unsafe (identity, origin)
        return unsafe origin
    }

    // MARK: - Reading

    private func beginReading() {
        rest()
        unread = pieces.reversed()
        pieces = []
    }

    /// Where the next output was caused; nil behind the last one.
    private var head: UInt64? {
        while let piece = unread.last {
            if offset < piece.segment.used { return next(in: piece).position }
            unread.removeLast()
            offset = 0
            unsafe last = nil
        }
        return nil
    }

    private func next(in piece: Piece) -> Entry {
        unsafe (piece.entries + offset).load(as: Entry.self)
    }

    /// Lends the next output, and goes on behind it.
    private func passNext(_ body: (Output, UInt64) -> Void) {
        guard let piece = unread.last else { return }
        let entry = next(in: piece)
        let run = unsafe entry.origin.player_run_id.ptr
        let identity = unsafe last.flatMap { unsafe $0.run == run ? $0.identity : nil } ?? OriginIdentity(entry.origin)
        unsafe last = unsafe (run, identity)
        offset += entry.length
        let output = unsafe Output(
            what: entry.what,
            identity: identity,
            session: entry.origin.session,
            ordinal: entry.origin.ordinal,
            time: entry.origin.time_us,
            item: entry.item
        )
        body(output, entry.position)
        withExtendedLifetime(identity) {}
    }

    /// Lends the outputs of several stores in the order of their places, and empties them.
    package static func merge(_ stores: [StoredOutputs], _ body: (Output, UInt64) -> Void) {
        for store in stores { store.beginReading() }
        var heads = stores.map { $0.head ?? .max }
        while let first = heads.indices.min(by: { heads[$0] < heads[$1] }), heads[first] < .max {
            stores[first].passNext(body)
            heads[first] = stores[first].head ?? .max
        }
    }

    /// Adds the outputs of several stores in the order of their places, and empties them.
    package func append(_ stores: [StoredOutputs]) {
        Self.merge(stores) { append($0, at: $1) }
        lost += stores.reduce(0) { $0 + $1.lost }
    }
}
