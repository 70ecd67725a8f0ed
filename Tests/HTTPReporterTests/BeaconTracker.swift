import PluginKit

/// A tracker that says a beacon for each custom event, as the event's attributes have it.
final class BeaconTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.beacons",
        name: "Beacons",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#
    )

    private let host: TrackerHost
    private let beacon = BeaconBuilder()

    init(run: RunInformation, host: TrackerHost) {
        self.host = host
    }

    func handle(_ event: EventView) {
        guard event.type == .custom, let url = event.attributes["url"]?.string else { return }
        beacon.begin(
            destination: event.attributes["destination"]?.string?.string ?? "test",
            method: event.attributes["method"]?.string?.string ?? "POST"
        )
        beacon.url.append(url.string)
        if event.attributes["patched"]?.bool == true {
            beacon.url.append("?at=")
            beacon.appendPatch(.sendEpochMilliseconds, to: .url)
            beacon.url.append("&try=")
            beacon.appendPatch(.attempt(digits: 3), to: .url)
        }
        beacon.body.append(event.attributes["body"]?.string?.string ?? "")
        if let credential = event.attributes["credential"]?.string {
            beacon.setCredential(credential.string)
        }
        beacon.maximumAgeSeconds = event.attributes["age"]?.int ?? 0
        beacon.options = BeaconOptions(
            rawValue: UInt32(truncatingIfNeeded: event.attributes["options"]?.int ?? 0)
        )
        host.emit(beacon)
    }
}

/// The library of this test program.
enum Linked {
    static let library = PluginLibrary(trackers: [BeaconTracker.self])
}
