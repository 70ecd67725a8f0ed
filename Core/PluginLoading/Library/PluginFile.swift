internal import CLinux
internal import Glibc
internal import System

/// Reads a plugin's file and checks that it is a shared library of this machine.
package enum PluginFile {
    /// What the name of a plugin's file ends with; other libraries in a plugin directory are none of our business.
    static let suffix = ".tallyplugin.so"
    /// Larger files are refused.
    private static let largest = 512 * 1024 * 1024

    /// The name of a plugin's file without its folder, a `lib` before and the ``suffix`` behind it.
    package static func shortName(of path: String) -> String {
        var file = path.split(separator: "/").last ?? path[...]
        guard file.hasSuffix(suffix) else { return String(file) }
        file = file.dropLast(suffix.count)
        return String(file.hasPrefix("lib") ? file.dropFirst(3) : file)
    }

    /// The names of the plugin files in a directory, sorted; none when it cannot be read.
    static func names(in directory: String) -> [String] { FileNames.names(in: directory, endingWith: suffix) ?? [] }

    /// A sealed copy in memory of a library file, opened once; `trust` looks at what was opened.
    ///
    /// The bytes go from file to file: a buffer as large as a library would stay with the allocator.
    ///
    /// - Returns: the copy's descriptor, which is the caller's, and what the file is known by later.
    static func copy(
        _ path: String,
        trust: PluginTrust = .everything,
        within directory: String? = nil
    ) throws(PluginError) -> (descriptor: Int32, identity: FileIdentity?) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: SystemError.text(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notALibrary(path: path, reason: "it is not a regular file")
        }
        if trust == .owned {
            try TrustCheck(path: path).check(descriptor, status, within: directory)
        }
        let size = Int(status.st_size)
        guard size <= largest else { throw .notALibrary(path: path, reason: "it is larger than \(largest) bytes") }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let copy = unsafe tally_sealed_copy(String(name.prefix(60)), descriptor, size)
        guard copy >= 0 else {
            let reason =
                errno == ENODATA ? "it changed while it was read" : "it cannot be copied: \(SystemError.text(errno))"
            throw .unreadable(path: path, reason: reason)
        }
        do throws(PluginError) {
            try check(copy, size, path)
        } catch {
            close(copy)
            throw error
        }
        var after = stat()
        let isThere = unsafe fstat(descriptor, &after) == 0
        return (copy, isThere ? FileIdentity(before: status, after: after) : nil)
    }

    private static func check(_ descriptor: Int32, _ size: Int, _ path: String) throws(PluginError) {
        let header = bytes(of: descriptor, at: 0, count: 64)
        guard header.count == 64, header[0..<4].elementsEqual([0x7F, 0x45, 0x4C, 0x46]) else {
            throw .notALibrary(path: path, reason: "it is no ELF file")
        }
        guard header[4] == 2, header[5] == 1 else {
            throw .notALibrary(path: path, reason: "it is not 64-bit little-endian")
        }
        #if arch(x86_64)
        let machine: UInt16 = 62
        #else
        let machine: UInt16 = 183
        #endif
        let found = UInt16(header[18]) | UInt16(header[19]) << 8
        guard found == machine else {
            throw .notALibrary(path: path, reason: "it is for machine type \(found), not \(machine)")
        }
        guard header[16] == 3 else { throw .notALibrary(path: path, reason: "it is no shared library") }
        guard isComplete(descriptor, header, size) else { throw .notALibrary(path: path, reason: "it is cut off") }
    }

    /// Whether every segment that is to be loaded lies in the file; touching one that does not would end the process.
    private static func isComplete(_ descriptor: Int32, _ header: [UInt8], _ fileSize: Int) -> Bool {
        let start = number(header, at: 32)
        let size = number(header, at: 54, count: 2)
        let count = number(header, at: 56, count: 2)
        guard size >= 56, start <= fileSize, count * size <= fileSize - start else { return false }
        let segments = bytes(of: descriptor, at: start, count: count * size)
        guard segments.count == count * size else { return false }
        for index in 0..<count {
            let offset = number(segments, at: index * size + 8)
            guard offset <= fileSize, number(segments, at: index * size + 32) <= fileSize - offset else { return false }
        }
        // The section headers lie at the end: without them, the file has not come whole.
        let sections = number(header, at: 40)
        let length = number(header, at: 58, count: 2) * number(header, at: 60, count: 2)
        return sections <= fileSize && length <= fileSize - sections
    }

    /// A few bytes of an open file; fewer than wanted where it ends.
    private static func bytes(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            filled = unsafe (try? FileDescriptor(descriptor).read(into: memory, at: offset)) ?? 0
        }
    }

    /// A little-endian number; one that no file can hold becomes the largest there is.
    private static func number(_ bytes: [UInt8], at offset: Int, count: Int = 8) -> Int {
        Int(clamping: bytes[offset..<offset + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// What a file is known by as long as nobody changes it.
struct FileIdentity: Sendable {
    /// Two changes within this time may have the same date, ns.
    private static let coarse: Int64 = 2_000_000_000

    let text: String

    /// That of a file that was read between two looks; nil when it changed meanwhile, or so lately that another change
    /// would not show.
    init?(before: stat, after: stat) {
        text = Self.text(of: after)
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age = Self.nanoseconds(now) - Self.nanoseconds(after.st_ctim)
        guard text == Self.text(of: before), age > Self.coarse else { return nil }
    }

    /// Device, number, size, and when it was written and changed last.
    static func text(of status: stat) -> String {
        "\(status.st_dev)-\(status.st_ino)-\(status.st_size)-\(nanoseconds(status.st_mtim))-"
            + "\(nanoseconds(status.st_ctim))"
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// A plugin's file that was opened once and copied: what is checked, hashed, probed and loaded is this copy.
package struct PluginCandidate: Sendable {
    /// The file.
    package let path: String
    /// The sealed copy in memory, open for as long as the process lives once it was loaded.
    let descriptor: Int32
    let digest: FileDigest
    /// What the file is known by later; nil when nothing is sure.
    let identity: FileIdentity?

    /// SHA-256 of the copy, lower-case hex.
    package var sha256: String { digest.text }

    /// Opens, checks and copies a file.
    package init(path: String, trust: PluginTrust, within directory: String? = nil) throws(PluginError) {
        (descriptor, identity) = try PluginFile.copy(path, trust: trust, within: directory)
        self.path = path
        digest = FileDigest(descriptor: descriptor)
    }

    /// Takes over a copy that another process made: for the probe.
    package init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        identity = nil
        digest = FileDigest(descriptor: descriptor)
    }

    /// Gives the copy back; only while nothing was loaded from it.
    package func discard() { close(descriptor) }
}
