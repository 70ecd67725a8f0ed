internal import Archive
internal import Coordinator
internal import PluginABI
internal import PluginLoading
internal import Setup
internal import TextEncoding

/// The trackers of a run that began in an earlier process, which may have had others.
///
/// A run keeps the trackers that it began with, and their configurations. Where a plugin's file is another by now, that
/// is told the run so far, and takes the old one's place there, which the archive says as of a change while the run
/// goes on.
struct RunContinuation {
    /// The trackers that the run began with, as far as they are here.
    let setups: [TrackerSetup]
    /// Names of trackers that the run had and that are not here: they say nothing more.
    let missing: [String]

    private let present: [TrackerSetup]
    private let recorded: [String: String]

    /// Finds among the trackers that are here those of a run, whose lines say what has joined and changed since it
    /// began.
    init(_ header: ArchiveHeader, _ lines: [UInt8], among present: [TrackerSetup]) {
        var recorded = Dictionary(header.trackers.map { ($0.name, $0) }) { first, _ in first }.mapValues(\.sha256)
        var ids = Dictionary(header.trackers.map { ($0.name, $0.plugin) }) { first, _ in first }
        for plugin in OpenRunFile.plugins(of: lines) {
            recorded[plugin.instance] = plugin.sha256
            ids[plugin.instance] = plugin.id
        }
        let present = present.filter { ids[$0.name] == $0.entry.description.id }
        self.recorded = recorded
        self.present = present
        missing = ids.keys.filter { name in !present.contains { $0.name == name } }.sorted()
        setups = header.trackers.compactMap { tracker in
            guard let here = present.first(where: { $0.name == tracker.name }) else { return nil }
            var setup = here
            setup.configuration = tracker.configuration.canonicalText
            setup.enabled = tracker.enabled
            setup.stored = tracker.stored
            return setup
        }
    }

    /// Has a coordinator replay the run with what is here in the place of what was.
    func prepare(_ coordinator: Coordinator) {
        let present = present
        coordinator.isRehearsal = true
        coordinator.resolve = { plugin throws(PluginError) in
            guard let here = present.first(where: { $0.name == plugin.instance }) else {
                throw .noInstance(name: plugin.instance, known: present.map(\.name))
            }
            return here.entry
        }
    }

    /// What the run is to be told behind its lines.
    var changes: [ControlEvent] {
        present.filter { recorded[$0.name] != $0.entry.description.sha256 }.map { setup in
            ControlEvent(instance: setup.name, change: .replace(setup), cause: ControlCause.file.rawValue)
        }
    }
}
