import Glibc
import Tally
import TallyTesting

/// An archive as text that a test changes before it is replayed.
struct ArchiveText {
    /// What a test expected of an archive is not so.
    struct Unexpected: Error {
        let reason: String
    }

    private let text: String

    init(of run: RecordedRun) throws {
        guard let file = unsafe fopen(run.archive, "re") else { throw Unexpected(reason: "no file \(run.archive)") }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = unsafe getc(file)
            guard byte >= 0 else { break }
            bytes.append(UInt8(byte))
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    private init(_ text: String) { self.text = text }

    /// The archive with another text in the place of one that stands there once.
    func replacing(_ old: String, _ new: String) throws -> ArchiveText {
        let parts = text.split(separator: old, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw Unexpected(reason: "\(parts.count - 1) times \(old) in \(text)") }
        return ArchiveText(parts[0] + new + parts[1])
    }

    /// What the tracker says of it.
    func replay() throws -> OutputTranscript {
        let path = "/tmp/tally-test-\(getpid())-\(UInt64.random(in: 0 ... .max)).tally"
        guard let file = unsafe fopen(path, "we") else { throw Unexpected(reason: "\(path) cannot be written") }
        unsafe fputs(text, file)
        unsafe fclose(file)
        defer { unsafe unlink(path) }
        return try RecordedRun.replay(path, through: [Heartbeat.selection()], from: Heartbeat.sources)
    }
}
