internal import Glibc
internal import TestFiles

/// The files of one round.
struct RoundFiles {
    let folder: String

    var archive: String { "\(folder)/run.tally" }
    var script: String { "\(folder)/script.txt" }
    var live: String { "\(folder)/live.jsonl" }
    var replayed: String { "\(folder)/replayed.jsonl" }
    var log: String { "\(folder)/log.txt" }

    func create() {
        unsafe mkdir(folder, 0o755)
    }

    func remove() {
        TemporaryFolder.remove(folder)
    }

    func write(_ path: String, _ text: String) {
        guard let file = unsafe fopen(path, "w") else { return }
        unsafe fputs(text, file)
        unsafe fclose(file)
    }

    /// Writes bytes as they are.
    func write(_ path: String, _ bytes: [UInt8]) throws {
        guard let file = unsafe fopen(path, "w") else { throw RoundFailure("cannot write \(path): error \(errno)") }
        unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }

    /// The contents of a file; empty when it is not there.
    func read(_ path: String) -> String {
        String(decoding: bytes(path) ?? [], as: UTF8.self)
    }

    /// Copies a file, when it is there.
    func copy(_ path: String, to other: String) {
        guard let bytes = bytes(path), let file = unsafe fopen(other, "w") else { return }
        unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }

    private func bytes(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = unsafe fread(&buffer, 1, buffer.count, file)
            guard got > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<got])
        }
    }

    /// The complete lines of a file.
    func lines(_ path: String) -> [String] {
        let text = read(path)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        if !text.hasSuffix("\n"), !lines.isEmpty {
            lines.removeLast()
        }
        return lines
    }
}
