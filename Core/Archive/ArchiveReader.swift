internal import Glibc
package import PluginABI

/// Reads an archive line by line; a damaged line costs that line and is reported with its place.
@safe package final class ArchiveReader {
    /// A line that could not be used.
    package struct Damage: Error, Equatable, Sendable, CustomStringConvertible {
        /// The file.
        package let path: String
        /// The line, from 1.
        package let line: Int
        /// What is wrong with it.
        package let problem: ArchiveLineProblem

        package init(path: String, line: Int, problem: ArchiveLineProblem) {
            self.path = path
            self.line = line
            self.problem = problem
        }

        package var description: String { "\(path):\(line): \(problem)" }
    }

    /// The decoder, which tells the run and the number of the last line.
    package let decoder = ArchiveLineDecoder()
    /// The number of the last line, from 1.
    @safe @exclusivity(unchecked) package private(set) var lineNumber = 0
    /// How many bytes the lines up to the last one have, with their breaks.
    package var offset: Int { bytesRead - (end - start) }
    /// Where among the bytes the line begins that ``next(damaged:)`` gave last.
    package var lineOffset: Int { unsafe offset - lastLine.count - 1 }
    /// Bytes read so far.
    @safe @exclusivity(unchecked) package private(set) var bytesRead = 0

    /// Bytes that are asked of the source at once.
    private static let readBytes = 256 * 1024

    private let source: ArchiveSource?
    private let feed: (any LineFeed)?
    private let buffer: UnsafeMutableRawBufferPointer
    /// Where lines lie: in the buffer, or in memory of the feed's.
    @exclusivity(unchecked) private var memory: UnsafeRawPointer
    @safe @exclusivity(unchecked) private var start = 0
    /// Behind the last byte that may belong to a line.
    @safe @exclusivity(unchecked) private var end = 0
    /// Behind the last byte that can be read.
    @safe @exclusivity(unchecked) private var readable = 0
    private var atEnd = false

    /// Begins to read.
    ///
    /// A source that does not begin with the archive's first byte has so many lines and bytes before it.
    package init(_ source: ArchiveSource, behindLine line: Int = 0, offset: Int = 0) {
        lineNumber = line
        bytesRead = offset
        self.source = source
        feed = nil
        path = source.path
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * ArchiveFormat.longestLine, alignment: 64)
        unsafe buffer = UnsafeMutableRawBufferPointer(start: memory, count: 2 * ArchiveFormat.longestLine)
        unsafe self.memory = UnsafeRawPointer(memory)
    }

    /// Takes lines that someone else has found, and counts their bytes.
    package init(_ feed: any LineFeed) {
        source = nil
        self.feed = feed
        path = feed.path
        unsafe buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        let nothing = StaticString("")
        unsafe memory = UnsafeRawPointer(nothing.utf8Start)
    }

    /// The last line that ``next(damaged:)`` gave, without its break; lent until the next one is read.
    package var lineBytes: UnsafeRawBufferPointer { unsafe lastLine }
    @exclusivity(unchecked) private var lastLine = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    deinit {
        unsafe buffer.deallocate()
    }

    /// The file's name.
    package let path: String

    /// Reads on until a line can be used, nil at the archive's end; `damaged` is called with each that cannot be.
    package func next(damaged: (Damage) -> Void) throws(ArchiveSource.Failure) -> ArchiveLine? {
        while let line = unsafe try nextLine(damaged: damaged) {
            guard unsafe !Self.isBlank(line) else { continue }
            unsafe lastLine = unsafe line
            do {
                return unsafe try decoder.decode(line)
            } catch {
                damaged(Damage(path: path, line: lineNumber, problem: error))
            }
        }
        return nil
    }

    /// The next line if it is a playhead sample of the same run as the last line, and its bytes are at hand; else nil,
    /// and ``next(damaged:)`` goes on.
    ///
    /// Lent until the next line is read. In nearly every archive nearly every line is one.
    package func nextSample() -> UnsafeMutablePointer<tally_event>? {
        guard start < end, let taken = unsafe decoder.decodeSample(at: memory + start, count: readable &- start) else {
            return nil
        }
        start &+= unsafe taken.count
        lineNumber &+= 1
        return unsafe taken.event
    }

    /// The bytes of the next complete line, without its break; nil at the end.
    private func nextLine(damaged: (Damage) -> Void) throws(ArchiveSource.Failure) -> UnsafeRawBufferPointer? {
        var searched = start
        while true {
            if let found = lineBreak(from: searched) {
                let line = unsafe UnsafeRawBufferPointer(start: memory + start, count: found - start)
                start = found + 1
                searched = start
                lineNumber += 1
                if line.count <= ArchiveFormat.longestLine { return unsafe line }
                damaged(Damage(path: path, line: lineNumber, problem: .tooLong))
                continue
            }
            searched = end
            if let feed {
                guard let stretch = feed.next() else { return nil }
                begin(stretch)
                searched = 0
                continue
            }
            if atEnd {
                guard start < end else { return nil }
                let isTooLong = end - start > ArchiveFormat.longestLine
                lineNumber += 1
                start = end
                damaged(Damage(path: path, line: lineNumber, problem: isTooLong ? .tooLong : .cutOff))
                return nil
            }
            let before = start
            if end - start > ArchiveFormat.longestLine {
                lineNumber += 1
                damaged(Damage(path: path, line: lineNumber, problem: .tooLong))
                try skipLine()
                searched = start
                continue
            }
            try fill()
            searched -= before - start
        }
    }

    /// Whether a line says nothing: it is empty or, where lines end in CR LF, all white space.
    private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    private func lineBreak(from offset: Int) -> Int? {
        guard offset < end, let found = unsafe memchr(memory + offset, 0x0A, end - offset) else { return nil }
        return unsafe UnsafeRawPointer(found) - memory
    }

    private func begin(_ stretch: LineStretch) {
        guard let first = unsafe stretch.bytes.baseAddress else { return }
        unsafe memory = unsafe first
        start = 0
        end = unsafe stretch.bytes.count
        readable = stretch.readable
        bytesRead += end
        lineNumber = stretch.firstNumber - 1
    }

    /// Makes room and reads more.
    private func fill() throws(ArchiveSource.Failure) {
        if start > 0, let base = unsafe buffer.baseAddress {
            unsafe memmove(base, base + start, end - start)
            end -= start
            start = 0
        }
        // No more than a processor's own cache holds besides: a line is read soon after its bytes came.
        let room = unsafe end..<min(buffer.count, end + Self.readBytes)
        let got = unsafe try source?.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[room])) ?? 0
        atEnd = got == 0
        end += got
        readable = end
        bytesRead += got
    }

    /// Drops bytes up to the next line break.
    private func skipLine() throws(ArchiveSource.Failure) {
        while !atEnd {
            start = end
            try fill()
            if let found = lineBreak(from: start) {
                start = found + 1
                return
            }
        }
    }
}

/// Lines of one archive that were found by someone else, for whoever decodes them.
package protocol LineFeed: AnyObject {
    /// The archive's name.
    var path: String { get }

    /// The next lines that follow each other, nil at the archive's end; lent until the next call.
    func next() -> LineStretch?
}

/// Whole lines that follow each other in an archive, with their breaks.
@safe package struct LineStretch {
    /// The lines.
    let bytes: UnsafeRawBufferPointer
    /// How many bytes from the first on can be read: those of the lines, and maybe more.
    let readable: Int
    /// The number of the first line, from 1.
    let firstNumber: Int

    /// Lends the first `count` of the readable bytes, which are whole lines.
    package init(_ readable: UnsafeRawBufferPointer, count: Int, firstNumber: Int) {
        unsafe bytes = UnsafeRawBufferPointer(rebasing: readable[..<count])
        self.readable = readable.count
        self.firstNumber = firstNumber
    }
}
