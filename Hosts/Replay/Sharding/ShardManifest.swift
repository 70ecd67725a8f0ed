internal import EventModel
internal import Glibc
internal import HostSupport
internal import System
internal import TextEncoding

/// A file that deals the runs of archives out to shards, each of which one process replays.
///
/// Its first line says what it is, and each further line is a shard: the archives that are read for it, each of one or
/// more pieces that follow one another. A piece is a file, or whole lines of one by their places in the plain text.
enum ShardManifest {
    private static let format: Int64 = 1

    /// What one shard reads.
    ///
    /// - Throws: when the manifest cannot be read, has no such shard, or names an archive that is another by now.
    static func archives(of number: Int, in path: String) throws(InputFile.Failure) -> [ArchiveOperand] {
        guard let archives = try line(number, path)?["archives"]?.array else { throw damaged(path, number + 2) }
        var operands: [ArchiveOperand] = []
        for archive in archives {
            var pieces: [ArchivePiece] = []
            for json in archive.array ?? [] {
                guard let piece = ArchivePiece(json) else { throw damaged(path, number + 2) }
                try check(piece, json["bytes"]?.int, path)
                pieces.append(piece)
            }
            guard let first = pieces.first else { throw damaged(path, number + 2) }
            // What is read whole may be a part of another one.
            operands.append(pieces.count == 1 && first.stretches == nil ? .file(first.path) : .pieces(pieces))
        }
        return operands
    }

    /// The line of a shard; nil when it is damaged.
    private static func line(_ number: Int, _ path: String) throws(InputFile.Failure) -> JSONValue? {
        let reader = LineReader(try InputFile(path))
        guard let bytes = unsafe try reader.next(), let head = unsafe try? JSONParser().parse(bytes),
            let version = head["tally_manifest"]?.int, let count = head["shards"]?.int
        else { throw damaged(path, 1) }
        guard version <= format else {
            let text = "\(path): the manifest is of version \(version), and this Tally reads \(format): use a newer one"
            throw failure(text, .newerVersion)
        }
        guard number < count else {
            throw failure("\(path): there is no shard \(number): the manifest has \(count), from 0 on", .usage)
        }
        for _ in 0..<number { _ = unsafe try reader.next() }
        guard let shard = unsafe try reader.next(), !reader.isCutOff else { return nil }
        let json = unsafe try? JSONParser().parse(shard)
        return json?["shard"]?.int == Int64(number) ? json : nil
    }

    /// Makes sure that an archive is as long as it was.
    private static func check(_ piece: ArchivePiece, _ bytes: Int64?, _ manifest: String) throws(InputFile.Failure) {
        var status = stat()
        let path = PathName.bytes(piece.path)
        guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
            throw failure("\(piece.path): cannot read the archive: \(SystemError.text(errno))", .noInput)
        }
        guard let bytes, bytes != Int64(status.st_size) else { return }
        throw failure(
            "\(piece.path): the archive has \(status.st_size) bytes, and had \(bytes) when \(manifest) was made: "
                + "make the manifest anew",
            .badData
        )
    }

    private static func damaged(_ path: String, _ line: Int) -> InputFile.Failure {
        failure("\(path):\(line): the manifest is damaged, or this is none: make it anew", .badData)
    }

    private static func failure(_ message: String, _ exitCode: ExitCode) -> InputFile.Failure {
        InputFile.Failure(message: message, number: 0, exitCode: exitCode)
    }
}

extension ArchivePiece {
    /// A piece as a manifest has it; nil when it is damaged.
    fileprivate init?(_ json: JSONValue) {
        guard let path = json["path"]?.string, !path.isEmpty else { return nil }
        self.path = path
        guard let lines = json["lines"] else { return }
        let bounds = (lines.array ?? []).map { Int($0.int ?? -1) }
        guard !bounds.isEmpty, bounds.count.isMultiple(of: 2), bounds.allSatisfy({ $0 >= 0 }),
            zip(bounds, bounds.dropFirst()).allSatisfy(<)
        else { return nil }
        stretches = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]..<bounds[$0 + 1] }
    }
}
