import AdobeAnalytics
import PluginKit
import Tally
import TallyTesting

/// The tracker as the tests configure it, and a run of it.
struct Analytics {
    static let settings: JSONObject = ["rsids": "suite1,suite2", "server": "metrics.example.com"]

    static let library = PluginLibrary(trackers: [AdobeAnalyticsTracker.self])
    static let sources: [PluginSource] = unsafe [.linked { unsafe library.entry }]

    static var runner: ScenarioRunner {
        unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("adobe-analytics")),
            linked: .linked { unsafe library.entry }
        )
    }

    static func configuration(_ changes: JSONObject = [:], _ more: JSONObject = [:]) -> JSONValue {
        var analytics = settings
        for member in changes { analytics[member.key] = member.value }
        var all: JSONObject = ["ADBMobileConfig": ["analytics": .object(analytics)]]
        for member in more { all[member.key] = member.value }
        return .object(all)
    }

    static func selection(_ configuration: JSONValue = configuration()) -> PluginSelection {
        PluginSelection("com.adobe.analytics", name: "analytics", configuration: configuration)
    }

    let run: RecordedRun
    let log: [LogLine]

    init(
        _ configuration: JSONValue = configuration(),
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws {
        let lines = Lock<[LogLine]>([])
        var virtual = VirtualRun(plugins: [Self.selection(configuration)], sources: Self.sources)
        virtual.log = { line in lines.with { $0.append(line) } }
        run = try virtual.record(body)
        log = lines.with { $0 }
    }

    /// The kinds of the hits that went out, in order.
    var hits: [String] {
        run.live.lines.filter { $0.kind != "beacon" }.map(\.kind)
    }

    /// The requests that went out, in order: address and body.
    var requests: [(address: String, body: String)] {
        run.live.lines.filter { $0.kind == "beacon" }.map { line in
            let parts = line.text.split(separator: " ")
            let post = parts.firstIndex(of: "POST") ?? 0
            return (String(parts[post + 1]), String(parts.last ?? ""))
        }
    }
}
