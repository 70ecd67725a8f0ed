import Archive
import EventModel
import Glibc
import TestFiles
import Testing

/// Files and pipes, line by line.
struct ReaderTests {
    private static let good = SampleLines.all.joined(separator: "\n") + "\n"
    private static let goodLines = SampleLines.all.map { line in
        let bytes = Array(line.utf8)
        let decoder = ArchiveLineDecoder()
        let summary = LineReading.summary(bytes, decoder)
        return "\(decoder.run.string) \(decoder.ordinal) \(summary)"
    }

    @Test("Lines are read in order, and empty ones and CRLF mean nothing")
    func lineEnds() throws {
        for text in [
            Self.good, "\n\n" + Self.good + "\n", Self.good.split(separator: "\n").joined(separator: "\r\n") + "\r\n",
            "\r\n \t\n" + Self.good + "\r\n",
        ] {
            let (lines, damage) = try TestArchive(text).read()
            #expect(lines == Self.goodLines)
            #expect(damage == [])
        }
    }

    @Test("A damaged line costs that line, and is told with its number")
    func damaged() throws {
        let text = SampleLines.header + "\n\n" + SampleLines.event + "\nx\n" + SampleLines.sample + "\n\u{1}\n" + "{}\n"
        let archive = TestArchive(text)
        let (lines, damage) = try archive.read()
        #expect(lines == Array(Self.goodLines[0...2]))
        #expect(
            damage == [
                "4: damaged line: expected '{' at column 1", "6: damaged line: expected '{' at column 1",
                "7: damaged line: run or n is missing at column 3",
            ]
        )
        let reader = ArchiveReader(try ArchiveSource(path: archive.path))
        var first: String?
        while try reader.next(damaged: { first = first ?? $0.description }) != nil {}
        #expect(first == "\(archive.path):4: damaged line: expected '{' at column 1")
        #expect(reader.lineNumber == 7 && reader.bytesRead == text.utf8.count)
    }

    @Test("A file that is cut off yields every complete line, wherever it was cut")
    func cutOff() throws {
        let bytes = Array(Self.good.utf8)
        let ends = bytes.indices.filter { bytes[$0] == 0x0A }.flatMap { [$0 - 1, $0, $0 + 1] }
        for count in Array(stride(from: 0, to: bytes.count, by: 29)) + ends {
            let (lines, damage) = try TestArchive(Array(bytes[..<count])).read()
            let complete = bytes[..<count].count { $0 == 0x0A }
            #expect(lines == Array(Self.goodLines[..<complete]))
            let isCut = count > 0 && bytes[count - 1] != 0x0A
            #expect(damage == (isCut ? ["\(complete + 1): the last line is cut off"] : []))
        }
    }

    @Test("A line of the longest length is read and a longer one costs itself alone, from a file and from a pipe")
    func longLines() throws {
        let limit = ArchiveFormat.longestLine
        func line(_ count: Int) -> [UInt8] {
            let begin = Array(#"{"run":"r","n":1,"t_us":5,"x":""#.utf8)
            let end = Array(#"","event":"play"}"#.utf8)
            return begin + [UInt8](repeating: UInt8(ascii: "x"), count: count - begin.count - end.count) + end + [0x0A]
        }
        for padding in [0, 1000, 300_000, 1_048_000] {
            // Where a read of the file ends must not decide.
            let before = padding == 0 ? [] : line(max(100, padding))
            for count in [limit - 1, limit, limit + 1, limit + 1000, limit + 200_000, 2 * limit, 5 * limit] {
                let bytes = before + line(count) + Array((SampleLines.mark + "\n").utf8)
                let archive = TestArchive(bytes)
                let number = padding == 0 ? 1 : 2
                let expected = count > limit ? ["\(number): damaged line: longer than 1048576 bytes"] : []
                let fromFile = try archive.read()
                #expect(fromFile.damage == expected, "\(padding) \(count)")
                #expect(fromFile.lines.count == number + (count > limit ? 0 : 1), "\(padding) \(count)")
            }
        }
        let archive = TestArchive(line(limit + 5) + line(limit) + line(limit + 300_000).dropLast())
        let fromFile = try archive.read()
        let fromPipe = try Self.throughPipe(archive.bytes, chunk: 4093)
        #expect(
            fromFile.damage == [
                "1: damaged line: longer than 1048576 bytes", "3: damaged line: longer than 1048576 bytes",
            ]
        )
        #expect(fromPipe.damage == fromFile.damage && fromPipe.lines == fromFile.lines && fromFile.lines.count == 1)
    }

    @Test("A pipe that gives a byte at a time is read like a file")
    func slowPipe() throws {
        let text = Self.good + "broken\n" + Self.good + "{\"run\":\"cut"
        let (lines, damage) = try Self.throughPipe(Array(text.utf8), chunk: 1)
        #expect(lines == Self.goodLines + Self.goodLines)
        #expect(damage == ["6: damaged line: expected '{' at column 1", "12: the last line is cut off"])
    }

    @Test("Archives one after another and runs mixed line by line are read as they come")
    func severalRuns() throws {
        let other = Self.good.replacing("run-1", with: "run-22")
        let both = try TestArchive(Self.good + other).read()
        #expect(both.lines == Self.goodLines + Self.goodLines.map { $0.replacing("run-1", with: "run-22") })
        let mixed = zip(Self.good.split(separator: "\n"), other.split(separator: "\n")).flatMap { [$0, $1] }
        let read = try TestArchive(mixed.joined(separator: "\n") + "\n").read()
        #expect(read.damage == [] && read.lines.count == 2 * Self.goodLines.count)
        #expect(read.lines.filter { $0.hasPrefix("run-1 ") } == Self.goodLines)
    }

    @Test("A source that cannot be read says so")
    func unreadable() {
        let folder = TemporaryFolder()
        for (path, reason) in [
            (folder.file("missing/archive"), "No such file or directory"), (folder.path, "Is a directory"),
        ] {
            do throws(ArchiveSource.Failure) {
                _ = try ArchiveSource(path: path)
                Issue.record("\(path) was opened")
            } catch {
                #expect(error.description == "\(path): cannot read the archive: \(reason)")
            }
        }
    }

    /// Reads bytes that come through a pipe in pieces.
    private static func throughPipe(_ bytes: [UInt8], chunk: Int) throws -> (lines: [String], damage: [String]) {
        let pipe = FedPipe(bytes, chunk: chunk)
        defer { pipe.wait() }
        return try TestArchive.read(ArchiveSource(path: "/proc/self/fd/\(pipe.readEnd)"))
    }
}
