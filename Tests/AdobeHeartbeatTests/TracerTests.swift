import AdobeShared
import PluginKit
import Tally
import TallyTesting
import Testing

/// The tracer itself, inside a tracker that does nothing else.
@Suite struct TracerTests {
    @Test("While tracing is off the text of a debug line is never made")
    func off() throws {
        ProbeTracker.textsMade.with { $0 = 0 }
        let library = PluginLibrary(trackers: [ProbeTracker.self])
        for isOn in [false, true] {
            let selection = PluginSelection("org.tally.test.probe", configuration: .object(["on": .bool(isOn)]))
            let source = unsafe PluginSource.linked { unsafe library.entry }
            _ = try VirtualRun(plugins: [selection], sources: [source]).record { player, run, _ in
                player.perform(.load, on: run)
                player.perform(.play, on: run)
            }
            #expect(ProbeTracker.textsMade.with { $0 } == (isOn ? 2 : 0))
        }
    }
}

/// Traces each event and counts the texts that were made for it.
private final class ProbeTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.probe",
        name: "Probe",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object","properties":{"on":{"type":"boolean"}}}"#
    )

    static let textsMade = Lock(0)
    private let tracer: Tracer

    init(run: RunInformation, host: TrackerHost) {
        tracer = Tracer(.leveled, host: host, epochMicroseconds: run.epochMicroseconds)
    }

    func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        tracer.set(on: try configuration.flag("on", default: false), at: 0, type: "Probe")
    }

    func handle(_ event: EventView) {
        tracer.debug("Probe", "handle", at: event.time, Self.text(event.time))
    }

    private static func text(_ time: Int64) -> String {
        textsMade.with { $0 += 1 }
        return "\(time)"
    }
}
