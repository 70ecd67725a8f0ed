internal import Archive
internal import EventModel
internal import HostSupport
internal import Tally
internal import TextEncoding

/// The runs that are wanted, whole: those that fit the criteria, in the order of the archives.
final class RunSelection: @unchecked Sendable {
    private let criteria: RunCriteria
    /// The wanted runs, where that takes to read all of them.
    private var found: [String: Set<Int>]?
    /// What is known of archives beforehand, by their paths.
    private var indexes: [String: ArchiveIndex] = [:]
    /// The runs that were taken, where only the first ones are.
    private var taken: Set<String> = []
    /// How many lines nobody could look at, as they cannot be read or are of a run that did not begin before them.
    private(set) var unreadLines = 0
    /// Where the first of them is.
    private(set) var firstUnreadLine = ""

    init(_ criteria: RunCriteria) { self.criteria = criteria }

    /// Reads the indexes of the archives, and the archives once, where only their content tells which runs are wanted.
    ///
    /// The log is told of indexes that cannot be believed, and of names in the condition that nothing has.
    ///
    /// - Throws: when an archive cannot be read.
    func prepare(_ archives: [ArchiveOperand], _ log: LogPrinter) throws(InputFile.Failure) {
        guard !criteria.isEmpty else { return }
        for case .file(let path) in archives { indexes[path] = ArchiveIndex.read(of: path, log) }
        guard criteria.needsContent else { return }
        var found: [String: Set<Int>] = [:]
        var names = ConditionNames(criteria.condition)
        for archive in archives {
            guard let path = archive.paths.first, archive.paths.allSatisfy(ArchiveParts.isFile) else {
                throw InputFile.Failure(
                    message: "\(archive.name) can be read once, and --where, --asset, --session, --from and --to read "
                        + "archives twice: write it to a file first",
                    number: 0,
                    exitCode: .usage
                )
            }
            if !criteria.asksEvents, let index = indexes[path] {
                for run in index.runs where criteria.has(id: run.id) { add(RunContent(run, criteria), to: &found) }
            } else {
                try read(archive, &found, &names)
            }
        }
        self.found = found
        for warning in names.warnings { log.show(.warning, warning) }
    }

    /// The runs that are wanted by what was read of them.
    var foundRuns: Set<String> { Set((found ?? [:]).keys) }

    /// The runs that were taken so far, where only the first ones are.
    var takenRuns: [String] { taken.sorted() }

    /// Goes on where an earlier process had taken these runs.
    func restore(_ runs: [String]) { taken = Set(runs) }

    /// Whether a run is wanted; to be asked in the order of the archives, from one thread.
    func has(_ run: String) -> Bool {
        guard criteria.has(id: run), found.map({ $0[run] != nil }) ?? true else { return false }
        guard let first = criteria.first, !taken.contains(run) else { return true }
        guard taken.count < first else { return false }
        taken.insert(run)
        return true
    }

    /// What is read of an archive for the runs that are wanted, of which ``has(_:)`` may take the first; nil for all.
    func excerpt(of archive: ArchiveOperand) -> ArchiveExcerpt? {
        guard case .file(let path) = archive else { return nil }
        return indexes[path]?.excerpt { run in criteria.has(id: run) && found.map { $0[run] != nil } ?? true }
    }

    /// Whether a session of a run that is wanted is wanted itself.
    func has(_ run: String, session: UInt32) -> Bool { found?[run]?.contains(Int(session)) ?? true }

    private func read(
        _ archive: ArchiveOperand,
        _ found: inout [String: Set<Int>],
        _ names: inout ConditionNames
    ) throws(InputFile.Failure) {
        // By their ids alone, so that a name that nothing has is warned about in the same cases.
        let excerpt = indexes[archive.operand]?.excerpt { criteria.has(id: $0) }
        let input = try InputFile(
            archive.operand,
            parts: archive.pieces.dropFirst(),
            stretches: excerpt?.stretches ?? archive.pieces.first?.stretches
        )
        var failure: InputFile.Failure?
        let reader = ArchiveReader(
            unsafe ArchiveSource(path: archive.name) { buffer throws(ArchiveSource.Failure) in
                do throws(InputFile.Failure) {
                    return unsafe try input.read(into: buffer)
                } catch {
                    failure = error
                    return 0
                }
            }
        )
        var open: [String: RunContent] = [:]
        /// The last line's run, when it is one that may be wanted.
        var current: RunContent?
        while let line = next(reader, current) {
            let run = reader.decoder.run
            if case .header(let header) = line {
                close(header.run, &open, &found)
                current = criteria.has(id: header.run) ? RunContent(header) : nil
                open[header.run] = current
                continue
            }
            if !(current.map { run == $0.run } ?? false) { current = open[run.string] }
            guard let content = current else {
                countUnread(reader)
                continue
            }
            switch line {
            case .header: break
            case .event(let event):
                names.read(event)
                content.read(event, ordinal: reader.decoder.ordinal, unsafe LineMembers(reader.lineBytes), criteria)
            case .mark(let time): content.reach(time)
            case .end(let time, _, _):
                content.reach(time)
                close(content.run, &open, &found)
                current = nil
            }
        }
        if let failure { throw failure }
        for run in Array(open.keys) { close(run, &open, &found) }
    }

    /// The next line that is no playhead sample of a run, and reads those before it; nil at the archive's end.
    private func next(_ reader: ArchiveReader, _ run: RunContent?) -> ArchiveLine? {
        var latest: Int64 = 0
        var condition = run?.asksOn(criteria) == true ? criteria.sampleCondition : nil
        while let sample = unsafe reader.nextSample() {
            let sample = unsafe EventView(sample)
            latest = max(latest, sample.time)
            guard let asked = condition, let run else { continue }
            if !run.ask(asked, sample, ordinal: reader.decoder.ordinal) { condition = nil }
        }
        run?.reach(latest)
        // What cannot be read costs its line here too; the replay tells where.
        return try? reader.next(damaged: { _ in countUnread(reader) })
    }

    private func countUnread(_ reader: ArchiveReader) {
        unreadLines += 1
        if unreadLines == 1 { firstUnreadLine = "\(reader.path):\(reader.lineNumber)" }
    }

    private func close(_ run: String, _ open: inout [String: RunContent], _ found: inout [String: Set<Int>]) {
        if let content = open.removeValue(forKey: run) { add(content, to: &found) }
    }

    private func add(_ content: RunContent, to found: inout [String: Set<Int>]) {
        guard content.isWanted(criteria) else { return }
        found[content.run, default: []].formUnion(content.sessions(criteria))
    }
}
