import EventModel
import MuxData
import PluginKit
import Tally
import TallyTesting

/// The tracker as the tests run it.
enum Mux {
    static let library = PluginLibrary(trackers: [MuxDataTracker.self])

    /// The tracker linked into the test program.
    static let linked: [PluginSource] = unsafe [.linked { unsafe library.entry }]

    /// Wall clock at time 0 of ``host(_:seed:)``, ms since 1970.
    static let epoch: Int64 = 1_600_000_000_000

    /// A host with a running tracker and no player; when the configuration is refused, its faults say why.
    static func host(
        _ configuration: String = #"{"environmentKey":"hex","timeUpdates":false}"#,
        seed: UInt64 = 7
    ) -> FakeHost {
        let host = unsafe FakeHost(
            entry: library.entry,
            instance: "player-one",
            epochMicroseconds: epoch * 1000,
            seed: seed
        )
        try? host.start(text: configuration)
        return host
    }

    /// Runs scenarios in each way.
    static var runner: ScenarioRunner {
        unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("mux-data")),
            linked: .linked { unsafe library.entry }
        )
    }

    /// The tracker with a configuration; without more of it, time updates are left out.
    static func selection(_ more: JSONObject = [:], name: String = "mux") -> PluginSelection {
        var configuration: JSONObject = ["environmentKey": "hex", "timeUpdates": false]
        for member in more {
            configuration[member.key] = member.value
        }
        return PluginSelection("com.mux.data", name: name, configuration: .object(configuration))
    }

    /// What a player that does the steps makes the tracker say.
    static func transcript(
        _ more: JSONObject = [:],
        sampled: Bool = false,
        steps: [Scenario.Step]
    ) throws -> OutputTranscript {
        try record(more, sampled: sampled, steps: steps).live
    }

    /// A run of a player that does the steps.
    static func record(
        _ more: JSONObject = [:],
        sampled: Bool = false,
        steps: [Scenario.Step]
    ) throws -> RecordedRun {
        try VirtualRun(plugins: [selection(more)], sources: linked).record { player, run, clock in
            for step in steps {
                while sampled, clock.now() / 250_000 < step.time / 250 {
                    clock.advance(to: (clock.now() / 250_000 + 1) * 250_000)
                    run.pump()
                    guard clock.now() < step.time * 1000 else { break }
                    player.perform(.sample, on: run)
                }
                clock.advance(to: step.time * 1000)
                run.pump()
                player.perform(step.action, on: run)
                run.pump()
            }
        }
    }

    /// The kinds of the records, without data events and beacons.
    static func events(_ transcript: OutputTranscript) -> [String] {
        let others = ["globaldata", "data", "beacon", "viewmetrics", "timeupdate"]
        return transcript.lines.map(\.kind).filter { !others.contains($0) }
    }

    /// The records of a kind.
    static func records(_ kind: String, in transcript: OutputTranscript) -> [[String: PlainValue]] {
        transcript.lines.filter { $0.kind == kind }.map(\.attributes)
    }

    /// The bodies of the beacons.
    static func beacons(_ transcript: OutputTranscript) throws -> [JSONValue] {
        try transcript.lines.filter { $0.kind == "beacon" }.map { line in
            let parts = line.text.split(separator: " body ", maxSplits: 1)
            let body = try JSONParser().parse("\"\(parts[1])\"").string ?? ""
            // The place that the time of sending goes into holds zeros, which are no number.
            return try JSONParser().parse(body.replacing(":0000000000000}", with: ":1700000000000}"))
        }
    }

    /// The events of all beacons, in order.
    static func sent(_ transcript: OutputTranscript) throws -> [JSONObject] {
        try beacons(transcript).flatMap { $0["events"]?.array ?? [] }.compactMap(\.object)
    }
}
