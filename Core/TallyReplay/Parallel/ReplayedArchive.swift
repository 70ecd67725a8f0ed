package import Archive

/// An archive that is to be replayed, opened when its turn comes.
package struct ReplayedArchive: Sendable {
    private let opening: @Sendable () throws(ArchiveSource.Failure) -> ArchiveSource

    /// An archive that the closure opens, on the thread that reads.
    package init(_ opening: @escaping @Sendable () throws(ArchiveSource.Failure) -> ArchiveSource) {
        self.opening = opening
    }

    func open() throws(ArchiveSource.Failure) -> ArchiveSource {
        try opening()
    }
}
