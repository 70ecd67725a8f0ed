internal import Glibc

/// A call that the system refused.
package struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system's error number.
    package let number: Int32

    package init(number: Int32 = errno) { self.number = number }

    /// The system's text for it.
    package var description: String { SystemError.text(number) }
}

/// An open file, pipe or device of the caller's; calls that a signal interrupts are repeated.
package struct FileDescriptor: Sendable {
    private let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// Reads some bytes, from `offset` on where there is one; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int? = nil) throws(SystemFailure) -> Int {
        while true {
            let got =
                unsafe offset.map { unsafe pread(number, buffer.baseAddress, buffer.count, $0) }
                ?? Glibc.read(number, buffer.baseAddress, buffer.count)
            if got >= 0 { return got }
            guard errno == EINTR else { throw SystemFailure() }
        }
    }

    /// Writes all the bytes.
    package func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        var done = 0
        while done < bytes.count, let start = bytes.baseAddress {
            let written = unsafe Glibc.write(number, start + done, bytes.count - done)
            if written > 0 {
                done += written
            } else if written == 0 || errno != EINTR {
                throw SystemFailure(number: written == 0 ? EIO : errno)
            }
        }
    }

    /// Writes all of a text.
    package func writeAll(_ text: String) throws(SystemFailure) { try writeAll(Array(text.utf8)) }

    /// Writes all the bytes.
    package func writeAll(_ bytes: [UInt8]) throws(SystemFailure) {
        let written: Result<Void, SystemFailure> = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemFailure) in unsafe try writeAll(bytes) }
        }
        try written.get()
    }
}

/// What lies where in the file system.
package enum FileNames {
    /// What to add to the flags of `open` for an output: `O_NOFOLLOW` where others than this user and root could have
    /// put a symbolic link in its place, and 0 elsewhere.
    ///
    /// Reporters have the same rule in `OutputPlace` of PluginKit, which imports nothing of the core.
    package static func outputFlags(_ path: String) -> Int32 {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { return 0 }
        return status.st_mode & (S_IWGRP | S_IWOTH) != 0 || ![0, geteuid()].contains(status.st_uid) ? O_NOFOLLOW : 0
    }

    /// The names in a folder that end with `suffix`, sorted; nil when it cannot be read.
    package static func names(in folder: String, endingWith suffix: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasSuffix(suffix) { names.append(name) }
        }
        return names.sorted()
    }

    /// The path that a symbolic link holds, nil when there is none.
    package static func target(ofLink link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The folder of the running program, with a slash behind it; nil when the system does not say.
    package static var programFolder: String? {
        guard let path = target(ofLink: "/proc/self/exe"), let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[...slash])
    }
}

/// Files that are read or replaced as a whole.
package enum WholeFile {
    /// The bytes of a file; of one that is longer than `limit` it reads no further than that it is.
    package static func read(_ path: String, limit: Int = .max) throws(SystemFailure) -> [UInt8] {
        try read(Array(path.utf8CString), limit: limit)
    }

    /// The same for a name as the system takes it, which need not be UTF-8.
    package static func read(_ name: [CChar], limit: Int) throws(SystemFailure) -> [UInt8] {
        let file = unsafe open(name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemFailure() }
        defer { close(file) }
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { unsafe chunk.deallocate() }
        while bytes.count <= limit {
            let got = unsafe try FileDescriptor(file).read(into: chunk)
            if got == 0 { break }
            unsafe bytes.append(contentsOf: chunk[..<got])
        }
        return bytes
    }

    /// Puts a file that only its owner can read in the place of one: after a crash there is the old one or the new one.
    package static func replace(_ path: String, with text: String) throws(SystemFailure) {
        let temporary = "\(path).\(getpid()).part"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemFailure() }
        do throws(SystemFailure) {
            defer { close(file) }
            guard fchmod(file, 0o600) == 0 else { throw SystemFailure() }
            try FileDescriptor(file).writeAll(text)
            guard fsync(file) == 0 else { throw SystemFailure() }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        guard unsafe rename(temporary, path) == 0 else { throw SystemFailure() }
    }
}
