import Tally
import TallyTesting
import Testing

/// What a track call puts into its event.
@Suite struct TrackCallTests {
    @Test("Every event carries bitrate, frame rate and dropped frames of the delegate")
    func quality() throws {
        let run = try QuickRun.virtual().record { player, run, _ in
            for action: PlayerAction in [.load, .play, .firstFrame, .sample, .pause, .adStart(1), .quality, .unload] {
                player.perform(action, on: run)
            }
        }
        let records = run.live.lines.filter { $0.attributes["state_known"] != nil }
        #expect(records.count >= 8)
        for record in records {
            #expect(record.attributes["bitrate_bps"] == .int(3_000_000), "\(record.kind)")
            #expect(record.attributes["fps_milli"] == .int(25_000), "\(record.kind)")
            #expect(record.attributes["dropped_frames"] != nil, "\(record.kind)")
        }
    }

    @Test("A delegate that knows nothing is legal, and nothing is made up")
    func nothingKnown() throws {
        let run = try QuickRun.virtual().record { _, run, _ in
            run.trackVideoLoad()
        }
        let silent = try Telemetry().startRun(delegate: SilentDelegate())
        #expect(silent.trackVideoLoad() == .queued)
        #expect(silent.trackAdStart() == .queued)
        silent.destroy()
        #expect(!run.live.lines.isEmpty)
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
