import EventModel
import Tally
import TallyTesting
import Testing

/// Consent lets the outputs of trackers through that do not see to it themselves, live and in replay alike.
@Suite struct ConsentTests {
    @Test("Refused consent stops outputs from its time on, given consent lets them through again")
    func refused() throws {
        let run = try Self.record { player, run, clock in
            Self.say("before", player, run, clock, at: 1_000_000)
            run.trackConsent(.refused)
            Self.say("during", player, run, clock, at: 2_000_000)
            run.trackConsent(.given)
            Self.say("after", player, run, clock, at: 3_000_000)
        }
        #expect(Self.said(run) == ["before", "after"])
        #expect(Self.heardConsent(run) == ["in"], "a refusal is the first thing that is not told")
    }

    @Test(
        "While consent is pending outputs wait; given, they come with their own time and order; refused, they are lost"
    )
    func pending() throws {
        let given = try Self.record { player, run, clock in
            run.trackConsent(.pending)
            Self.say("one", player, run, clock, at: 1_000_000)
            Self.say("two", player, run, clock, at: 2_000_000)
            clock.advance(to: 3_000_000)
            run.trackConsent(.given)
            Self.say("three", player, run, clock, at: 4_000_000)
        }
        #expect(Self.said(given) == ["one", "two", "three"])
        let times = given.live.lines.filter { $0.kind == "event" }.map(\.time)
        #expect(times.filter { $0 == 1_000_000 || $0 == 2_000_000 } == [1_000_000, 2_000_000])
        let ordinals = given.live.lines.filter { $0.instance == "witness" && $0.kind != "beacon" }.map(\.text)
        #expect(ordinals.count == Set(ordinals).count)

        let refused = try Self.record { player, run, clock in
            Self.say("before", player, run, clock, at: 500_000)
            run.trackConsent(.pending)
            Self.say("one", player, run, clock, at: 1_000_000)
            run.trackConsent(.refused)
            Self.say("two", player, run, clock, at: 2_000_000)
            run.trackConsent(.given)
            Self.say("three", player, run, clock, at: 3_000_000)
        }
        #expect(Self.said(refused) == ["before", "three"])
    }

    @Test("What waits when the run ends undecided is lost and counted")
    func undecided() throws {
        var statistics: [TrackerStatistics] = []
        let run = try Self.record { player, run, clock in
            run.trackConsent(.pending)
            Self.say("one", player, run, clock, at: 1_000_000)
            run.destroy()
            statistics = run.trackerStatistics.map(\.statistics)
        }
        #expect(Self.said(run).isEmpty)
        // The consent itself, the event, the end of the session and the beacon that carries them.
        #expect(statistics.first?.withheld == 4)
    }

    @Test("Only so many outputs wait: the oldest make way and are counted, the youngest come")
    func bounded() throws {
        var statistics: [TrackerStatistics] = []
        let run = try Self.record { player, run, clock in
            run.trackConsent(.pending)
            for number in 0..<1_500 {
                Self.say("\(number)", player, run, clock, at: 1_000_000 + Int64(number))
            }
            run.trackConsent(.given)
            run.destroy()
            statistics = run.trackerStatistics.map(\.statistics)
        }
        let said = Self.said(run).compactMap { Int($0) }
        #expect(said.last == 1_499)
        #expect(said == Array((1_500 - said.count)..<1_500))
        let withheld = try #require(statistics.first?.withheld)
        let produced = try #require(statistics.first.map { $0.records + $0.beacons })
        #expect(said.count > 800 && withheld > 500)
        #expect(UInt64(run.live.lines.count) == produced - withheld)
    }

    @Test("Consent of one tracker does not concern the others")
    func scope() throws {
        let run = try Self.record(["witness", "second"]) { player, run, clock in
            run.trackConsent(.refused, tracker: "second")
            Self.say("one", player, run, clock, at: 1_000_000)
            run.trackConsent(.pending, tracker: "witness")
            Self.say("two", player, run, clock, at: 2_000_000)
            run.trackConsent(.given)
        }
        #expect(Self.said(run, by: "witness") == ["one", "two"])
        #expect(Self.said(run, by: "second").isEmpty)
    }

    @Test("A tracker that handles consent itself is not silenced")
    func handlesItself() throws {
        let run = try ConsentingTracker.record { player, run in
            for consent: ConsentState in [.refused, .pending, .given] {
                run.trackConsent(consent)
                player.perform(.sample, on: run)
            }
        }
        #expect(
            run.live.lines.map(\.kind) == [
                "video_load", "consent", "playhead_sample", "consent", "playhead_sample",
                "consent", "playhead_sample", "video_unload",
            ]
        )
    }

    // MARK: - Parts

    private static let sources: [PluginSource] = [.file(PluginFiles.fixture("witness"))]

    /// A run that is loaded before `body` and unloaded behind it; its replay has to say the same.
    private static func record(
        _ names: [String] = ["witness"],
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) -> Void
    ) throws -> RecordedRun {
        let selections = names.map {
            PluginSelection("org.tally.fixture.witness", name: $0, configuration: ["timers": 0])
        }
        let run = try VirtualRun(plugins: selections, sources: sources).record { player, run, clock in
            player.perform(.load, on: run)
            run.pump()
            body(player, run, clock)
            run.pump()
        }
        let replay = try run.replay(through: selections, from: sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
        return run
    }

    private static func say(
        _ word: String,
        _ player: SyntheticPlayer,
        _ run: PlayerRun,
        _ clock: VirtualClock,
        at time: Int64
    ) {
        run.advance(clock, to: time)
        run.trackCustomEvent(word)
        run.pump()
    }

    /// The custom events that a tracker told of.
    private static func said(_ run: RecordedRun, by instance: String = "witness") -> [String] {
        values(of: "custom_name", run, instance)
    }

    private static func heardConsent(_ run: RecordedRun) -> [String] {
        values(of: "consent_state", run, "witness")
    }

    private static func values(of name: String, _ run: RecordedRun, _ instance: String) -> [String] {
        run.live.lines.compactMap { line in
            guard line.instance == instance, line.kind == "event",
                case .string(let text)? = line.attributes["attributes"]
            else { return nil }
            guard let found = text.split(separator: ";").first(where: { $0.contains(":\(name)#") }) else { return nil }
            return found.split(separator: "=").last?.split(separator: ":").last.map(String.init)
        }
    }
}
