import Glibc

/// Files of the repository, found from where this file was compiled.
enum SourceFile {
    /// A file or folder that cannot be read.
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "cannot read \(path): run the tests in a checkout of the repository" }
    }

    private static let root = String(#filePath.dropLast("/Tests/PluginABITests/SourceFile.swift".count))

    static func bytes(_ path: String) throws -> [UInt8] {
        let path = "\(root)/\(path)"
        guard let file = unsafe fopen(path, "r") else { throw Unreadable(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = unsafe getc(file)
            guard byte >= 0 else { return bytes }
            bytes.append(UInt8(byte))
        }
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// The names of a folder's files, sorted.
    static func names(in path: String) throws -> [String] {
        let path = "\(root)/\(path)"
        guard let folder = unsafe opendir(path) else { throw Unreadable(path: path) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
