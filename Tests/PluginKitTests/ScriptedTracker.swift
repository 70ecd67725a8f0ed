import PluginABI
import PluginKit
import Synchronization
import TallyTesting

/// A tracker that does what a test says; the test's script is picked up as the instance is made.
final class ScriptedTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.scripted",
        name: "Scripted",
        vendor: "Tally",
        version: "2.3.4",
        configurationSchema: #"{"type":"object"}"#,
        sharedConfiguration: ["viewer"],
        storeKeys: ["viewer_id"]
    )

    /// What a test wants.
    struct Script: Sendable {
        var configure: @Sendable (JSONValue) throws(ConfigurationError) -> Void = { _ in }
        var begin: @Sendable (TrackerHost, RunInformation) -> Void = { _, _ in }
        var session: @Sendable (TrackerHost, String) -> Void = { _, _ in }
        var handle: @Sendable (TrackerHost, EventView) throws(TrackerFault) -> Void = { _, _ in }
        var fire: @Sendable (TrackerHost, TimerID, Int64) -> Void = { _, _, _ in }
        var gone: @Sendable () -> Void = {}
    }

    @TaskLocal static var script = Script()

    private let script = ScriptedTracker.script
    private let run: RunInformation
    private let host: TrackerHost

    init(run: RunInformation, host: TrackerHost) {
        self.run = run
        self.host = host
    }

    deinit {
        script.gone()
    }

    func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        try script.configure(configuration)
        script.begin(host, run)
    }

    func sessionBegin(_ snapshot: EventView) {
        script.session(host, "begin")
    }

    func join(_ snapshot: EventView) {
        script.session(host, "join")
    }

    func handle(_ event: EventView) throws(TrackerFault) {
        try script.handle(host, event)
    }

    func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        script.fire(host, timer, deadline)
    }
}

/// A tracker with nothing of its own but the one call that has no default.
final class BareTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.bare",
        name: "Bare",
        vendor: "Tally",
        version: "1.0.0"
    )

    init(run: RunInformation, host: TrackerHost) {}

    func handle(_ event: EventView) {}
}

/// The library of this test program.
enum TestLibrary {
    static let library = PluginLibrary(
        trackers: [ScriptedTracker.self, BareTracker.self, CounterTracker.self],
        reporters: [CounterReporter.self]
    )

    /// A host for one of the library's plugins.
    static func host(_ id: String, instance: String = "mine") -> FakeHost {
        unsafe FakeHost(entry: library.entry, plugin: id, instance: instance)
    }

    /// A host with a scripted tracker that was made and nothing more.
    static func host(_ script: ScriptedTracker.Script) -> FakeHost {
        let host = host("org.tally.test.scripted")
        ScriptedTracker.$script.withValue(script) { _ = host.create() }
        return host
    }

    /// Makes a tracker that does something in its first event, lets it, and gives the host that saw it.
    static func run(
        refusal: tally_status? = nil,
        _ body: @escaping @Sendable (TrackerHost, EventView) throws(TrackerFault) -> Void
    ) -> FakeHost {
        var script = ScriptedTracker.Script()
        script.handle = body
        let host = host(script)
        host.initialize()
        host.enable()
        host.refusal = refusal
        host.advance(to: 5_000_000)
        host.send(.custom, [("name", .string("value")), ("count", .int(3))])
        host.destroy()
        return host
    }
}
