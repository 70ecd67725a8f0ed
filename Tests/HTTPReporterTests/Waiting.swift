import ChildPrograms
import Glibc
import LoopbackServer
import Testing

/// Asks again and again until the answer is as wanted; gives the last answer, and fails the test when it never was.
func eventually<Value>(
    _ body: () throws -> Value,
    until isDone: (Value) -> Bool,
    location: SourceLocation = #_sourceLocation
) async rethrows -> Value {
    var value = try body()
    let isAsWanted = try await eventually {
        if isDone(value) { return true }
        value = try body()
        return isDone(value)
    }
    #expect(isAsWanted, "the last answer was \(value)", sourceLocation: location)
    return value
}

/// Servers that answer 200 unless a fault says otherwise.
enum TestServer {
    static func start(_ faults: [FaultRule] = [], port: UInt16 = 0) throws -> LoopbackServer {
        var configuration = ServerConfiguration()
        configuration.port = port
        configuration.faults = [FaultRule(PathPattern("*"), Faults(status: 200))] + faults
        return try LoopbackServer(configuration)
    }

    /// A port that nobody listens on, for a server that comes later.
    static func freePort() throws -> UInt16 {
        let gone = try start()
        return gone.port
    }

    /// The numbers that arrived, in order of arrival.
    static func numbers(_ requests: [RecordedRequest]) -> [Int] {
        requests.compactMap { Int($0.text) }
    }
}

/// Looking for bytes in files, and damaging them.
enum FileBytes {
    /// Writes nonsense over a part of a file.
    static func overwrite(_ path: String, at offset: Int, count: Int) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 0xA5, count: count)
        #expect(unsafe pwrite(descriptor, bytes, count, offset) == count)
    }

    /// Whether a text is in a file; false when there is none.
    static func contain(_ text: String, in path: String) -> Bool {
        guard let file = unsafe fopen(path, "r") else { return false }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe fread(&chunk, 1, chunk.count, file), count > 0 {
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self).contains(text)
    }

    /// The permissions of a file; nil when it is not there.
    static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Whether a text is in a spool's file or in the log beside it.
    static func contain(_ text: String, inSpool spool: String) -> Bool {
        contain(text, in: spool) || contain(text, in: spool + "-wal") || contain(text, in: spool + "-journal")
    }
}
