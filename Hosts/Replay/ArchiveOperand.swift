internal import Glibc
internal import HostSupport

/// One archive that is to be replayed.
enum ArchiveOperand {
    case file(String)
    case standardInput

    /// What the names of archives in a folder end with.
    private static let suffixes = [".tally", ".jsonl"]

    /// The operands that name nothing.
    struct Missing: Error {
        fileprivate(set) var messages: [String] = []
    }

    /// The name that messages use.
    var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        }
    }

    /// Puts the archives of a folder in its place; nothing is replayed when one operand names nothing.
    static func expand(_ operands: [String]) throws(Missing) -> [ArchiveOperand] {
        var archives: [ArchiveOperand] = []
        var missing = Missing()
        for operand in operands {
            if operand == "-" {
                archives.append(.standardInput)
                continue
            }
            var status = stat()
            guard unsafe stat(operand, &status) == 0, unsafe access(operand, R_OK) == 0 else {
                missing.messages.append("\(operand): cannot read the archive: \(SystemError.text(errno))")
                continue
            }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                archives.append(.file(operand))
                continue
            }
            let names = names(in: operand)
            if names.isEmpty {
                let endings = suffixes.joined(separator: " or ")
                missing.messages.append("\(operand): the folder holds no archive: no file that ends in \(endings)")
            }
            archives += names.map { .file(PathName.joined(operand, $0)) }
        }
        guard missing.messages.isEmpty else { throw missing }
        return archives
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                unsafe text.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix("."), suffixes.contains(where: name.hasSuffix) {
                names.append(name)
            }
        }
        // By bytes, so that the order is the same everywhere.
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
