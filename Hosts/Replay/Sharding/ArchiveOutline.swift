internal import Archive
internal import HostSupport
internal import TextEncoding

/// Which runs have lines in an archive and where those lie, from the beginnings of the lines alone.
///
/// An archive that is dealt out to several replays is looked at in this way where it has no index.
struct ArchiveOutline {
    fileprivate struct Run {
        let id: String
        /// Wall clock at its time 0, us since 1970; nil where its header is in another archive.
        let epoch: Int64?
        /// The number of its first line here behind its header; nil while there is none.
        var ordinal: UInt64?
        /// Where its lines lie in the plain text, rising; nil when that is in too many places.
        var stretches: [Range<Int>]? = []

        mutating func add(_ lines: Range<Int>) {
            guard let count = stretches?.count else { return }
            if let last = stretches?.last, last.upperBound == lines.lowerBound {
                stretches?[count - 1] = last.lowerBound..<lines.upperBound
            } else {
                stretches = count < ArchiveIndex.mostStretches ? (stretches ?? []) + [lines] : nil
            }
        }
    }

    private let path: String
    /// Bytes of the plain text, as far as it can be read.
    private let plain: Int
    /// Whether each byte is in a line of a run that this version reads, or behind one.
    private let isGood: Bool
    /// Whether its first line is perhaps the rest of another archive's last one, and whether its own was cut off.
    private let hasHead: Bool
    private let hasTail: Bool
    fileprivate let runs: [Run]

    /// Reads an archive; nil when it is no file.
    init?(_ archive: ArchiveOperand) {
        guard var scan = RunLineScan(archive, decodingHeaders: true) else { return nil }
        var runs: [Run] = []
        var places: [String: Int] = [:]
        var current: (run: Int, begin: Int)?
        var isGood = true
        func end(at offset: Int) {
            if let current { runs[current.run].add(current.begin..<offset) }
        }
        while let line = scan.next() {
            end(at: line.offset)
            let id = unsafe String(decoding: line.run, as: UTF8.self)
            if line.kind == .header && line.epoch == nil { isGood = false }
            if line.kind == .header || places[id] == nil {
                places[id] = runs.count
                runs.append(Run(id: id, epoch: line.epoch))
            }
            if line.kind != .header, let place = places[id], runs[place].ordinal == nil {
                runs[place].ordinal = line.ordinal
            }
            current = places[id].map { ($0, line.offset) }
        }
        end(at: scan.position)
        path = archive.operand
        plain = scan.position
        self.isGood = isGood && scan.isWhole && !runs.isEmpty
        (hasHead, hasTail) = (!scan.head.isEmpty, !scan.tail.isEmpty)
        self.runs = runs
    }

    /// The form that `tally-replay outline` writes.
    var json: JSONValue {
        [
            "archive": .string(path), "plain_bytes": .int(Int64(plain)),
            "good": .bool(isGood), "head": .bool(hasHead), "tail": .bool(hasTail), "runs": .array(runs.map(\.json)),
        ]
    }
}

extension ArchiveOutline.Run {
    fileprivate var json: JSONValue {
        let lines = stretches.map { stretches in
            JSONValue.array(stretches.flatMap { [.int(Int64($0.lowerBound)), .int(Int64($0.upperBound))] })
        }
        return [
            "run": .string(id), "epoch_us": epoch.map { .int($0) } ?? .null, "n": .int(Int64(clamping: ordinal ?? 0)),
            "lines": lines ?? .null,
        ]
    }
}
