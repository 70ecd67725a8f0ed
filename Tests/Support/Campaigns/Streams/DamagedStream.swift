internal import Glibc
internal import LoopbackServer
internal import TestFiles

/// The files of one round's stream, and what its server does wrong.
struct DamagedStream: Sendable {
    let folder: String
    private let original: String
    private let damages: [StreamDamage]
    private let growing: GrowingPlaylists?

    /// Prepares a stream in `folder` of the files in `original`.
    init(_ kind: StreamKind, _ damages: [StreamDamage], in folder: String, from original: String) {
        self.folder = folder
        self.original = original
        self.damages = damages
        unsafe mkdir(folder, 0o755)
        let files = RoundFiles(folder: folder)
        for name in TemporaryFolder.names(in: original) { unsafe link("\(original)/\(name)", "\(folder)/\(name)") }
        growing = kind.isLive ? GrowingPlaylists(["low", "high"].map { "\(folder)/\($0).m3u8" }, files) : nil
    }

    /// What the server does wrong.
    var rules: [FaultRule] {
        damages.compactMap { damage in
            guard case .answer(var faults, let first) = damage.part else { return nil }
            if let target = faults.redirectsTo, !target.contains(":") { faults.redirectsTo = target + "?redirected" }
            return FaultRule(PathPattern("/\(damage.file)"), faults, limit: first)
        }
    }

    /// Writes what is damaged in place of what it was made of.
    func write() {
        growing?.begin { $1 }
        for name in Set(damages.map(\.file)) {
            // The file is a link to the original.
            let path = "\(folder)/\(name)"
            guard let bytes = try? TestFile.bytes(path) else { continue }
            unsafe unlink(path)
            TestFile.write(damaged(name, bytes), to: path)
        }
    }

    /// Goes on with what a live stream says, until the task is cancelled.
    func grow(_ server: LoopbackServer) async throws { try await growing?.grow(server, damaged) }

    private func damaged(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        damages.reduce(bytes) { bytes, damage in
            guard damage.file == name, case .content(let content, let other, let numbers) = damage.part else {
                return bytes
            }
            return content.apply(to: bytes, other: (try? TestFile.bytes("\(original)/\(other)")) ?? [], numbers)
        }
    }
}
