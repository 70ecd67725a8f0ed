internal import HostSupport
internal import Tally
internal import TextEncoding

/// The runs that are wanted, whole: those that fit the criteria, in the order of the archives.
final class RunSelection: @unchecked Sendable {
    private let criteria: RunCriteria
    /// The wanted runs, where that takes to read all of them.
    private var found: [String: Set<Int>]?
    /// The runs that were taken, where only the first ones are.
    private var taken: Set<String> = []

    init(_ criteria: RunCriteria) { self.criteria = criteria }

    /// Reads the archives once, where only their content tells which runs are wanted.
    ///
    /// The log is told of names in the condition that nothing in the archives has.
    ///
    /// - Throws: when an archive cannot be read.
    func prepare(_ archives: [ArchiveOperand], _ log: LogPrinter) throws(InputFile.Failure) {
        guard criteria.needsContent else { return }
        var found: [String: Set<Int>] = [:]
        var names = ConditionNames(criteria.condition)
        for archive in archives {
            guard case .file(let path) = archive else {
                throw InputFile.Failure(
                    message: "standard input can be read once, and --where, --asset, --session, --from and --to read "
                        + "archives twice: write it to a file first",
                    number: 0,
                    exitCode: .usage
                )
            }
            try read(LineReader(try InputFile(path)), &found, &names)
        }
        self.found = found
        for warning in names.warnings { log.show(.warning, warning) }
    }

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

    /// Whether a session of a run that is wanted is wanted itself.
    func has(_ run: String, session: UInt32) -> Bool { found?[run]?.contains(Int(session)) ?? true }

    private func read(
        _ reader: LineReader,
        _ found: inout [String: Set<Int>],
        _ names: inout ConditionNames
    ) throws(InputFile.Failure) {
        var open: [String: RunContent] = [:]
        while let bytes = unsafe try reader.next() {
            // What cannot be read costs its line here too; the replay tells where.
            guard let line = unsafe try? JSONParser().parse(bytes).object, let run = line["run"]?.string,
                criteria.has(id: run)
            else { continue }
            if let header = line["tally"] {
                close(run, &open, &found)
                open[run] = RunContent(epoch: header["epoch_us"]?.int ?? 0)
                continue
            }
            names.read(line)
            open[run]?.read(line, criteria)
            if line["end"] != nil { close(run, &open, &found) }
        }
        for run in Array(open.keys) { close(run, &open, &found) }
    }

    private func close(_ run: String, _ open: inout [String: RunContent], _ found: inout [String: Set<Int>]) {
        guard let content = open.removeValue(forKey: run), content.isWanted(criteria) else { return }
        found[run, default: []].formUnion(content.sessions(criteria))
    }
}
