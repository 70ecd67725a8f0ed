internal import Coordinator
internal import Glibc
internal import PluginLoading
internal import Reporting
internal import System
internal import TextEncoding

/// What reporters are told of the host when they ask: its plugins, and what these did.
///
/// Thread-safe, and it waits for no thread: what belongs to one is as that thread said last, and is asked anew.
package final class HostStatus: Sendable {
    private struct Place {
        weak var telemetry: Telemetry?
    }

    private let place = Lock(Place())

    /// Says what there is of these plugins from now on, as long as they are there.
    func attach(to telemetry: Telemetry) { place.with { $0.telemetry = telemetry } }

    /// One JSON object, as `tally_reporter.h` says; nil when there are no plugins yet, or no longer.
    package var text: String? {
        guard let telemetry = place.with({ $0.telemetry }) else { return nil }
        let runs = telemetry.members.with { $0.liveRuns }
        let trackers = Self.together(runs.map { $0.lastTrackers() })
        let statuses = trackers.isEmpty ? telemetry.pluginStatuses() : telemetry.pluginStatuses(trackers: trackers)
        let plugins = statuses.map { status -> JSONValue in
            guard var members = status.json.object else { return status.json }
            if status.reporter != nil, let answer = telemetry.reporter(named: status.name)?.instance?.lastStatistics,
                let answered = try? JSONParser().parse(answer)
            {
                members["answer"] = answered
            }
            return .object(members)
        }
        return JSONValue.object([
            "process": .int(Int64(getpid())), "runs": .int(Int64(runs.count)), "plugins": .array(plugins),
        ]).canonicalText
    }

    /// The trackers of several runs, each once: what they did is added up, and one that is not at work stands for all.
    private static func together(_ runs: [[PluginStatus]]) -> [PluginStatus] {
        var trackers: [PluginStatus] = []
        for tracker in runs.joined() {
            guard let place = trackers.firstIndex(where: { $0.name == tracker.name }) else {
                trackers.append(tracker)
                continue
            }
            if let statistics = tracker.tracker { trackers[place].tracker?.add(statistics) }
            if let times = tracker.times { trackers[place].times?.add(times) }
            guard tracker.state != .enabled, trackers[place].state == .enabled else { continue }
            (trackers[place].state, trackers[place].reason) = (tracker.state, tracker.reason)
        }
        return trackers
    }
}
