internal import Glibc
internal import System

/// Makes entries safe: they are there again after the process or the machine has died.
///
/// An entry is bytes; the journal numbers them from 1 without gaps. Everything may be called from any thread.
package final class Journal: Sendable {
    /// What a journal may use.
    package struct Options: Sendable {
        /// How long an entry waits for others at most, us: they are made safe together.
        package var window: Int64 = 20_000
        /// After how many bytes another file is begun.
        package var segmentBytes = 64 * 1024 * 1024
        /// How many bytes may wait to be made safe; beyond, entries are refused.
        package var waitingBytes = 64 * 1024 * 1024
        /// Is told why entries cannot be made safe when that begins, and nil when it is over; on the journal's thread.
        package var problemChanged: @Sendable (String?) -> Void = { _ in }

        package init() {}
    }

    /// What was done so far.
    package struct Statistics: Sendable {
        /// Entries that are safe, of this process.
        package var entries: UInt64 = 0
        /// Their bytes, with what the journal adds.
        package var bytes: UInt64 = 0
        /// How often entries were made safe.
        package var commits: UInt64 = 0
        /// Commits that failed: disk full and the like.
        package var failures: UInt64 = 0
        /// The longest commit, us.
        package var longestCommit: Int64 = 0
        /// Why the last commit failed; nil when it did not.
        package var problem: String?
    }

    /// What became of entries that were appended together.
    package typealias Completion = @Sendable (Result<Range<UInt64>, JournalFailure>) -> Void

    private struct Batch {
        let entries: [[UInt8]]
        let completion: Completion
    }

    private struct State {
        var waiting: [Batch] = []
        var waitingBytes = 0
        var isClosing = false
        var statistics = Statistics()
        /// Rises whenever entries did not become safe.
        var generation: UInt64 = 0
    }

    /// How often is tried whether entries can be made safe again, us.
    private static let probingInterval: Int64 = 1_000_000

    private let options: Options
    private let folder: Lock<JournalFolder>
    private let state = Condition(State())
    private let thread = Lock<Thread?>(nil)

    /// Opens the journal in a folder, which is made when it is not there.
    ///
    /// `recovered` is called with each entry that earlier processes made safe, in their order.
    package init(
        folder path: String,
        options: Options = Options(),
        recovered: (UInt64, UnsafeRawBufferPointer) -> Void
    ) throws(JournalFailure) {
        self.options = options
        var folder = try JournalFolder(path)
        unsafe try folder.recover(recovered)
        self.folder = Lock(folder)
        thread.with { thread in
            thread = Thread(name: "tally-journal") { [weak self] in
                while let self, self.commitNext() {}
            }
        }
    }

    /// What was done so far.
    package var statistics: Statistics { state.with { $0.statistics } }

    /// Rises whenever entries did not become safe; what counts on those before it is appended for one generation.
    package var generation: UInt64 { state.with { $0.generation } }

    /// Appends entries that belong together, and calls `completion` on the journal's thread once all of them are safe,
    /// or none is; an empty list is safe when all that was appended before is.
    ///
    /// `generation` is what ``generation`` was when the caller knew of nothing that was not safe.
    ///
    /// - Returns: false when too much waits already, or another generation has begun: nothing was appended, and
    ///   `completion` is not called.
    package func append(_ entries: [[UInt8]], generation: UInt64, completion: @escaping Completion) -> Bool {
        let bytes = entries.reduce(0) { $0 + $1.count + JournalFolder.frameBytes }
        return state.change { state in
            guard !state.isClosing, state.generation == generation,
                state.waitingBytes + bytes <= options.waitingBytes
            else { return false }
            state.waitingBytes += bytes
            state.waiting.append(Batch(entries: entries, completion: completion))
            return true
        }
    }

    /// Deletes what is not needed any more, files with nothing but entries before this one, and prepares the next file.
    ///
    /// By one thread at a time.
    package func discard(before ordinal: UInt64) {
        for path in folder.with({ $0.forget(before: ordinal) }) { unsafe unlink(path) }
        guard let path = folder.with({ $0.wantedSpare }) else { return }
        if JournalFolder.makeSpare(path, bytes: options.segmentBytes) { folder.with { $0.useSpare() } }
    }

    /// Deletes entries of a journal that nobody uses; their numbers stay.
    ///
    /// - Returns: how many.
    package static func erase(
        in path: String,
        where concerns: (UnsafeRawBufferPointer) -> Bool
    ) throws(JournalFailure) -> Int {
        var folder = try JournalFolder(path)
        unsafe try folder.recover { _, _ in }
        return unsafe try folder.erase(concerns)
    }

    /// Reads the entries of a journal that nobody uses.
    ///
    /// - Returns: the number of the last one; 0 when there never was one.
    package static func read(
        in path: String,
        _ body: (UInt64, UnsafeRawBufferPointer) -> Void
    ) throws(JournalFailure) -> UInt64 {
        var folder = try JournalFolder(path)
        unsafe try folder.recover(body)
        return folder.next - 1
    }

    /// The number that the next entry gets.
    package var nextOrdinal: UInt64 { folder.with { $0.next } }

    /// Makes all that waits safe, and takes no more.
    package func close() {
        state.change { $0.isClosing = true }
        thread.with { $0 }?.join()
        folder.with { $0.endSegment() }
    }

    // MARK: - The journal's thread

    /// Makes safe what waits; false when the journal is closed and nothing is left.
    private func commitNext() -> Bool {
        // While nothing can be made safe nobody may send anything: whether it can again is tried without them.
        let isFailing = state.with { $0.statistics.problem != nil }
        let deadline = isFailing ? SystemTime.monotonic() + Self.probingInterval : nil
        let batches = state.wait(until: deadline) { state -> [Batch]? in
            guard !state.waiting.isEmpty || state.isClosing else { return nil }
            return state.waiting
        }
        guard let waiting = batches else {
            if folder.with({ $0.canWrite() }) { report(nil) }
            return true
        }
        guard !waiting.isEmpty else { return false }
        let started = SystemTime.monotonic()
        let taken = state.with { state in
            defer {
                state.waiting = []
                state.waitingBytes = 0
            }
            return state.waiting
        }
        let outcome = folder.with { folder in
            Result { () throws(JournalFailure) in
                try folder.write(taken.map(\.entries), segmentBytes: options.segmentBytes)
            }
        }
        let lasted = SystemTime.monotonic() - started
        // What came meanwhile counts on what failed.
        let failed = state.with { state -> [Batch] in
            guard case .failure = outcome else { return [] }
            state.generation += 1
            defer {
                state.waiting = []
                state.waitingBytes = 0
            }
            return state.waiting
        }
        state.with { state in
            state.statistics.commits += 1
            state.statistics.longestCommit = max(state.statistics.longestCommit, lasted)
            switch outcome {
            case .success(let written):
                state.statistics.entries += UInt64(taken.reduce(0) { $0 + $1.entries.count })
                state.statistics.bytes += UInt64(written.bytes)
            case .failure:
                state.statistics.failures += 1
            }
        }
        switch outcome {
        case .success(let written):
            report(nil)
            for (batch, range) in zip(taken, written.ranges) { batch.completion(.success(range)) }
        case .failure(let failure):
            report(failure.description)
            for batch in taken + failed { batch.completion(.failure(failure)) }
        }
        // Others gather meanwhile: one commit for all of them costs as much as one for the first.
        let rest = options.window - (SystemTime.monotonic() - started)
        if rest > 0, !state.with({ $0.isClosing }) { usleep(UInt32(rest)) }
        return true
    }

    /// Keeps why entries cannot be made safe, and says so when that begins or ends.
    private func report(_ problem: String?) {
        let isNews = state.with { state in
            defer { state.statistics.problem = problem }
            return (state.statistics.problem == nil) != (problem == nil)
        }
        if isNews { options.problemChanged(problem) }
    }
}
