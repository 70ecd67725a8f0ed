internal import Archive
internal import System

// The archive's lines among those of a run's file.
extension OpenRunFile {
    /// The header of a run's lines.
    static func header(of lines: [UInt8]) -> ArchiveHeader? {
        let reader = ArchiveReader(source(of: lines))
        guard case .header(let header)? = try? reader.next(damaged: { _ in }) else { return nil }
        return header
    }

    /// A run's lines, as from a file.
    static func source(of lines: [UInt8]) -> ArchiveSource {
        var place = 0
        return unsafe ArchiveSource(path: "a run's file") { buffer throws(ArchiveSource.Failure) in
            let count = min(buffer.count, lines.count - place)
            unsafe buffer.copyBytes(from: lines[place..<(place + count)])
            place += count
            return count
        }
    }
}
