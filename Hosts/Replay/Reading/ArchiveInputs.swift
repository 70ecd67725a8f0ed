internal import Archive
internal import Glibc
internal import HostSupport
internal import Synchronization
internal import System

/// The archives of a command line as the core reads them: decompressed, counted and perhaps read ahead.
final class ArchiveInputs: Sendable {
    let archives: [ArchiveOperand]
    /// Bytes of all archives as they lie in the files, as far as they are read; nil when one of them is no file.
    let size: Int64?

    /// Bytes of a plain archive from which on a thread that reads ahead pays; the system reads smaller ones ahead.
    private static let leastReadAhead: Int64 = 1 << 19
    /// How many archives before its turn it is told of one.
    private static let archivesAhead = 16

    private let readsAhead: Bool
    /// What is read of each archive; nil for all of it.
    private let excerpts: [ArchiveExcerpt?]
    /// How many bytes that are; nil for what is no file.
    private let sizes: [Int64?]
    private let taken = Atomic<Int>(0)
    private let left = Atomic<Int>(0)
    private let damages = Lock<[Int: String]>([:])
    /// Of archives that are several files: which were begun, and how many lines lie before each.
    private let begun = Lock<[String: [(path: String, line: Int)]]>([:])

    init(
        _ archives: [ArchiveOperand],
        readsAhead: Bool,
        excerpt: (ArchiveOperand) -> ArchiveExcerpt? = { _ in nil }
    ) {
        self.archives = archives
        let excerpts = archives.map(excerpt)
        self.excerpts = excerpts
        self.readsAhead = readsAhead
        sizes = zip(archives, excerpts).map { archive, excerpt in
            if archive.pieces.isEmpty { return nil }
            let chosen = excerpt.map { [ArchivePiece(path: archive.operand, stretches: $0.stretches)] }
            let pieces = chosen ?? archive.pieces
            return pieces.reduce(0 as Int64?) { total, piece in
                total.flatMap { total in Self.bytes(of: piece).map { total + $0 } }
            }
        }
        size = sizes.reduce(0 as Int64?) { total, size in total.flatMap { total in size.map { total + $0 } } }
    }

    /// How many bytes of a file are read, at most; nil when it is no ordinary file.
    private static func bytes(of piece: ArchivePiece) -> Int64? {
        var status = stat()
        guard unsafe stat(PathName.bytes(piece.path), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let read = piece.stretches.map { $0.reduce(0) { $0 + $1.count } } ?? .max
        return min(Int64(status.st_size), Int64(read))
    }

    /// Bytes that were read so far, as they lie in the files.
    var bytesTaken: Int { taken.load(ordering: .relaxed) }

    /// Runs of the archives so far that were left out.
    var leftRuns: Int { left.load(ordering: .relaxed) }

    /// Whether all of an archive is read.
    func isWhole(_ index: Int) -> Bool { excerpts[index] == nil }

    /// What was wrong with the compressed bytes of an archive.
    func damage(_ index: Int) -> String? {
        damages.with { $0[index] }
    }

    /// The file that a line of an archive lies in, and its number there.
    func locate(_ name: String, _ line: Int) -> (path: String, line: Int) {
        let part = begun.with { $0[name]?.last { $0.line < line } }
        return part.map { ($0.path, line - $0.line) } ?? (name, line)
    }

    private static func failure(_ error: InputFile.Failure, _ name: String) -> ArchiveSource.Failure {
        error.reason.map { ArchiveSource.Failure(path: name, reason: $0) }
            ?? ArchiveSource.Failure(path: name, number: error.number)
    }

    /// Has the system read the beginning of an archive that comes soon.
    private func announce(_ index: Int) {
        // Who writes a pipe notices that it is opened.
        guard index < archives.count, sizes[index] ?? 0 > 0 else { return }
        let descriptor = unsafe open(PathName.bytes(archives[index].operand), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        posix_fadvise(descriptor, 0, off_t(Self.leastReadAhead), POSIX_FADV_WILLNEED)
        close(descriptor)
    }

    /// Opens an archive; for the thread that reads it.
    ///
    /// `waitForBytes` is called before each read of a pipe or a terminal, on the reading thread; false ends the input.
    func source(_ index: Int, waitForBytes: @escaping (Int32) -> Bool) throws(ArchiveSource.Failure) -> ArchiveSource {
        let archive = archives[index]
        let excerpt = excerpts[index]
        if let excerpt {
            left.add(excerpt.otherRuns, ordering: .relaxed)
            if excerpt.stretches.isEmpty { return unsafe ArchiveSource(path: archive.name, isFile: true) { _ in 0 } }
        }
        if archive.paths.count > 1 { begun.with { $0[archive.name] = [(archive.operand, 0)] } }
        let input: InputFile
        do throws(InputFile.Failure) {
            input = try InputFile(
                archive.operand,
                parts: archive.pieces.dropFirst(),
                entering: { [self] path, line in begun.with { $0[archive.name]?.append((path, line)) } },
                stretches: excerpt?.stretches ?? archive.pieces.first?.stretches,
                counting: { [self] in taken.add($0, ordering: .relaxed) },
                waitForBytes: waitForBytes
            )
        } catch {
            throw Self.failure(error, archive.name)
        }
        let read = { [self] (buffer: UnsafeMutableRawBufferPointer) throws(ArchiveSource.Failure) -> Int in
            do throws(InputFile.Failure) {
                return unsafe try input.read(into: buffer)
            } catch {
                guard error.number == 0, error.reason == nil else { throw Self.failure(error, input.name) }
                damages.with { $0[index] = error.message }
                return 0
            }
        }
        if readsAhead { announce(index + Self.archivesAhead) }
        // What comes through a pipe comes when somebody writes it.
        let least = input.isCompressed ? Self.leastReadAhead / 8 : Self.leastReadAhead
        guard readsAhead, input.isFile, sizes[index] ?? 0 >= least else {
            return unsafe ArchiveSource(path: archive.name, isFile: input.isFile, reading: read)
        }
        let ahead = unsafe ReadAhead(read)
        return unsafe ArchiveSource(path: archive.name, isFile: true) { buffer throws(ArchiveSource.Failure) in
            unsafe try ahead.read(into: buffer)
        }
    }
}
