internal import Glibc
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
            if let known {
                return known
            }
            let text = compute()
            known = text
            return text
        }
    }

    static func == (left: FileDigest, right: FileDigest) -> Bool {
        left.text == right.text
    }

    private func compute() -> String {
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var offset = 0
        while true {
            let got = unsafe pread(descriptor, &buffer, buffer.count, offset)
            guard got > 0 else { return Hex.text(hash.finalize()) }
            unsafe buffer.withUnsafeBytes { unsafe hash.update(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
            offset += got
        }
    }
}
