import NielsenDCR
import PluginKit
import Tally
import TallyTesting

/// Trackers that are linked into the test program.
enum Linked {
    /// The tracker itself.
    static let nielsen = PluginLibrary(trackers: [NielsenDCRTracker.self])
    /// The vendor's API without the player binding.
    static let direct = PluginLibrary(trackers: [DirectAPITracker.self])
}

/// What the scenarios are configured with.
enum Setup {
    static let appID = "P10DF14BA-937E-436D-99DF-ED39A0422387"

    /// The application of the guide's sample ping.
    static let application: JSONValue = [
        "appid": .string(appID), "channelName": "Channel 1", "clientId": "us-500207", "vcid": "c77",
    ]

    /// The same with further keys.
    static func application(_ more: [String: JSONValue]) -> JSONValue {
        var members = application.object ?? [:]
        for (key, value) in more.sorted(by: { $0.key < $1.key }) {
            members[key] = value
        }
        return .object(members)
    }

    static func tracker(_ more: [String: JSONValue] = [:]) -> PluginSelection {
        PluginSelection("com.nielsen.dcr", name: "nielsen", configuration: application(more))
    }
}
