import PluginABI
import PluginKit
import TallyTesting
import Testing

/// The rules by which a fake host answers, which are a real host's.
@Suite struct FakeHostTests {
    private static let library = PluginLibrary(trackers: [AskingTracker.self])

    private func host(stored: [String: String] = [:]) throws -> FakeHost {
        let host = unsafe FakeHost(entry: Self.library.entry, instance: "mine", stored: stored)
        try host.start()
        return host
    }

    private func times(_ kind: String, _ host: FakeHost) -> [PlainValue?] {
        host.records.filter { $0.kind == kind }.map { $0["time_us"] }
    }

    private func startTimer(_ host: FakeHost, ahead: Int64, ofSession: Bool = true) {
        host.send(
            .custom,
            [("custom_name", .string("timer")), ("ahead_us", .int(ahead)), ("of_session", .bool(ofSession))]
        )
    }

    @Test("A plugin in C is driven from its file: sessions, events, timers and its commands of none")
    func inC() throws {
        let host = try FakeHost(.file(PluginFiles.plugin("example-c")))
        try host.start(["interval_seconds": 10])
        #expect(host.pluginID == "org.tally.example.c")
        #expect(host.beginSession() == TALLY_OK)
        host.wait(milliseconds: 10_000)
        #expect(host.records.map(\.kind) == ["heartbeat"])
        #expect(host.records.first?.time == 10_000_000)
        #expect(host.runningTimerCount == 1)
        host.endSession()
        #expect(host.records.map(\.kind) == ["heartbeat", "summary"])
        #expect(host.runningTimerCount == 0)
        #expect(host.command("count").status == TALLY_ERR_UNSUPPORTED)
        #expect(host.reconfigure([:]) == TALLY_ERR_UNSUPPORTED)
    }

    @Test("Events carry the time, the session, their number and what the player is")
    func events() throws {
        let host = try host(stored: ["viewer": "abc"])
        host.send(.playerReady)
        host.beginSession()
        host.advance(to: 250_000)
        host.player.playheadMilliseconds = 240
        host.send(.play)
        host.endSession()
        host.beginSession()
        host.send(.play)
        #expect(host.records.map { $0["session"] } == [.int(0), .int(1), .int(2)])
        #expect(host.records.map { $0["ordinal"] } == [.int(1), .int(2), .int(3)])
        #expect(host.records.map { $0["playhead_ms"] } == [.int(-1), .int(240), .int(240)])
        #expect(host.records.map(\.time) == [0, 250_000, 250_000])
        #expect(host.records.allSatisfy { $0["instance"] == .string("mine") && $0["viewer"] == .string("abc") })
    }

    @Test("Timers fire in the order of their deadlines, each at its own, and no time passes without being asked")
    func timers() throws {
        let host = try host()
        for ahead in [3_000_000, 1_000_000, 2_000_000] as [Int64] { startTimer(host, ahead: ahead) }
        #expect(host.records.isEmpty && host.time == 0)
        host.advance(to: 2_000_000)
        #expect(times("timer", host) == [.int(1_000_000), .int(2_000_000)])
        host.wait(milliseconds: 1_500)
        #expect(times("timer", host).last == .int(3_000_000))
        #expect(host.time == 3_500_000)
        host.advance(to: 1)
        #expect(host.time == 3_500_000)
    }

    @Test("A deadline that is too near is moved to 1 ms ahead")
    func nearTimer() throws {
        let host = try host()
        startTimer(host, ahead: -5)
        #expect(host.startedTimers == [FakeHost.Timer(id: 1, deadline: 1_000)])
    }

    @Test("A session's timers end with it, all others with the tracker's being disabled")
    func timerScopes() throws {
        let host = try host()
        host.beginSession()
        startTimer(host, ahead: 1_000_000)
        startTimer(host, ahead: 2_000_000, ofSession: false)
        host.endSession()
        #expect(host.runningTimerCount == 1)
        host.disable()
        #expect(host.runningTimerCount == 0)
        host.wait(milliseconds: 5_000)
        #expect(times("timer", host).isEmpty)
    }

