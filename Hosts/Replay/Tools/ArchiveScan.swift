internal import Archive
internal import EventModel
internal import HostSupport
internal import Tally

/// Reads the lines of archives that belong to chosen runs, one after another.
@safe final class ArchiveScan {
    /// One line.
    @safe struct Line {
        /// Its bytes without the break, lent until the next line is read.
        let bytes: UnsafeRawBufferPointer
        /// Where it begins in the plain text; of an archive that is read whole.
        let offset: Int
        let run: String
        /// Its number in the run.
        let ordinal: UInt64
        /// What it says, lent likewise.
        let content: ArchiveLine
        /// The first of its members that means nothing, if there is one.
        let unknownMember: String?
    }

    /// How many damaged places are told.
    private static let placesShown = 10

    /// Lines that could not be used.
    private(set) var damaged = 0
    /// Whether a newer version wrote an archive, which is no damage.
    private(set) var hasNewer = false
    /// Whether it wrote this archive, which is not read on then.
    private var isNewer = false
    private var archives: ArraySlice<ArchiveOperand>
    /// The runs that are chosen; nil takes all.
    private let selection: RunSelection?
    private let log: LogPrinter
    /// What is read of this archive; nil for all of it.
    private var excerpt: ArchiveExcerpt?
    /// Whether an archive without anything in it is told.
    private let tellsHollow: Bool
    private var reader: LineReader?
    /// Damaged lines before this archive.
    private var damagedBefore = 0
    /// The archive that was read to its end last.
    private var lastName = ""
    private var decoder = ArchiveLineDecoder()
    /// The runs of this archive that began, and whether they are chosen.
    private var runs: [String: Bool] = [:]

    /// Prepares to read the archives for the runs of a selection.
    ///
    /// `tellsHollow` counts an archive as damaged in which there is no player run; without it every line is read.
    init(_ archives: [ArchiveOperand], _ selection: RunSelection?, log: LogPrinter, tellsHollow: Bool = false) {
        self.tellsHollow = tellsHollow
        self.archives = archives[...]
        self.selection = selection
        self.log = log
    }

    /// The next line of a chosen run, nil at the end of the last archive.
    func next() throws(InputFile.Failure) -> Line? {
        while true {
            guard let reader else {
                guard let archive = archives.popFirst() else { return nil }
                excerpt = tellsHollow ? selection?.excerpt(of: archive) : nil
                reader = LineReader(try InputFile(archive.operand, stretches: excerpt?.stretches))
                runs = [:]
                damagedBefore = damaged
                isNewer = false
                continue
            }
            guard let bytes = unsafe try reader.next() else {
                end(reader)
                continue
            }
            // As for a replay: its writer was cut off, however whole it looks.
            if reader.isCutOff {
                report(.cutOff)
                continue
            }
            if let line = unsafe line(bytes, at: reader.offset) { return line }
            if isNewer { end(reader) }
        }
    }

    private func end(_ reader: LineReader) {
        lastName = reader.name
        self.reader = nil
        guard tellsHollow, excerpt == nil, !isNewer, runs.isEmpty else { return }
        if damaged == damagedBefore { damaged += 1 }
        log.show(.error, "\(reader.name): this is no archive: it holds no player run")
    }

    private func line(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Line? {
        guard unsafe bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
        guard bytes.count <= ArchiveFormat.longestLine else {
            report(.tooLong)
            return nil
        }
        let content: ArchiveLine
        do throws(ArchiveLineProblem) {
            content = unsafe try decoder.decode(bytes)
        } catch {
            report(error)
            return nil
        }
        let run = decoder.run.string
        if case .header(let header) = content {
            guard RunDescription.knownSemantics.contains(header.semantics) else {
                report(.unknownSemantics(header.semantics))
                return nil
            }
            runs[run] = selection?.has(run) ?? true
        }
        guard let isChosen = runs[run] else {
            report(.noHeader(run: run))
            runs[run] = false
            return nil
        }
        guard isChosen else { return nil }
        return unsafe Line(
            bytes: bytes,
            offset: offset,
            run: run,
            ordinal: decoder.ordinal,
            content: content,
            unknownMember: decoder.unknownMember
        )
    }

    /// Where the last line that was read stands.
    var place: LinePlace { LinePlace(file: reader?.name ?? lastName, line: reader?.lineNumber ?? 0) }

    /// Counts a damaged place, which is the last line that was read, and shows the first ones.
    func report(_ problem: ArchiveLineProblem) {
        let place = reader.map { "\($0.name):\($0.lineNumber)" } ?? lastName
        if problem.isNewer {
            (isNewer, hasNewer) = (true, true)
            log.show(.error, "\(place): \(problem)")
            return
        }
        damaged += 1
        if damaged <= Self.placesShown { log.show(.warning, "\(place): \(problem)") }
    }
}
