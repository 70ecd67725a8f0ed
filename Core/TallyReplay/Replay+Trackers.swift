internal import Archive
internal import Coordinator
internal import PluginLoading
internal import Setup
internal import TextEncoding

// The trackers that a run begins with.
extension Replay {
    /// The trackers with the persistent values that the recorded run began with, by instance name.
    func setups(_ header: ArchiveHeader) throws(PluginError) -> [TrackerSetup] {
        if options.asRecorded { return try recordedSetups(header).map { $0.limited(by: telemetry.options) } }
        return telemetry.setups.map { setup in
            var setup = setup.limited(by: telemetry.options)
            setup.stored = header.trackers.first { $0.name == setup.name }?.stored ?? [:]
            return setup
        }
    }

    /// The trackers of the recorded run, as they were when it began.
    private func recordedSetups(_ header: ArchiveHeader) throws(PluginError) -> [TrackerSetup] {
        var setups: [TrackerSetup] = []
        var missing: [PluginError] = []
        for tracker in header.trackers {
            let plugin = RecordedPlugin(
                instance: tracker.name,
                id: tracker.plugin,
                version: tracker.version,
                sha256: tracker.sha256
            )
            do throws(PluginError) {
                var setup = TrackerSetup(
                    name: tracker.name,
                    entry: try recorded.find(plugin),
                    configuration: tracker.configuration.canonicalText,
                    enabled: tracker.enabled
                )
                setup.stored = tracker.stored
                setups.append(setup)
            } catch {
                // All are told, so that nobody adds one after the other.
                missing.append(error)
            }
        }
        switch missing.count {
        case 0: return setups
        case 1: throw missing[0]
        default: throw .severalNotRecorded(missing)
        }
    }
}
