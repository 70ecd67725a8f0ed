internal import Glibc

/// Reads a plugin's file and checks that it is a shared library of this machine.
package enum PluginFile {
    /// What the name of a plugin's file ends with; other libraries in a plugin directory are none of our business.
    static let suffix = ".tallyplugin.so"
    /// Larger files are refused.
    private static let largest = 512 * 1024 * 1024

    /// The names of the plugin files in a directory, sorted; none when it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasSuffix(suffix) {
                names.append(name)
            }
        }
        return names.sorted()
    }

    /// The bytes of a library file, opened once; `trust` looks at what was opened.
    static func read(
        _ path: String,
        trust: PluginTrust = .everything,
        within directory: String? = nil
    ) throws(PluginError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw PluginError.unreadable(path: path, reason: SystemError.text(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError.notALibrary(path: path, reason: "it is not a regular file")
        }
        if trust == .owned {
            try TrustCheck(path: path).check(descriptor, status, within: directory)
        }
        let size = Int(status.st_size)
        guard size <= largest else {
            throw PluginError.notALibrary(path: path, reason: "it is larger than \(largest) bytes")
        }
        var done = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while done < size, let start = buffer.baseAddress {
                let got = unsafe Glibc.read(descriptor, start + done, size - done)
                guard got > 0 else { break }
                done += got
            }
            count = done
        }
        guard done == size else {
            throw PluginError.unreadable(path: path, reason: "it changed while it was read")
        }
        try check(bytes, path)
        return bytes
    }

    private static func check(_ bytes: [UInt8], _ path: String) throws(PluginError) {
        guard bytes.count >= 64, bytes[0..<4].elementsEqual([0x7F, 0x45, 0x4C, 0x46]) else {
            throw PluginError.notALibrary(path: path, reason: "it is no ELF file")
        }
        guard bytes[4] == 2, bytes[5] == 1 else {
            throw PluginError.notALibrary(path: path, reason: "it is not 64-bit little-endian")
        }
        #if arch(x86_64)
        let machine: UInt16 = 62
        #else
        let machine: UInt16 = 183
        #endif
        let found = UInt16(bytes[18]) | UInt16(bytes[19]) << 8
        guard found == machine else {
            throw PluginError.notALibrary(path: path, reason: "it is for machine type \(found), not \(machine)")
        }
        guard bytes[16] == 3 else {
            throw PluginError.notALibrary(path: path, reason: "it is no shared library")
        }
        guard isComplete(bytes) else {
            throw PluginError.notALibrary(path: path, reason: "it is cut off")
        }
    }

    /// Whether every segment that is to be loaded lies in the file; touching one that does not would end the process.
    private static func isComplete(_ bytes: [UInt8]) -> Bool {
        let start = number(bytes, at: 32)
        let size = number(bytes, at: 54, count: 2)
        let count = number(bytes, at: 56, count: 2)
        guard size >= 56, start <= bytes.count, count * size <= bytes.count - start else { return false }
        for index in 0..<count {
            let header = start + index * size
            let offset = number(bytes, at: header + 8)
            guard offset <= bytes.count, number(bytes, at: header + 32) <= bytes.count - offset else { return false }
        }
        // The section headers lie at the end: without them, the file has not come whole.
        let sections = number(bytes, at: 40)
        let length = number(bytes, at: 58, count: 2) * number(bytes, at: 60, count: 2)
        return sections <= bytes.count && length <= bytes.count - sections
    }

    /// A little-endian number; one that no file can hold becomes the largest there is.
    private static func number(_ bytes: [UInt8], at offset: Int, count: Int = 8) -> Int {
        Int(clamping: bytes[offset..<offset + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
