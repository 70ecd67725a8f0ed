internal import Archive
internal import EventModel

/// Checks that the lines of each run follow one another as a replay wants them.
struct RunOrder {
    private struct OpenRun {
        /// The number of its rules.
        let semantics: Int64
        /// The number and the time that its next line has at least.
        var ordinal: UInt64 = 1
        var time: Int64 = 0
    }

    private var open: [String: OpenRun] = [:]

    /// Runs that began and have not ended.
    var openRuns: Int { open.count }

    /// Reports what is wrong with the place of a line to the scan; false for a line that a replay does not use.
    mutating func check(_ line: ArchiveScan.Line, _ scan: ArchiveScan) -> Bool {
        if case .header(let header) = line.content {
            // Nothing comes behind the header of an erased run.
            open[line.run] = header.isErased ? nil : OpenRun(semantics: header.semantics)
            return true
        }
        guard var run = open[line.run] else {
            scan.report(.malformed("a line behind the end of the run \(line.run)", column: 1))
            return false
        }
        if line.ordinal > run.ordinal {
            scan.report(.gap(run: line.run, missing: line.ordinal - run.ordinal))
        } else if line.ordinal < run.ordinal {
            scan.report(.outOfOrder(run: line.run, ordinal: line.ordinal))
            return false
        }
        run.ordinal = line.ordinal + 1
        let time = line.content.time ?? 0
        guard time - run.time <= Limits.longestSilenceMicroseconds else {
            scan.report(.tooLate)
            open[line.run] = run
            return false
        }
        if time < run.time { scan.report(.timeGoesBack(time: time, earliest: run.time)) }
        run.time = max(time, run.time)
        // What comes behind a sleep is dated behind it.
        if case .event(let event) = line.content, run.semantics >= 2 { run.time += event.sleepMicroseconds }
        open[line.run] = run
        if case .end = line.content { open[line.run] = nil }
        return true
    }
}
