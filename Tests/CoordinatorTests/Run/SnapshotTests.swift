import EventModel
import PluginABI
import PluginKit
import Tally
import TallyTesting
import Testing

/// What a tracker is told that joins a session in its midst, and how one leaves.
@Suite struct SnapshotTests {
    @Test("A tracker that joins gets all that is known of video, break, ad, chapter and metadata")
    func joins() throws {
        let run = try Self.joining { player, run, clock in
            run.advance(clock, to: 1_000_000)
            player.perform(.play, on: run)
            run.advance(clock, to: 2_000_000)
            player.perform(.pause, on: run)
            player.perform(.play, on: run)
            player.perform(.metadata(name: "A new title"), on: run)
            player.perform(.chapterStart(3), on: run)
            player.perform(.adBreakStart, on: run)
            player.perform(.adStart(12), on: run)
            run.pump()
            run.advance(clock, to: 2_400_000)
        }
        let attributes = Self.attributes(run.snapshot)
        #expect(attributes.contains("joined#163!0=true"))
        #expect(attributes.contains("loaded_at_us#164!0=500000;"))
        #expect(attributes.contains("first_play_at_us#165!0=1000000;"))
        for text in [
            "video_id#1!0=s7:asset-1", "video_name#2!0=s11:A new title", "stream_type#6!0=s3:vod",
            "ad_break_name#33!0=s5:break", "ad_id#48!0=s5:ad-12", "ad_name#49!0=s5:Ad 12",
            "chapter_name#64!0=s9:Chapter 3", "chapter_position#65!0=3;",
        ] {
            #expect(attributes.contains(text), "\(text) in \(attributes)")
        }
        #expect(!attributes.contains("Synthetic;"), "the old title is gone")
        let flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_IN_AD | TALLY_STATE_IN_CHAPTER
        #expect(run.number("state_flags") & Int64(flags) == Int64(flags))
        #expect(run.number("flags") == Int64(TALLY_EVENT_SYNTHETIC))
        #expect(run.number("time_us") == 2_400_000)
        #expect(run.number("session") == 1)
        #expect(run.number("duration_ms") == 600_000)
        #expect(run.number("bitrate_bps") == 3_000_000)
    }

    @Test("What is over is not in the snapshot")
    func over() throws {
        let run = try Self.joining { player, run, _ in
            player.perform(.chapterStart(3), on: run)
            player.perform(.adBreakStart, on: run)
            player.perform(.adStart(12), on: run)
            player.perform(.adComplete, on: run)
            player.perform(.adBreakComplete, on: run)
            player.perform(.chapterComplete, on: run)
            run.pump()
        }
        let attributes = Self.attributes(run.snapshot)
        #expect(attributes.contains("video_id"))
        for name in ["ad_", "chapter_", "first_play_at_us"] {
            #expect(!attributes.contains(name), "\(name) in \(attributes)")
        }
    }

    @Test("An ad that only the end of its break ends is over")
    func breakOver() throws {
        let run = try Self.joining { player, run, _ in
            player.perform(.adBreakStart, on: run)
            player.perform(.adStart(12), on: run)
            player.perform(.adBreakComplete, on: run)
            run.pump()
        }
        let attributes = Self.attributes(run.snapshot)
        #expect(attributes.contains("video_id") && !attributes.contains("ad_"), "\(attributes)")
    }

    @Test("Only what the session has seen is told: nothing of the session before")
    func secondSession() throws {
        let run = try Self.joining { player, run, clock in
            player.perform(.play, on: run)
            player.perform(.chapterStart(3), on: run)
            player.perform(.unload, on: run)
            run.advance(clock, to: 3_000_000)
            player.change { $0.name = nil }
            player.perform(.load, on: run)
            run.pump()
        }
        let attributes = Self.attributes(run.snapshot)
        #expect(attributes.contains("loaded_at_us#164!0=3000000;"))
        #expect(!attributes.contains("video_name") && !attributes.contains("chapter_"))
        #expect(!attributes.contains("first_play_at_us"))
        #expect(run.number("session") == 2)
    }

    @Test("At a load the snapshot is without attributes: the load says it all")
    func atLoad() throws {
        let run = try VirtualRun(plugins: [Self.witness(enabled: true)], sources: Self.sources)
            .record { player, run, _ in player.perform(.load, on: run) }
        let snapshot = try #require(run.live.lines.first { $0.kind == "session_begin" })
        #expect(snapshot.attributes["attr_count"] == .int(0))
    }