    @Test("A disabled tracker emits nothing, not even while it is being disabled")
    func disabled() throws {
        let host = try host()
        host.disable()
        host.send(.play)
        #expect(host.records.isEmpty)
        #expect(host.logLines.count == 2)
        #expect(host.logLines[0].message == #"record "too late" refused by the host with status -3"#)
        host.enable()
        host.send(.play)
        #expect(host.records.map(\.kind) == ["event"])
    }

    @Test("A value is stored under a key that the descriptor lists, and under no other")
    func store() throws {
        let host = try host()
        host.send(.custom, [("custom_name", .string("viewer"))])
        host.send(.custom, [("custom_name", .string("else"))])
        #expect(host.stored == ["viewer": "value"])
        #expect(host.records.map(\.kind) == ["stored", "not stored"])
    }

    @Test("What is refused is not done")
    func refusal() throws {
        let host = try host()
        host.refusal = TALLY_ERR_TOO_LARGE
        host.send(.play)
        startTimer(host, ahead: 1_000_000)
        #expect(host.records.isEmpty && host.startedTimers.isEmpty)
        #expect(host.logLines.count == 2)
        host.refusal = nil
        host.send(.play)
        #expect(host.records.count == 1)
    }

    @Test("The random numbers follow from the seed")
    func random() throws {
        let sessions = try [7, 7, 8].map { (seed: UInt64) in
            let host = try FakeHost(.file(PluginFiles.plugin("example-c")), seed: seed)
            try host.start()
            host.beginSession()
            host.endSession()
            return try #require(host.records.first?["session_id"])
        }
        #expect(sessions[0] == sessions[1] && sessions[0] != sessions[2])
    }

    @Test("What cannot be started is told with its reason")
    func errors() throws {
        let nobody = unsafe FakeHost(entry: Self.library.entry, plugin: "org.example.nobody")
        let refused = FakeHostError.createRefused(plugin: "org.example.nobody")
        #expect(throws: refused) { try nobody.start() }
        #expect(nobody.send(.play) == TALLY_ERR_STATE)
        let lacking = unsafe FakeHost(entry: Self.library.entry)
        lacking.withheldExtensions = [TALLY_EXT_STORE]
        let error = #expect(throws: FakeHostError.self) { try lacking.start() }
        #expect(
            error?.description.contains("init of \"org.tally.test.asking\" returned -2: this host does not") == true
        )
        #expect(lacking.send(.play) == TALLY_ERR_STATE)
        // Nothing lies below a file.
        let absent = PluginFiles.plugin("example-c") + "/libnone.tallyplugin.so"
        #expect(throws: (any Error).self) { _ = try FakeHost(.file(absent)) }
    }

    @Test("Outputs that a tracker made can be handed to a reporter")
    func outputs() throws {
        let tracker = try FakeHost(.file(PluginFiles.plugin("example-swift")))
        try tracker.start(["url": "http://127.0.0.1/w"])
        tracker.beginSession()
        tracker.endSession()
        #expect(tracker.records.count == 1 && tracker.beacons.count == 1)
        let outputs = ReporterOutputs(plugin: tracker.pluginID, instance: tracker.instance)
        outputs.add(.runBegin)
        for (index, record) in tracker.records.enumerated() { outputs.add(record, ordinal: UInt64(index + 1)) }
        for (index, beacon) in tracker.beacons.enumerated() { outputs.add(beacon, ordinal: UInt64(index + 1)) }
        let reporter = try FakeHost(.file(PluginFiles.plugin("discard")))
        try reporter.start()
        #expect(reporter.deliver(outputs) == 3)
        reporter.flush(token: 1)
        #expect(reporter.flushAnswers == [FakeHost.FlushAnswer(token: 1, delivered: 3)])
    }
}
