internal import Archive
internal import EventModel
internal import Glibc
internal import HostSupport
internal import Tally

/// Reads of an archive's lines which runs they belong to, many times as fast as a replay reads them.
@safe struct RunLineScan {
    /// One line that was looked at.
    @safe struct Line {
        /// Its run's id, lent until the next line is read.
        let run: UnsafeRawBufferPointer
        /// Its number in the run; 0 is the header's.
        let ordinal: UInt64
        /// Where it begins in the plain text.
        let offset: Int
        /// What the line is, as far as it matters here.
        let kind: Kind
        /// When the run began by the wall clock, us since 1970, where it is a header that was decoded.
        let epoch: Int64?
    }

    /// What a line is to its run.
    enum Kind {
        case header
        case end
        case other
    }

    private static let lead = Array(#"{"run":""#.utf8)
    private static let number = Array(#"","n":"#.utf8)
    private static let header = Array(#","tally":"#.utf8)
    private static let time = Array(#","t_us":"#.utf8)
    private static let end = Array(#","end":"#.utf8)

    /// The first line, where that cannot be read: perhaps the rest of one that another archive begins.
    private(set) var head: [UInt8] = []
    /// The last line, where that was cut off.
    private(set) var tail: [UInt8] = []
    /// Whether it begins with a line that can be read, and no line so far was cut off.
    private(set) var isWhole = true
    /// How many plain bytes were read.
    var position: Int { lines.position }

    private let lines: LineReader
    /// Whether the wall clock of each header is wanted.
    private let decodesHeaders: Bool
    private var decoder = ArchiveLineDecoder()
    /// Whether a line was read.
    private var isBegun = false
    /// How the last line began, as far as its number.
    private var last: [UInt8] = []

    /// Opens an archive; nil when it cannot be read twice.
    ///
    /// The wall clock of the first header is known, or with `decodingHeaders` that of each; then the line behind each
    /// header is among those that ``next()`` gives, too.
    init?(_ archive: ArchiveOperand, decodingHeaders: Bool = false) {
        guard case .file(let path) = archive, ArchiveParts.isFile(path), let input = try? InputFile(path) else {
            return nil
        }
        lines = LineReader(input)
        decodesHeaders = decodingHeaders
    }

    /// The next line that is not plainly one more event of the last line's run; nil at the end.
    ///
    /// Lines that cannot be read are left out, as is what no more can be read of: a replay tells what is wrong.
    mutating func next() -> Line? {
        while let bytes = unsafe nextLine() {
            if lines.isCutOff {
                unsafe tail = bytes.count <= ArchiveFormat.longestLine ? Array(bytes) : []
                isWhole = false
                return nil
            }
            if unsafe goesOn(bytes) { continue }
            guard let line = unsafe plain(bytes) ?? decoded(bytes) else {
                // A damaged line further on lies between those of runs, and is told where they are replayed.
                if lines.lineNumber == 1 {
                    isWhole = false
                    unsafe head = bytes.count <= ArchiveFormat.longestLine ? Array(bytes) : []
                }
                continue
            }
            isBegun = true
            return line
        }
        return nil
    }

    private mutating func nextLine() -> UnsafeRawBufferPointer? {
        do throws(InputFile.Failure) {
            return unsafe try lines.next()
        } catch {
            isWhole = false
            return nil
        }
    }

    /// Whether it is an event of the last line's run: headers have the number 0, and ends and marks no inner member.
    private func goesOn(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !last.isEmpty, line.count > last.count + 2, unsafe line[last.count] != 0x30 else { return false }
        guard unsafe line[line.count - 2] == 0x7D, unsafe line[line.count - 1] == 0x7D else { return false }
        return unsafe Self.has(line, last, at: 0)
    }

    /// A line in the form that Tally writes.
    private mutating func plain(_ line: UnsafeRawBufferPointer) -> Line? {
        last.removeAll(keepingCapacity: true)
        guard unsafe Self.has(line, Self.lead, at: 0) else { return nil }
        let begin = Self.lead.count
        guard let quote = unsafe line[begin...].firstIndex(where: { $0 == 0x22 || $0 == 0x5C }),
            unsafe Self.has(line, Self.number, at: quote)
        else { return nil }
        var place = quote + Self.number.count
        let prefix = place
        guard let ordinal = unsafe Self.digits(line, &place), unsafe line.last == 0x7D else { return nil }
        var kind = Kind.other
        var epoch: Int64?
        if ordinal == 0 {
            guard unsafe Self.has(line, Self.header, at: place) else { return nil }
            kind = .header
            // Not of one that is damaged, or that a newer Tally wrote.
            if decodesHeaders || !isBegun { epoch = unsafe self.epoch(ofHeader: line) }
        } else if unsafe Self.has(line, Self.time, at: place) {
            place += Self.time.count
            if unsafe Self.digits(line, &place) != nil, unsafe Self.has(line, Self.end, at: place) { kind = .end }
        }
        // The number of the line behind a header says where the run's lines here belong among those elsewhere.
        if !decodesHeaders || kind != .header { unsafe last.append(contentsOf: line[..<prefix]) }
        let run = unsafe UnsafeRawBufferPointer(rebasing: line[begin..<quote])
        return unsafe Line(run: run, ordinal: ordinal, offset: lines.offset, kind: kind, epoch: epoch)
    }

    /// A line in any form.
    private mutating func decoded(_ line: UnsafeRawBufferPointer) -> Line? {
        guard line.count <= ArchiveFormat.longestLine, let content = try? unsafe decoder.decode(line) else {
            return nil
        }
        let run = unsafe decoder.run.bytes
        let offset = lines.offset
        return switch content {
        case .header(let header):
            unsafe Line(run: run, ordinal: 0, offset: offset, kind: .header, epoch: Self.epoch(header))
        case .end: unsafe Line(run: run, ordinal: decoder.ordinal, offset: offset, kind: .end, epoch: nil)
        case .event, .mark: unsafe Line(run: run, ordinal: decoder.ordinal, offset: offset, kind: .other, epoch: nil)
        }
    }

    private mutating func epoch(ofHeader line: UnsafeRawBufferPointer) -> Int64? {
        guard case .header(let header)? = try? unsafe decoder.decode(line) else { return nil }
        return Self.epoch(header)
    }

    /// The wall clock of a header whose rules this version knows.
    private static func epoch(_ header: ArchiveHeader) -> Int64? {
        RunDescription.knownSemantics.contains(header.semantics) ? header.epoch : nil
    }

    /// The run and the number of a line; nil when bytes are none.
    static func line(_ bytes: [UInt8]) -> (run: String, ordinal: UInt64)? {
        guard bytes.count <= ArchiveFormat.longestLine else { return nil }
        let decoder = ArchiveLineDecoder()
        guard unsafe bytes.withUnsafeBytes({ (try? unsafe decoder.decode($0)) != nil }) else { return nil }
        return (decoder.run.string, decoder.ordinal)
    }

    private static func has(_ line: UnsafeRawBufferPointer, _ bytes: [UInt8], at place: Int) -> Bool {
        guard line.count >= place + bytes.count, let base = line.baseAddress else { return false }
        return unsafe memcmp(base + place, bytes, bytes.count) == 0
    }

    private static func digits(_ line: UnsafeRawBufferPointer, _ place: inout Int) -> UInt64? {
        var value: UInt64 = 0
        let begin = place
        while place < line.count, unsafe 0x30...0x39 ~= line[place], place - begin < 19 {
            value = unsafe value * 10 + UInt64(line[place] - 0x30)
            place += 1
        }
        return place > begin ? value : nil
    }
}