    @Test("Nobody but the tracker that joins sees its snapshot")
    func alone() throws {
        var second = Self.witness(enabled: false)
        second.name = "second"
        let run = try VirtualRun(plugins: [Self.witness(enabled: true), second], sources: Self.sources)
            .record { player, run, clock in
                player.perform(.load, on: run)
                run.pump()
                run.advance(clock, to: 1_000_000)
                run.enable(plugin: "second")
                run.pump()
            }
        let begins = run.live.lines.filter { $0.kind == "session_begin" }
        #expect(begins.map(\.instance) == ["witness", "second"])
        #expect(!run.live.events.contains { $0.contains("session_snapshot") })
    }

    @Test("Before it is disabled a tracker gets the end of its session, in which it can emit, and then nothing")
    func leaves() throws {
        let ends = Notes<SessionEndReason>()
        var script = ScriptedTracker.Script()
        script.end = { host, reason, _ in
            ends.add(reason)
            #expect(host.say("last") > 0)
        }
        script.handle = { host, _ throws(TrackerFault) in host.say("event") }
        let run = try ScriptedRun.record(script) { player, run, clock in
            run.advance(clock, to: 1_000_000)
            run.disable(plugin: "scripted")
            run.pump()
            player.perform(.play, on: run)
            player.perform(.unload, on: run)
            run.advance(clock, to: 2_000_000)
        }
        #expect(ends.all == [.disable])
        #expect(run.live.lines.map(\.kind) == ["event", "last"])
        #expect(run.live.lines.last?.time == 1_000_000)
    }

    @Test(
        "A session ends for a tracker by the unload, by its being disabled or by the run's end",
        arguments: [SessionEndReason.unload, .disable, .shutdown]
    )
    func reasons(reason: SessionEndReason) throws {
        let ends = Notes<SessionEndReason>()
        var script = ScriptedTracker.Script()
        script.end = { _, reason, _ in ends.add(reason) }
        _ = try ScriptedRun.record(script) { player, run, _ in
            switch reason {
            case .unload: player.perform(.unload, on: run)
            case .disable: run.disable(plugin: "scripted")
            default: break
            }
        }
        #expect(ends.all == [reason])
    }

    @Test("A snapshot whose parts are too much together leaves out what does not fit and is sound")
    func tooMuch() throws {
        let run = try Self.joining { player, run, _ in
            player.perform(.metadata(name: String(repeating: "t", count: 12_000)), on: run)
            run.pump()
            run.trackMetadataChange { $0.set(custom: "note", .string(String(repeating: "n", count: 12_000))) }
            run.pump()
        }
        #expect(Self.attributes(run.snapshot).contains("joined#163!0=true"))
        #expect(run.number("session") == 1)
    }

    // MARK: - Parts

    private static let sources: [PluginSource] = [.file(PluginFiles.fixture("witness"))]

    private static func witness(enabled: Bool) -> PluginSelection {
        PluginSelection(
            "org.tally.fixture.witness",
            name: "witness",
            enabled: enabled,
            configuration: ["timers": 0]
        )
    }

    private struct Joined {
        let snapshot: OutputTranscript.Line

        func number(_ name: String) -> Int64 {
            guard case .int(let number)? = snapshot.attributes[name] else { return -99 }
            return number
        }
    }

    /// Loads at 0.5 s, lets `body` go on, and then enables the witness; the replay has to say the same.
    private static func joining(
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) -> Void
    ) throws -> Joined {
        let selection = witness(enabled: false)
        let run = try VirtualRun(plugins: [selection], sources: sources).record { player, run, clock in
            run.advance(clock, to: 500_000)
            player.perform(.load, on: run)
            run.pump()
            body(player, run, clock)
            run.enable(plugin: "witness")
            run.pump()
        }
        let replay = try run.replay(through: [selection], from: sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
        return Joined(snapshot: try #require(run.live.lines.first { $0.kind == "session_begin" }))
    }

    private static func attributes(_ line: OutputTranscript.Line) -> String {
        guard case .string(let text)? = line.attributes["attributes"] else { return "" }
        return text
    }
}
