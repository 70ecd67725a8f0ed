internal import Glibc

/// Files that tests read and write, found from where this file was compiled and from where the tests run.
package enum TestFile {
    /// A file that is not there.
    package struct Unreadable: Error, CustomStringConvertible {
        let path: String
        /// What to do about it.
        package var description: String { "cannot read \(path): build all products, and run the tests in a checkout" }
    }

    /// The checkout's folder.
    package static let repository = String(#filePath.dropLast("/Tests/Support/TestFiles/TestFile.swift".count))

    /// The folder that the programs and the plugins were built in.
    package static let products: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
        return String(decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
    }()

    /// The text of a file of the repository.
    package static func source(_ path: String) throws -> String {
        try text("\(repository)/\(path)")
    }

    /// The text of a file; bytes that are not UTF-8 are replaced.
    package static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// The bytes of a file.
    package static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = unsafe fopen(path, "r") else { throw Unreadable(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Writes a file that only its owner can change; one that is there is written in place.
    package static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        precondition(descriptor >= 0, "\(path) cannot be written")
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            precondition(written > 0, "\(path) cannot be written")
            done += written
        }
    }
}
