import AdobeHeartbeat
import PluginKit
import Tally
import TallyTesting

/// The tracker as the tests configure it, linked in and as a file.
enum Heartbeat {
    static let configuration: JSONValue = [
        "trackingServer": "heartbeats.omtrdc.net", "jobId": "j2", "publisher": "tally",
    ]

    /// As 1.3.1, with the Analytics settings that it needs.
    static let oldConfiguration: JSONValue = configuration.with([
        "compatibility": "1.3.1",
        "ADBMobileConfig": ["analytics": ["rsids": "suite1", "server": "metrics.example.com"]],
    ])

    static func selection(_ configuration: JSONValue = configuration) -> PluginSelection {
        PluginSelection("com.adobe.heartbeat", name: "adobe", configuration: configuration)
    }

    static let library = PluginLibrary(trackers: [AdobeHeartbeatTracker.self])

    static var runner: ScenarioRunner {
        unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("adobe-heartbeat")),
            linked: .linked { unsafe library.entry }
        )
    }

    static let sources: [PluginSource] = unsafe [.linked { unsafe library.entry }]
}

extension JSONValue {
    /// The object with other members added or replaced.
    func with(_ members: JSONObject) -> JSONValue {
        guard var object else { return .object(members) }
        for member in members {
            object[member.key] = member.value
        }
        return .object(object)
    }
}
