import Tally
import TallyTesting
import Testing

/// What a track call puts into its event.
@Suite struct TrackCallTests {
    @Test("Every event carries bitrate, frame rate and dropped frames of the delegate")
    func quality() throws {
        let actions: [PlayerAction] = [.load, .play, .firstFrame, .sample, .pause, .adStart(1), .quality, .unload]
        let run = try QuickRun.virtual().record { player, run, _ in
            for (number, action) in actions.enumerated() {
                player.change { $0.bitrate = 3_000_000 + Int64(number) }
                player.perform(action, on: run)
            }
        }
        let records = run.live.lines.filter { $0.attributes["state_known"] != nil }
        #expect(records.count >= 8)
        for record in records {
            #expect(record.attributes["fps_milli"] == .int(25_000), "\(record.kind)")
            #expect(record.attributes["dropped_frames"] != nil, "\(record.kind)")
        }
        // The delegate is asked at each call but a sample, which has what was said before.
        let bitrates = [
            "video_load", "play", "first_frame", "playhead_sample", "pause", "ad_start", "quality_sample",
            "video_unload",
        ].compactMap { run.live.witnessed($0)?.attributes["bitrate_bps"] }
        let asked: [Int64] = [0, 1, 2, 2, 4, 5, 6, 7]
        #expect(bitrates == asked.map { PlainValue.int(3_000_000 + $0) })
    }

    @Test("A delegate that knows nothing is legal, and nothing is made up")
    func nothingKnown() throws {
        let run = try QuickRun.virtual().record { player, run, _ in
            player.change { model in
                model.videoAnswer = { _ in }
                model.adBreakAnswer = { _ in }
                model.adAnswer = { _ in }
                model.chapterAnswer = { _ in }
                (model.bitrate, model.framesPerSecond, model.droppedFrames, model.muted) = (nil, nil, nil, nil)
                model.tellsPlayhead = false
            }
            run.trackVideoLoad()
            run.trackAdStart()
            run.trackChapterStart()
            run.trackQoSUpdateInfo()
        }
        for name in ["video_load", "ad_start", "chapter_start", "quality_sample"] {
            let event = try #require(run.live.witnessed(name))
            #expect(event.attributes["attr_count"] == .int(0), "\(name)")
            // The rate is what this player says all the same.
            #expect(event.attributes["state_known"] == .int(0x800), "\(name)")
        }
        let silent = try Telemetry().startRun(delegate: SilentDelegate())
        #expect(silent.trackVideoLoad() == .queued)
        #expect(silent.trackAdStart() == .queued)
        silent.destroy()
    }

    @Test(
        "Live and linear streams take a missing length or -1 as -1",
        arguments: [(AssetType.live, -1.0), (.linear, -1.0), (.vod, 600.0)]
    )
    func lengths(type: AssetType, length: Double) throws {
        let run = try QuickRun.virtual().record { player, run, _ in
            player.change {
                $0.streamType = type
                $0.length = length
            }
            player.perform(.load, on: run)
        }
        let load = run.live.witnessed("video_load")
        #expect(load?.attributes["duration_ms"] == .int(length < 0 ? -1 : 600_000))
        guard case .string(let attributes) = load?.attributes["attributes"] else {
            Issue.record("the load has no attributes")
            return
        }
        #expect(attributes.contains(type.rawValue))
    }

    @Test("Attributes beyond a limit are left out and the call says how many")
    func limits() throws {
        let run = try Telemetry().startRun()
        let result = run.trackCustomEvent("big") { attributes in
            attributes.set("text", String(repeating: "x", count: 70_000))
            attributes.set("number", Int64(1))
        }
        #expect(result == .queuedWithout(attributes: 1))
        run.destroy()
    }

    @Test("Calls out of order are delivered with a flag and never crash")
    func outOfOrder() throws {
        let run = try QuickRun.virtual().record { player, run, _ in
            for action: PlayerAction in [.pause, .adComplete, .seekComplete, .load, .play, .play, .unload, .unload] {
                player.perform(action, on: run)
            }
        }
        let flagged = run.live.events.filter { $0.contains("flags 1 ") }
        #expect(flagged.count == 5)
    }
}

private final class SilentDelegate: PlayerDelegate {}
