internal import Glibc
internal import System
internal import TextEncoding

/// What the probe said of files that it tried, in a folder: who starts later does not try them again.
///
/// A file is known by its place on the disk and by when it was changed last, which no program can set. What is refused
/// is not kept. Whoever can write in the folder could have files loaded untried: it has to be this user's alone.
package struct ProbedFiles: Sendable {
    /// With more files than this it begins anew.
    private static let most = 512
    /// Longer answers are not kept.
    private static let longest = 1 << 20

    private let folder: String
    /// The program that tried them: another one may say something else.
    private let probe: String

    /// Keeps them in `folder`, which is made when it is not there; nil when others can write in it.
    package init?(folder: String, of program: String) {
        var status = stat()
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { return nil }
        guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, Self.isOwn(status) else {
            return nil
        }
        guard unsafe stat(program, &status) == 0 else { return nil }
        self.folder = folder
        probe = FileIdentity.text(of: status)
    }

    private static func isOwn(_ status: stat) -> Bool {
        status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// What the probe said of a file; nil when it has not tried it.
    func answer(of candidate: PluginCandidate) -> [UInt8]? {
        guard let path = path(of: candidate) else { return nil }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Self.isOwn(status),
            (1...Self.longest).contains(Int(status.st_size))
        else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, filled in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            filled = unsafe (try? FileDescriptor(descriptor).read(into: memory, at: 0)) ?? 0
        }
    }

    /// Keeps what the probe said of a file; what cannot be written is tried again.
    func keep(_ answer: [UInt8], of candidate: PluginCandidate) {
        guard answer.count <= Self.longest, let path = path(of: candidate) else { return }
        let names = FileNames.names(in: folder, endingWith: Self.ending) ?? []
        if names.count >= Self.most {
            for name in names { unsafe unlink("\(folder)/\(name)") }
        }
        try? WholeFile.replace(path, with: String(decoding: answer, as: UTF8.self))
    }

    private static let ending = ".probed.json"

    private func path(of candidate: PluginCandidate) -> String? {
        guard let identity = candidate.identity else { return nil }
        var digest = SHA256()
        digest.update("\(identity.text) \(probe)")
        let name = Hex.text(Array(digest.finalize().prefix(16)))
        return "\(folder)/\(name)\(Self.ending)"
    }
}
