internal import CZstd
import TestFiles
import Testing

extension TestFile {
    /// The path of one of the hand-written archives.
    static func archive(_ name: String) -> String {
        "\(repository)/Tests/ReplayTests/Archives/\(name).tally"
    }

    /// The text of a file that is compressed with zstd.
    static func unpacked(_ path: String) throws -> String {
        let packed = try bytes(path)
        let size = unsafe packed.withUnsafeBytes { unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        var text = [UInt8](repeating: 0, count: try #require(Int(exactly: size)))
        let count = unsafe text.withUnsafeMutableBytes { bytes in
            unsafe packed.withUnsafeBytes { packed in
                unsafe ZSTD_decompress(bytes.baseAddress, bytes.count, packed.baseAddress, packed.count)
            }
        }
        try #require(count == text.count)
        return String(decoding: text, as: UTF8.self)
    }
}
