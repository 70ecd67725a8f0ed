import Glibc

/// Files of the repository, found from where this file was compiled.
enum SourceFile {
    /// A file that cannot be read.
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "cannot read \(path): run the tests in a checkout of the repository" }
    }

    private static let root = String(#filePath.dropLast("/Tests/EventModelTests/SourceFile.swift".count))

    static func text(_ path: String) throws -> String {
        let path = "\(root)/\(path)"
        guard let file = unsafe fopen(path, "r") else { throw Unreadable(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = unsafe getc(file)
            guard byte >= 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(UInt8(byte))
        }
    }
}
