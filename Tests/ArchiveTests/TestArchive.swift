import Archive
import EventModel
import Glibc
import PluginABI
import TestFiles

/// An archive file of a test's own, removed with this object.
final class TestArchive {
    let path: String
    private let folder = TemporaryFolder()

    /// An empty one.
    init() {
        path = folder.write("run.tally", "")
    }

    convenience init(_ bytes: [UInt8]) {
        self.init()
        write(bytes)
    }

    convenience init(_ text: String) {
        self.init(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) {
        TestFile.write(bytes, to: path)
    }

    /// The bytes that are in the file now.
    var bytes: [UInt8] {
        FileBytes.of(path) ?? []
    }

    /// How many bytes are in the file now.
    var size: Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The file's text, line by line.
    var lines: [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// A writer of this file; a failure to write is none of the test's.
    func writer(run: String = "run-1") throws -> ArchiveWriter {
        ArchiveWriter(file: try ArchiveFile(path: path), header: .sample(run: run)) { _ in }
    }

    /// Everything that can be read, as text, and what was wrong.
    func read() throws -> (lines: [String], damage: [String]) {
        try Self.read(ArchiveSource(path: path))
    }

    static func read(_ source: ArchiveSource) throws -> (lines: [String], damage: [String]) {
        let reader = ArchiveReader(source)
        var lines: [String] = []
        var damage: [String] = []
        while let line = try reader.next(damaged: { found in
            damage.append("\(found.line): \(found.problem)")
        }) {
            lines.append("\(reader.decoder.run.string) \(reader.decoder.ordinal) \(line.summary)")
        }
        return (lines, damage)
    }
}

extension ArchiveHeader {
    static func sample(run: String = "run-1") -> ArchiveHeader {
        ArchiveHeader(run: run, semantics: 1, core: "1.0.0", epoch: 1_700_000_000_000_000, trackers: [])
    }
}

extension ArchiveLine {
    /// What the line says, in short.
    var summary: String {
        switch self {
        case .header(let header): "header \(header.run)"
        case .event(let event): Exact.lines(of: event, reported: .max).joined(separator: "; ")
        case .mark(let time): "mark \(time)"
        case .end(let time, let reason, let dropped): "end \(time) \(reason) \(dropped)"
        }
    }
}

enum FileBytes {
    /// All bytes of a file, nil when it cannot be read.
    static func of(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }
}
