internal import CLinux
internal import System
internal import TextEncoding

/// The SHA-256 of a plugin's file, made when it is first asked for: hosts load plugins that they then do not use.
///
/// It is read from the sealed copy that runs, so it does not matter when.
final class FileDigest: Equatable, Sendable {
    private let descriptor: Int32
    private let known: Lock<String?>

    /// The digest of what an open file holds; the file stays open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        known = Lock(nil)
    }

    /// A digest that is known already.
    init(_ text: String) {
        descriptor = -1
        known = Lock(text)
    }

    /// Lower-case hex.
    var text: String {
        known.with { known in
            if let known { return known }
            let text = compute()
            known = text
            return text
        }
    }

    static func == (left: FileDigest, right: FileDigest) -> Bool { left === right || left.text == right.text }

    private func compute() -> String {
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { unsafe buffer.deallocate() }
        var offset = 0
        while let got = unsafe try? FileDescriptor(descriptor).read(into: buffer, at: offset), got > 0 {
            unsafe hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<got])) { state, bytes, count in
                unsafe tally_sha256_blocks(state, bytes, count)
            }
            offset += got
        }
        return Hex.text(hash.finalize())
    }
}
