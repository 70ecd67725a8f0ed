internal import Archive
internal import EventModel
internal import HostSupport

/// `cat`, `merge` and `convert`: the lines of the chosen runs into one archive.
final class ArchiveCopy: ArchiveTool {
    private let path: String
    private let compression: ArchiveOutput.Compression
    private let leavesOutKnown: Bool
    private var output: ArchiveOutput?
    private var open: Set<String> = []
    private var known: Set<String> = []

    /// `leavesOutKnown` leaves out a run that came already, from its second header on.
    init(path: String, compression: ArchiveOutput.Compression, leavesOutKnown: Bool) {
        self.path = path
        self.compression = compression
        self.leavesOutKnown = leavesOutKnown
    }

    func begin(reading files: ReadFiles) throws(HostError) {
        if path != "-" { try files.check(path) }
        output = try ArchiveOutput(path, compression)
    }

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        if leavesOutKnown {
            if case .header = line.content {
                if known.insert(line.run).inserted { open.insert(line.run) } else { open.remove(line.run) }
            }
            guard open.contains(line.run) else { return }
        }
        unsafe try output?.write(line.bytes)
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        try output?.finish()
    }
}
