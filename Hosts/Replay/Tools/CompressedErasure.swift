internal import Archive
internal import HostSupport
internal import System
internal import TextEncoding

/// Reads and writes a compressed archive for an erasure, so that it stays compressed as it was.
@safe final class CompressedErasure: ArchiveErasure.Coding {
    private let reader: LineReader
    private let compressor: any Compressor
    private let encoded = ByteBuffer(capacity: 64 * 1024)

    /// Opens an archive; nil for a plain one.
    init?(_ path: String) throws(InputFile.Failure) {
        let input = try InputFile(path)
        let compression: ArchiveOutput.Compression = input.isGzip ? .gzip : .zstd
        guard input.isCompressed, let compressor = compression.compressor else { return nil }
        reader = LineReader(input)
        self.compressor = compressor
    }

    func next() throws(ArchiveErasure.Failure) -> UnsafeRawBufferPointer? {
        do throws(InputFile.Failure) {
            guard let line = unsafe try reader.next() else { return nil }
            // The break stands behind it.
            return unsafe UnsafeRawBufferPointer(start: line.baseAddress, count: line.count + (reader.isCutOff ? 0 : 1))
        } catch {
            throw ArchiveErasure.Failure(description: "\(error.message): nothing was erased")
        }
    }

    func encode(_ bytes: UnsafeRawBufferPointer, atEnd: Bool) -> UnsafeRawBufferPointer? {
        encoded.removeAll()
        guard unsafe compressor.append(bytes, atEnd: atEnd, to: encoded) else { return nil }
        return unsafe encoded.withBytes { unsafe $0 }
    }
}
