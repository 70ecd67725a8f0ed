internal import Glibc
internal import PluginKit

/// The finished files beside the one that is written: `out.jsonl.000001`, `out.jsonl.000002` and so on.
struct FinishedFiles {
    private let path: String
    private var last: Int = 0
    /// Finished files that are not compressed, the oldest first.
    private(set) var uncompressed: [String] = []

    /// Looks at what is there.
    init(path: String) {
        self.path = path
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + "."
        for name in Self.names(folder) where name.hasPrefix(prefix) {
            let ending = name.dropFirst(prefix.count)
            let digits = ending.prefix { $0.isASCII && $0.isNumber }
            guard digits.count >= 6, let number = Int(digits) else { continue }
            switch ending.dropFirst(digits.count) {
            case "": uncompressed.append(path + "." + digits)
            case ".gz", ".zst": break
            // A kill cut its making short; what it was made of is there.
            case ".gz.part", ".zst.part":
                unsafe unlink(OutputPlace.name(of: path + "." + ending))
                continue
            default: continue
            }
            last = max(last, number)
        }
        uncompressed.sort()
    }

    /// The name of the next one; the same until ``add()``.
    var next: String {
        let digits = String(last + 1)
        return path + "." + String(repeating: "0", count: max(6 - digits.count, 0)) + digits
    }

    /// Notes that the next one is there.
    mutating func add() {
        uncompressed.append(next)
        last += 1
    }

    /// Compresses what is not compressed; what fails stays as it is and is tried again with the next one.
    mutating func compress(_ compression: Compression) throws(CompressionError) {
        while let file = uncompressed.first {
            try compression.replace(file)
            uncompressed.removeFirst()
        }
    }

    private static func names(_ folder: String) -> [String] {
        guard let entries = unsafe opendir(OutputPlace.name(of: folder)) else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    names.append(unsafe OutputPlace.path(name))
                }
            }
        }
        return names
    }
}
