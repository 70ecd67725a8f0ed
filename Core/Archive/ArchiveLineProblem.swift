/// What is wrong with one line of an archive.
public enum ArchiveLineProblem: Error, Sendable, Equatable {
    /// The line is no JSON object of the expected form; with the byte where that shows, from 1.
    case malformed(String, column: Int)
    /// The line holds bytes that are not UTF-8.
    case notUTF8
    /// The line is longer than ``ArchiveFormat/longestLine``.
    case tooLong
    /// The last line has no end: the writer was cut off.
    case cutOff
    /// A header line lacks something.
    case header(String)
    /// The header names a format that this version does not know.
    case newerFormat(Int64)
    /// The header names rules that this core does not have.
    case unknownSemantics(Int64)
    /// An event breaks a limit.
    case limit(String)
    /// The line belongs to a run whose header has not been seen.
    case noHeader(run: String)
    /// The line belongs to a run that was closed before its end, and none of whose lines are kept.
    case closedRun(run: String)
    /// Lines before this one are missing.
    case gap(run: String, missing: UInt64)
    /// The line comes after a later one of its run.
    case outOfOrder(run: String, ordinal: UInt64)
    /// The line is dated before the one before it, or within a sleep of the machine; both times in us.
    case timeGoesBack(time: Int64, earliest: Int64)

    /// The line is dated further behind the one before it than a run's silence may last.
    package static let tooLate = ArchiveLineProblem.limit("t_us is more than 31 days after the line before")

    /// Whether nothing is wrong with the archive but that it was written by a newer Tally.
    package var isNewer: Bool {
        switch self {
        case .newerFormat, .unknownSemantics: true
        default: false
        }
    }
}

extension ArchiveLineProblem: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .malformed(let what, let column): "damaged line: \(what) at column \(column)"
        case .notUTF8: "damaged line: not UTF-8"
        case .tooLong: "damaged line: longer than \(ArchiveFormat.longestLine) bytes"
        case .cutOff: "the last line is cut off"
        case .header(let what): "damaged header: \(what)"
        case .newerFormat(let format):
            "the archive was written by a newer Tally, format \(format), and this one reads up to format "
                + "\(ArchiveFormat.version): use a newer one"
        case .unknownSemantics(let semantics):
            "the archive was written by a newer Tally, by rules number \(semantics), which this one does not have: "
                + "use a newer one"
        case .limit(let what): "event refused: \(what)"
        case .noHeader(let run): "line of the run \(run) before its header"
        case .closedRun(let run): "line of the run \(run), which was closed before its end: it is left out"
        case .gap(let run, 1): "1 line of the run \(run) is missing before this one"
        case .gap(let run, let missing): "\(missing) lines of the run \(run) are missing before this one"
        case .outOfOrder(let run, let ordinal): "line \(ordinal) of the run \(run) comes too late"
        case .timeGoesBack(let time, let earliest):
            "t_us goes back to \(time), and the run had come to \(earliest): the line counts as of then"
        }
    }
}

extension LineCursor {
    /// What may be wrong with a line; made into text only when a line is refused.
    enum Problem {
        case text(StaticString)
        case expected(UInt8)

        var text: String {
            switch self {
            case .text(let text): "\(text)"
            case .expected(let byte): "expected '\(Character(UnicodeScalar(byte)))'"
            }
        }
    }
}
