internal import HostSupport

/// What an archive tool does with the lines of the chosen runs.
protocol ArchiveTool: AnyObject {
    /// Whether each archive is looked at for itself.
    var takesArchivesApart: Bool { get }

    /// Begins; `files` are read, and so must not be written.
    func begin(reading files: ReadFiles) throws(HostError)

    /// Takes a line; what is wrong with it is noted with the scan.
    func take(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError)

    /// Ends after the last line of the archives with these names.
    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError)
}

extension ArchiveTool {
    var takesArchivesApart: Bool { false }
    func begin(reading files: ReadFiles) throws(HostError) {}

    /// Writes to standard output.
    func print(_ text: String) throws(HostError) {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
        } catch {
            throw .output(error)
        }
    }
}
