package import PlayerReports
internal import Synchronization

/// What runs are driven with.
package struct RunOptions: Sendable {
    /// The folder of runs that are not in an archive yet.
    package var folder: String
    /// How many workers there are; one a core.
    package var workers = 2
    /// How long runs are waited for.
    package var patience = ReportPatience()
    /// The plugin instances of a tenant's runs, by tenant; a tenant without any has all.
    package var plugins: [String: Set<String>] = [:]
    /// How many bytes may wait to be made safe or for the workers; beyond, nothing is taken.
    package var waitingBytes = 256 * 1024 * 1024
    /// How many tenants share them.
    package var tenants = 1
    /// What follows the reports of a run; nil for Tally's own form.
    package var interpretation: @Sendable (RunKey) -> (any ReportInterpretation)? = { _ in nil }
    /// Whether the time by which runs end and what waits is played is that of the reports, as of logs that are read
    /// later, and not the machine's.
    package var followsReports = false
    let closing = Shutdown()

    package init(folder: String) { self.folder = folder }

    var places: RunPlaces { RunPlaces(folder: folder) }
    func isClosing() -> Bool { closing.isClosing.load(ordering: .relaxed) }
}

/// Whether the pool of runs ends.
final class Shutdown: Sendable {
    let isClosing = Atomic<Bool>(false)
}
