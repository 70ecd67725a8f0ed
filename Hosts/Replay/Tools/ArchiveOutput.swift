internal import Glibc
internal import HostSupport
internal import System
internal import TextEncoding

/// A file, or standard output, that archive lines are written to, compressed as the file's name says.
///
/// A file that is opened again goes on where it ended: compressed parts one after another are one archive.
final class ArchiveOutput {
    /// How an archive is compressed.
    enum Compression: String, CaseIterable {
        case none
        case gzip
        case zstd

        /// What a file's name says.
        init(path: String) {
            self = path.hasSuffix(".gz") ? .gzip : path.hasSuffix(".zst") ? .zstd : .none
        }

        /// What compresses so; nil for plain bytes.
        var compressor: (any Compressor)? {
            switch self {
            case .none: return nil
            case .gzip: return GzipCompressor()
            case .zstd: return ZstdCompressor()
            }
        }
    }

    private static let writeSize = 256 * 1024

    private let name: String
    private let descriptor: Int32
    private let buffer = ByteBuffer(capacity: 2 * ArchiveOutput.writeSize)
    private let compressed = ByteBuffer(capacity: 64 * 1024)
    private let compressor: (any Compressor)?

    /// Opens a file, or standard output for `-`; `appends` keeps what a file holds.
    init(_ path: String, _ compression: Compression, appends: Bool = false) throws(HostError) {
        name = path == "-" ? "standard output" : path
        descriptor = path == "-" ? dup(STDOUT_FILENO) : PathName.openOutput(path, appends ? O_APPEND : O_TRUNC)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: SystemError.text(ofOutput: errno)) }
        compressor = compression.compressor
    }

    deinit { Glibc.close(descriptor) }

    /// Adds a line, without its break.
    func write(_ line: UnsafeRawBufferPointer) throws(HostError) {
        unsafe buffer.append(line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.writeSize { try flush(atEnd: false) }
    }

    /// Writes all that is still held; nothing can be written any more.
    func finish() throws(HostError) {
        try flush(atEnd: true)
    }

    private func flush(atEnd: Bool) throws(HostError) {
        var target = buffer
        if let compressor {
            compressed.removeAll()
            let succeeded = unsafe buffer.withBytes { unsafe compressor.append($0, atEnd: atEnd, to: compressed) }
            guard succeeded else { throw .output(StandardStream.Failure(output: name, code: ENOMEM)) }
            target = compressed
        }
        let written: Result<Void, SystemFailure> = unsafe target.withBytes { bytes in
            Result { () throws(SystemFailure) in unsafe try FileDescriptor(descriptor).writeAll(bytes) }
        }
        buffer.removeAll()
        if case .failure(let failure) = written {
            throw .output(StandardStream.Failure(output: name, code: failure.number))
        }
    }
}
