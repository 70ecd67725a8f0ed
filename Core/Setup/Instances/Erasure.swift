package import Archive
internal import System

/// Deleting what was recorded of a viewer.
public enum Erasure {
    /// Deletes a player run, or one session of it, from an archive that is no longer written.
    ///
    /// A replay leaves out a run that was erased, with a warning, and passes over a session that was. The file is
    /// written anew; what the file system keeps of the old one is not overwritten.
    ///
    /// - Returns: how many lines were deleted; 0 when nothing of it was in the archive.
    /// - Throws: ``TelemetryError`` when the file cannot be read or written; it is then as it was.
    @discardableResult
    public static func erase(archive path: String, run: String, session: UInt32? = nil) throws(TelemetryError) -> Int {
        try erase(archive: path, runs: [run], session: session).lines
    }

    /// Deletes player runs, or one session of each, in one pass; a coding reads and writes a compressed archive.
    ///
    /// - Throws: as ``erase(archive:run:session:)``.
    package static func erase(
        archive path: String,
        runs: Set<String>,
        session: UInt32?,
        coding: (any ArchiveErasure.Coding)? = nil
    ) throws(TelemetryError) -> ArchiveErasure.Outcome {
        do throws(ArchiveErasure.Failure) {
            return try ArchiveErasure.erase(path, runs: runs, session: session, coding: coding)
        } catch {
            throw TelemetryError(kind: .archiveOutput, error.description)
        }
    }
}
