import Glibc

/// Files that tests read; those of the repository are found from where this file was compiled.
enum TextFile {
    /// A file that is not there.
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "cannot read \(path): build all products, and run the tests in a checkout" }
    }

    private static let repository = String(#filePath.dropLast("/Tests/EmbeddingTests/TextFile.swift".count))

    /// The text of a file of the repository.
    static func source(_ path: String) throws -> String {
        try text("\(repository)/\(path)")
    }

    static func text(_ path: String) throws -> String {
        guard let file = unsafe fopen(path, "re") else { throw Unreadable(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
