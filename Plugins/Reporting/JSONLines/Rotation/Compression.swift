internal import CZlib
internal import CZstd
internal import Glibc
internal import PluginKit

/// How a finished file is compressed.
enum Compression: String, CaseIterable {
    case gzip
    case zstd

    /// What a compressed file's name ends in.
    var ending: String {
        switch self {
        case .gzip: ".gz"
        case .zstd: ".zst"
        }
    }

    /// Puts a compressed file into a file's place.
    ///
    /// The file is removed once the disk has all of the compressed one, so at any moment one of the two is whole.
    func replace(_ path: String) throws(CompressionError) {
        let part = path + ending + ".part"
        do throws(CompressionError) {
            try Self.makeFile(part, readableAs: path)
            switch self {
            case .gzip: try Self.writeGzip(path, to: part)
            case .zstd: try Self.writeZstd(path, to: part)
            }
            try Self.synchronise(part)
            guard unsafe rename(OutputPlace.name(of: part), OutputPlace.name(of: path + ending)) == 0 else {
                throw CompressionError(path + ending, errno)
            }
        } catch {
            unsafe unlink(OutputPlace.name(of: part))
            throw error
        }
        OutputFile.synchroniseFolder(of: path)
        guard unsafe unlink(OutputPlace.name(of: path)) == 0 else { throw CompressionError(path, errno) }
    }

    /// Makes the file that is written to: whoever can read the other one can read this, and nobody else.
    private static func makeFile(_ target: String, readableAs path: String) throws(CompressionError) {
        var status = stat()
        guard unsafe stat(OutputPlace.name(of: path), &status) == 0 else { throw CompressionError(path, errno) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open(OutputPlace.name(of: target), flags, 0o600)
        guard descriptor >= 0 else { throw CompressionError(target, errno) }
        fchmod(descriptor, status.st_mode & 0o777)
        close(descriptor)
    }

    private static func writeGzip(_ path: String, to target: String) throws(CompressionError) {
        guard let output = unsafe gzopen(OutputPlace.name(of: target), "wbe") else {
            throw CompressionError(target, errno)
        }
        var isWritten = true
        let read = unsafe eachChunk(of: path) { chunk in
            unsafe isWritten = gzwrite(output, chunk.baseAddress, UInt32(chunk.count)) == Int32(chunk.count)
            return isWritten
        }
        let code = errno
        let isClosed = unsafe gzclose_w(output) == Z_OK
        guard isWritten, isClosed else { throw CompressionError(target, isWritten ? errno : code) }
        guard read else { throw CompressionError(path, code) }
    }

    private static func writeZstd(_ path: String, to target: String) throws(CompressionError) {
        guard let context = unsafe ZSTD_createCCtx() else { throw CompressionError(target, ENOMEM) }
        defer { unsafe ZSTD_freeCCtx(context) }
        _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        guard let output = unsafe fopen(OutputPlace.name(of: target), "we") else {
            throw CompressionError(target, errno)
        }
        var isWritten = true
        let read = unsafe eachChunk(of: path) { chunk in
            unsafe isWritten = write(chunk, ZSTD_e_continue, context, output)
            return isWritten
        }
        var code = errno
        if isWritten, read {
            unsafe isWritten = write(UnsafeRawBufferPointer(start: nil, count: 0), ZSTD_e_end, context, output)
            code = errno
        }
        let isClosed = unsafe fclose(output) == 0
        guard isWritten, isClosed else { throw CompressionError(target, isWritten ? errno : code) }
        guard read else { throw CompressionError(path, code) }
    }

    /// Compresses a piece; with the last one, everything that is still held back.
    private static func write(
        _ chunk: UnsafeRawBufferPointer,
        _ mode: ZSTD_EndDirective,
        _ context: OpaquePointer,
        _ output: UnsafeMutablePointer<FILE>
    ) -> Bool {
        var input = unsafe ZSTD_inBuffer(src: chunk.baseAddress, size: chunk.count, pos: 0)
        var space = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())
        return unsafe space.withUnsafeMutableBytes { space in
            while true {
                var compressed = unsafe ZSTD_outBuffer(dst: space.baseAddress, size: space.count, pos: 0)
                let left = unsafe ZSTD_compressStream2(context, &compressed, &input, mode)
                guard ZSTD_isError(left) == 0 else {
                    errno = EIO
                    return false
                }
                let count = unsafe compressed.pos
                guard unsafe fwrite(space.baseAddress, 1, count, output) == count else { return false }
                let isDone = mode == ZSTD_e_end ? left == 0 : unsafe input.pos == input.size
                if isDone { return true }
            }
        }
    }

    /// Hands over a file piece by piece; false when it cannot be read, or as soon as `body` says so.
    private static func eachChunk(of path: String, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard let file = unsafe fopen(OutputPlace.name(of: path), "re") else { return false }
        defer { unsafe fclose(file) }
        var chunk = [UInt8](repeating: 0, count: 256 * 1024)
        return unsafe chunk.withUnsafeMutableBytes { chunk in
            while true {
                let count = unsafe fread(chunk.baseAddress, 1, chunk.count, file)
                if count == 0 { return unsafe ferror(file) == 0 }
                guard unsafe body(UnsafeRawBufferPointer(rebasing: chunk[..<count])) else { return false }
            }
        }
    }

    private static func synchronise(_ path: String) throws(CompressionError) {
        let descriptor = unsafe open(OutputPlace.name(of: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CompressionError(path, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CompressionError(path, errno) }
    }
}

/// Why a finished file could not be compressed; it stays as it is.
struct CompressionError: Error, CustomStringConvertible {
    private let path: String
    private let code: Int32

    /// Names the file and the system's reason.
    init(_ path: String, _ code: Int32) {
        self.path = path
        self.code = code
    }

    /// One line: what, where, what becomes of it.
    var description: String {
        "cannot compress into \"\(path)\": \(OutputFileError.text(code)); the file stays uncompressed, and is tried "
            + "again "
            + "when the next one is finished"
    }
}
