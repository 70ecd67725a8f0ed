internal import Glibc
internal import HostSupport
internal import System
internal import Tally

/// One archive that is to be replayed.
enum ArchiveOperand {
    case file(String)
    case standardInput

    /// What the names of archives in a folder end with.
    private static let suffixes = [".tally", ".jsonl"].flatMap { [$0, $0 + ".gz", $0 + ".zst"] }

    /// What the command line calls it.
    var operand: String {
        switch self {
        case .file(let path): path
        case .standardInput: "-"
        }
    }

    /// The name that messages use.
    var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        }
    }

    /// The archives as files that must not be written.
    static func files(_ archives: [ArchiveOperand]) -> ReadFiles {
        var files = ReadFiles()
        for archive in archives {
            switch archive {
            case .file(let path): files.add(path, as: "one of the archives that are read")
            case .standardInput: files.addStandardInput(as: "one of the archives that are read")
            }
        }
        return files
    }

    /// Puts the archives of a folder in its place; nil when one operand names nothing, which the log says.
    static func expand(_ operands: [String], _ log: LogPrinter) -> [ArchiveOperand]? {
        var archives: [ArchiveOperand] = []
        var isComplete = true
        let named = operands.flatMap(matches)
        // A pattern of the shell's names indexes too.
        for operand in named where named.count == 1 || !ArchiveIndex.isIndex(operand) {
            if operand == "-" {
                archives.append(.standardInput)
                continue
            }
            var status = stat()
            guard unsafe stat(operand, &status) == 0, unsafe access(operand, R_OK) == 0 else {
                log.show(.error, "\(operand): cannot read the archive: \(SystemError.text(errno))")
                isComplete = false
                continue
            }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                archives.append(.file(operand))
                continue
            }
            let names = names(in: operand)
            if names.isEmpty {
                log.show(
                    .error,
                    "\(operand): the folder holds no archive: no file that ends in .tally or .jsonl, plain, .gz or .zst"
                )
                isComplete = false
            }
            archives += names.map { .file(PathName.joined(operand, $0)) }
        }
        return isComplete ? archives : nil
    }

    /// The files that a pattern stands for, by name; the operand itself when it is a file's name, or none fits.
    private static func matches(_ operand: String) -> [String] {
        guard operand.contains(where: { "*?[".contains($0) }), unsafe access(operand, F_OK) != 0 else {
            return [operand]
        }
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(operand, GLOB_NOSORT, nil, &found) == 0 else { return [operand] }
        let paths = unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                unsafe text.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix("."), suffixes.contains(where: name.hasSuffix), isFile(PathName.joined(folder, name)) {
                names.append(name)
            }
        }
        // By bytes, so that the order is the same everywhere.
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a path names an ordinary file, or one that cannot be looked at, which is told when it is read.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
}
