internal import Glibc
package import Tally
internal import TextEncoding

/// The files that a program reads, which nothing that it writes may be.
///
/// A file counts by device and inode, so that no other name for it, no link and no redirection hides it.
package struct ReadFiles: Sendable {
    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        /// Who a path's file is, or standard input's for nil.
        ///
        /// Nil for what is no ordinary file: `/dev/null` may be read and written.
        init?(_ path: String?) {
            var status = stat()
            let answer = unsafe path.map { unsafe stat(PathName.bytes($0), &status) } ?? fstat(STDIN_FILENO, &status)
            guard answer == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private var names: [Identity: String] = [:]
    /// What the program writes itself, by path.
    private var written: [String: String] = [:]

    /// Nothing is read.
    package init() {}

    /// Adds a file, if it is there; `what` says what it is to the program, such as "one of the archives that are read".
    package mutating func add(_ path: String, as what: String) {
        if let identity = Identity(path) { names[identity] = names[identity] ?? what }
    }

    /// Adds what standard input comes from, if that is a file.
    package mutating func addStandardInput(as what: String) {
        if let identity = Identity(nil) { names[identity] = names[identity] ?? what }
    }

    /// Adds a file that the program writes itself, which need not be there yet.
    ///
    /// - Throws: when it is one of them already.
    package mutating func add(written path: String, as what: String) throws(HostError) {
        try check(path)
        guard !path.hasPrefix("/dev/") else { return }
        add(path, as: what)
        written[Self.target(of: path)] = what
    }

    /// Where a path leads, also when nothing is there.
    private static func target(of path: String) -> String {
        var path = PathName.resolvedFolder(path)
        // More links lead in circles.
        for _ in 0..<40 {
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            guard unsafe readlink(PathName.bytes(path), &bytes, bytes.count - 1) > 0 else { break }
            let link = unsafe bytes.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe PathName.text($0) } }
            path = PathName.resolvedFolder(PathName.joined(PathName.folder(of: path), link ?? ""))
        }
        return path
    }

    /// What a path names of these files; nil when it is none of them.
    package func find(_ path: String) -> String? {
        if let name = Identity(path).flatMap({ names[$0] }) { return name }
        return written.isEmpty ? nil : written[Self.target(of: path)]
    }

    /// Makes sure that a file that is to be written is none of them.
    package func check(_ path: String) throws(HostError) {
        if let what = find(path) { throw .isRead(path: path, what: what) }
    }

    /// Makes sure that no plugin has one of them in its configuration, as a reporter has the file that it writes.
    package func check(_ plugins: [PluginSelection]) throws(HostError) {
        for plugin in plugins { try check(plugin.configuration) }
    }

    private func check(_ value: JSONValue) throws(HostError) {
        switch value {
        case .string(let text): try check(text)
        case .array(let values): for value in values { try check(value) }
        case .object(let object): for member in object { try check(member.value) }
        default: break
        }
    }
}
