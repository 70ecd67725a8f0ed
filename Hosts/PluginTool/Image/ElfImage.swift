internal import HostSupport
internal import TextEncoding

/// Why a file is no shared library that this machine can load.
enum ElfProblem: Error, Equatable, Sendable {
    /// It cannot be read, for the system's reason.
    case unreadable(String)
    /// It is something else, or of another machine.
    case otherKind(String)
    /// It ends before what its own tables name.
    case cutOff

    /// What is wrong, in one line.
    var text: String {
        switch self {
        case .unreadable(let reason): "it cannot be read: \(reason)"
        case .otherKind(let what): what
        case .cutOff: "it is cut off: its tables name places behind its end"
        }
    }
}

/// A shared library as its file says, without loading it: no code of the library runs.
struct ElfImage: Sendable {
    /// SHA-256 of the file, lower-case hex.
    let sha256: String
    /// How many bytes the file has.
    let size: Int
    /// The libraries that it needs, in the loader's order.
    package private(set) var needed: [String] = []
    /// Where the loader looks for them first; empty when the system's folders are all.
    package private(set) var runPath = ""
    /// The symbols that others can find in it, sorted, without versions.
    package private(set) var exports: [String] = []
    /// The symbols that it takes from others, sorted, without versions.
    package private(set) var imports: [String] = []
    /// Whether it asks for a stack that code can be run on.
    package private(set) var hasExecutableStack = false

    private let bytes: [UInt8]

    /// Reads a library's file.
    init(path: String) throws(ElfProblem) {
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path, limit: 512 << 20)
        } catch {
            throw .unreadable(error.reason)
        }
        var digest = SHA256()
        digest.update(bytes)
        sha256 = Hex.text(digest.finalize())
        size = bytes.count
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]), bytes.count >= 64 else {
            throw .otherKind("it is no ELF file")
        }
        guard bytes[4] == 2, bytes[5] == 1 else { throw .otherKind("it is not 64-bit little-endian") }
        #if arch(x86_64)
        let machine = 62
        #else
        let machine = 183
        #endif
        guard try number(18, 2) == machine else {
            throw .otherKind("it is for machine type \(try number(18, 2)), not \(machine)")
        }
        guard try number(16, 2) == 3 else { throw .otherKind("it is no shared library: link it with -shared") }
        try readSegments()
        try readSections()
    }

    private mutating func readSegments() throws(ElfProblem) {
        for segment in try table(at: 32, size: 54, count: 56) {
            let kind = try number(segment, 4)
            if kind == 0x6474_E551 { hasExecutableStack = try number(segment + 4, 4) & 1 != 0 }
            guard kind == 1 else { continue }
            guard try number(segment + 8) + number(segment + 32) <= size else { throw .cutOff }
        }
    }

    private mutating func readSections() throws(ElfProblem) {
        let sections = try table(at: 40, size: 58, count: 60)
        for section in sections {
            let kind = try number(section + 4, 4)
            guard kind == 6 || kind == 11 else { continue }
            let start = try number(section + 24)
            let length = try number(section + 32)
            let link = try number(section + 40, 4)
            guard link < sections.count, start + length <= size else { throw .cutOff }
            let names = try number(sections[link] + 24)
            if kind == 6 {
                try readDynamic(stride(from: start, to: start + length, by: 16), names: names)
            } else {
                try readSymbols(stride(from: start + 24, to: start + length, by: 24), names: names)
            }
        }
        exports.sort()
        imports.sort()
    }

    private mutating func readDynamic(_ entries: StrideTo<Int>, names: Int) throws(ElfProblem) {
        for entry in entries {
            switch try number(entry) {
            case 1: needed.append(try text(names + number(entry + 8)))
            case 15, 29: runPath = try text(names + number(entry + 8))
            default: break
            }
        }
    }

    private mutating func readSymbols(_ symbols: StrideTo<Int>, names: Int) throws(ElfProblem) {
        for symbol in symbols {
            let name = try text(names + number(symbol, 4))
            // Local ones are nobody's business: 0 is the binding of those.
            guard !name.isEmpty, try number(symbol + 4, 1) >> 4 != 0 else { continue }
            let isHidden = try number(symbol + 5, 1) & 3 == 2
            if try number(symbol + 6, 2) == 0 {
                imports.append(name)
            } else if !isHidden {
                exports.append(name)
            }
        }
    }

    /// The offsets of a table's entries, by where the header says its place, its entries' size and their number.
    private func table(at place: Int, size: Int, count: Int) throws(ElfProblem) -> [Int] {
        let start = try number(place)
        let step = try number(size, 2)
        return try (0..<number(count, 2)).map { start + $0 * step }
    }

    private func number(_ offset: Int, _ count: Int = 8) throws(ElfProblem) -> Int {
        guard offset >= 0, offset <= size - count else { throw .cutOff }
        return Int(clamping: bytes[offset..<offset + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func text(_ offset: Int) throws(ElfProblem) -> String {
        guard offset >= 0, offset < size, let end = bytes[offset...].firstIndex(of: 0) else { throw .cutOff }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }
}
