internal import Glibc
internal import HostSupport

/// Reads an input line by line, with memory that the longest line bounds.
@safe final class LineReader {
    /// The longest line that is taken, bytes.
    static let longestLine = 64 * 1024 * 1024

    /// The name that messages use.
    var name: String { input.name }
    /// The number of the last line, from 1.
    private(set) var lineNumber = 0
    /// Where the last line begins, in bytes.
    private(set) var offset = 0
    /// Where the next line begins, in bytes.
    var position: Int { passed + start }
    /// Whether the last line had no break.
    private(set) var isCutOff = false

    private let input: InputFile
    private var buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// Bytes before those in the buffer.
    private var passed = 0
    private var atEnd = false

    init(_ input: InputFile) {
        self.input = input
        unsafe buffer = .allocate(byteCount: 256 * 1024, alignment: 64)
    }

    deinit { unsafe buffer.deallocate() }

    /// The next line without its break, lent until the next call; nil at the end.
    func next() throws(InputFile.Failure) -> UnsafeRawBufferPointer? {
        var searched = start
        while true {
            if let found = lineBreak(from: searched) {
                let line = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<found])
                offset = passed + start
                start = found + 1
                lineNumber += 1
                return unsafe line
            }
            if atEnd {
                guard start < end else { return nil }
                let line = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<end])
                offset = passed + start
                start = end
                lineNumber += 1
                isCutOff = true
                return unsafe line
            }
            let known = end - start
            try fill()
            searched = start + known
        }
    }

    private func lineBreak(from offset: Int) -> Int? {
        guard offset < end, let base = unsafe buffer.baseAddress else { return nil }
        guard let found = unsafe memchr(base + offset, 0x0A, end - offset) else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Makes room and reads more.
    private func fill() throws(InputFile.Failure) {
        if start > 0, let base = unsafe buffer.baseAddress {
            unsafe memmove(base, base + start, end - start)
            passed += start
            end -= start
            start = 0
        }
        if unsafe end == buffer.count {
            guard unsafe buffer.count < Self.longestLine else {
                throw .badData("\(name):\(lineNumber + 1): the line is longer than \(Self.longestLine) bytes")
            }
            let larger = unsafe UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 64)
            unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
            unsafe buffer.deallocate()
            unsafe buffer = larger
        }
        let got = unsafe try input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
        atEnd = got == 0
        end += got
    }
}
