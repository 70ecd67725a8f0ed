import CLinux
import TestFiles
import Testing
import TextEncoding

/// SHA-256 by the processor's instructions, beside the one in Swift.
struct FileDigestTests {
    private static func digest(_ bytes: [UInt8], pieces: Int, fast: Bool) -> String {
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            unsafe bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes { piece in
                unsafe hash.update(piece) { state, bytes, count in
                    fast ? unsafe tally_sha256_blocks(state, bytes, count) : false
                }
            }
        }
        return Hex.text(hash.finalize())
    }

    @Test("It gives the digest that Swift gives, however the bytes are cut")
    func same() {
        var random = SplitMix64(seed: 5)
        for length in [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 1_000, 4_096, 70_001] {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            var plain = SHA256()
            plain.update(bytes)
            let expected = Hex.text(plain.finalize())
            for pieces in [1, 63, 64, 65, 640, 65_536] {
                #expect(Self.digest(bytes, pieces: pieces, fast: true) == expected, "\(length) by \(pieces)")
                #expect(Self.digest(bytes, pieces: pieces, fast: false) == expected, "\(length) by \(pieces)")
            }
        }
    }

    @Test("A processor that has the instructions uses them, and another one changes nothing")
    func instructions() throws {
        let flags = try TestFile.text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("flags") }
        let has = flags?.split(separator: " ").contains("sha_ni") ?? false
        var state: [UInt32] = [1, 2, 3, 4, 5, 6, 7, 8]
        let block = [UInt8](repeating: 7, count: 64)
        #expect(unsafe tally_sha256_blocks(&state, block, 1) == has)
        #expect((state != [1, 2, 3, 4, 5, 6, 7, 8]) == has)
    }
}
