import Coordinator
import EventModel
import PluginKit
import Tally
import TallyTesting
import Testing

/// A tracker is called with the events that its descriptor names, live and in replay, and with nothing less.
@Suite struct WantedEventsTests {
    private static let selection = PluginSelection("org.tally.test.selective", name: "selective")
    private static let source = unsafe PluginSource.linked { unsafe SelectiveTracker.library.entry }

    @Test("Only named events reach the tracker; sessions, timers and numbers are those that every tracker has")
    func mask() throws {
        let run = try VirtualRun(plugins: [Self.selection], sources: [Self.source]).record { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            run.advance(clock, to: 500_000)
            player.perform(.pause, on: run)
            player.perform(.play, on: run)
            run.advance(clock, to: 2_000_000)
            player.perform(.custom(name: "name", value: .int(1)), on: run)
            player.perform(.unload, on: run)
        }
        #expect(run.live.lines.map(\.kind) == ["begin", "play", "play", "timer", "custom", "end"])
        let ordinals = run.live.lines.compactMap { $0.attributes["ordinal"] }
        #expect(ordinals == [.int(2), .int(4), .int(5)])
        let replay = try run.replay(through: [Self.selection], from: [Self.source])
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("A list ends with 0; one number stands for all types that have none, and no list for every type")
    func lists() {
        let list: [UInt32] = [3, 300, EventType.anyUnknown.rawValue, 0, 4]
        let wanted = unsafe list.withUnsafeBufferPointer { unsafe WantedEvents($0.baseAddress) }
        #expect([3, 300, 0x10000, 0x1_2345].allSatisfy { wanted.contains($0) })
        #expect(![0, 1, 4, 299, 301, 0xFFFE].contains { wanted.contains($0) })
        let nothing: [UInt32] = [0]
        let none = unsafe nothing.withUnsafeBufferPointer { unsafe WantedEvents($0.baseAddress) }
        #expect(!none.contains(3))
        let every = unsafe WantedEvents(nil)
        #expect(every.contains(77))
    }
}

/// A tracker that wants to know when playback begins, and what the application says.
private final class SelectiveTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.selective",
        name: "Selective",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#,
        wantedEvents: [.play, .custom]
    )

    static let library = PluginLibrary(trackers: [SelectiveTracker.self])
    private let host: TrackerHost

    init(run: RunInformation, host: TrackerHost) {
        self.host = host
    }

    func sessionBegin(_ snapshot: EventView) {
        host.say("begin")
        host.startTimer(at: snapshot.time + 1_000_000)
    }

    func handle(_ event: EventView) {
        let record = RecordBuilder()
        record.begin(event.typeName)
        record.set("ordinal", Int64(event.ordinal))
        host.emit(record)
    }

    func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        host.say("timer")
    }

    func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        host.say("end")
    }
}
