import Glibc
import LoopbackServer
import PluginKit
import Tally
import TallyTesting

/// A player run whose tracker says beacons and whose reporter is the plugin's file, as a host has them.
final class Delivery {
    let telemetry: Telemetry
    let run: PlayerRun
    private let log: LogBook

    /// A configuration of the reporter: what is given, and short waits.
    private static func configuration(_ members: JSONObject) -> JSONValue {
        var all: JSONObject = [
            "retry": ["first_ms": 5, "longest_ms": 40], "commit_ms": 20, "drain_ms": 300_000,
        ]
        for member in members {
            all[member.key] = member.value
        }
        return .object(all)
    }

    /// Begins a run; the reporter's configuration is given, but for its waits, which are short.
    init(
        _ configuration: JSONObject = [:],
        log: LogBook = LogBook(),
        isolation: PluginIsolation = .none
    ) throws {
        var options = Telemetry.Options()
        options.log = { log.add($0) }
        self.log = log
        let catalog = PluginCatalog()
        unsafe try catalog.add(PluginSource.linked { unsafe Linked.library.entry }.library())
        try catalog.add(PluginSource.file(PluginFiles.plugin("http")).library())
        telemetry = try Telemetry(
            plugins: [
                PluginSelection("org.tally.test.beacons", name: "beacons"),
                PluginSelection(
                    "org.tally.reporter.http",
                    name: "http",
                    isolation: isolation,
                    configuration: Self.configuration(configuration)
                ),
            ],
            catalog: catalog,
            options: options
        )
        run = try telemetry.startRun()
        run.trackVideoLoad()
    }

    /// Has the tracker say a beacon; the body is its number.
    func say(
        _ number: Int,
        to url: String,
        _ more: (borrowing AttributeEncoder) -> Void = { _ in }
    ) {
        run.trackCustomEvent("beacon") { event in
            event.set("url", url)
            event.set("body", "\(number)")
            more(event)
        }
    }

    /// Gives the reporter another configuration, behind all that was said so far.
    func configure(_ configuration: JSONObject) throws {
        _ = run.plugins()
        try run.configure(plugin: "http", Self.configuration(configuration))
    }

    /// Ends session, run and reporter.
    @discardableResult
    func end() -> DestroyReport {
        run.trackVideoUnload()
        let report = run.destroy()
        telemetry.close(limit: 600_000)
        return report
    }

    /// What the reporter answers to a command.
    func ask(_ command: String, _ arguments: JSONValue = .object([:])) throws -> JSONValue {
        try run.command(plugin: "http", command, arguments)
    }
}

/// Log lines of all threads.
final class LogBook: Sendable {
    private let kept = Lock<[String]>([])

    var lines: [String] { kept.with { $0 } }

    func add(_ line: LogLine) {
        kept.with { $0.append("\(line.instance): \(line.message)") }
    }
}
