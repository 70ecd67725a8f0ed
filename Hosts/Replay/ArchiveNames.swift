internal import Glibc
internal import HostSupport
internal import TextEncoding

/// The paths of archives that patterns, folders and lists stand for, always in the same order.
enum ArchiveNames {
    /// What the names of archives in a folder end with.
    private static let suffixes = [".tally", ".jsonl"].flatMap { [$0, $0 + ".gz", $0 + ".zst"] }

    /// The paths that a pattern stands for, by name; the operand itself when it is a path, or none fits.
    ///
    /// `**` stands for any number of folders, and at the end for the archives in them.
    static func matches(_ operand: String) -> [String] {
        guard operand.contains(where: { "*?[".contains($0) }), unsafe access(PathName.bytes(operand), F_OK) != 0 else {
            return [operand]
        }
        let found = sorted(Set(paths(operand)))
        return found.isEmpty ? [operand] : found
    }

    /// The archives in a folder, by the bytes of their names, and in its sub-folders down to a depth.
    ///
    /// What is hidden is left out, and so are folders that are symbolic links. Nil when a folder cannot be read, with
    /// the reason in `errno`.
    static func archives(in folder: String, depth: Int) -> [String]? {
        guard let names = entries(folder) else { return nil }
        var found: [String] = []
        for name in names {
            let path = PathName.joined(folder, name)
            if depth > 1, isFolder(path) {
                guard let inner = archives(in: path, depth: depth - 1) else { return nil }
                found += inner
            } else if suffixes.contains(where: name.hasSuffix), isFile(path) {
                found.append(path)
            }
        }
        return found
    }

    /// The names in a list, a file or standard input for `-`: one a line, or each with a zero byte behind it.
    ///
    /// Lines may end in a carriage return too, as those that were written on Windows.
    static func listed(_ path: String) throws(TextFile.Failure) -> [String] {
        let bytes = try TextFile.read(path == "-" ? "/dev/stdin" : path, limit: .max)
        guard !bytes.contains(0) else { return bytes.split(separator: 0).map { UndecodedText.text(Array($0)) } }
        return bytes.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
            .map { UndecodedText.text(Array($0)) }
    }

    private static func paths(_ pattern: String) -> [String] {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        guard let stars = parts.firstIndex(of: "**") else { return glob(pattern) }
        let before = parts[..<stars].joined(separator: "/")
        let rest = parts[(stars + 1)...].joined(separator: "/")
        let roots = stars == 0 ? ["."] : glob(before.isEmpty ? "/" : before)
        if rest.isEmpty { return roots.flatMap { archives(in: $0, depth: .max) ?? [] } }
        return roots.flatMap(folders).flatMap { paths(escaped($0) + "/" + rest) }
    }

    /// A folder and all those in it.
    private static func folders(_ folder: String) -> [String] {
        [folder] + (entries(folder) ?? []).map { PathName.joined(folder, $0) }.filter(isFolder).flatMap(folders)
    }

    private static func glob(_ pattern: String) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe Glibc.glob(PathName.bytes(pattern), GLOB_NOSORT, nil, &found) == 0 else { return [] }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe found.gl_pathv[index].map { unsafe PathName.text($0) }
        }
    }

    /// A pattern that stands for a path alone.
    private static func escaped(_ path: String) -> String {
        String(path.flatMap { "*?[\\".contains($0) ? ["\\", $0] : [$0] })
    }

    /// The names in a folder that are not hidden, by their bytes, so that the order is the same everywhere.
    ///
    /// Nil when the folder cannot be read.
    private static func entries(_ folder: String) -> [String]? {
        guard let stream = unsafe opendir(PathName.bytes(folder)) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                unsafe text.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe PathName.text($0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return sorted(names)
    }

    private static func sorted(_ names: some Sequence<String>) -> [String] {
        names.map { (name: $0, bytes: UndecodedText.bytes($0)) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.name)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(PathName.bytes(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path names an ordinary file, or one that cannot be looked at, which is told when it is read.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(PathName.bytes(path), &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
}
