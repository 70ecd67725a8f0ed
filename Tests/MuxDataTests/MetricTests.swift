import EventModel
import MuxData
import PluginKit
import Tally
import TallyTesting
import Testing

/// Formulas and vectors of what is measured.
@Suite struct MetricTests {
    @Test(
        "The score of a start-up falls with its time",
        arguments: [(0, 100), (400, 95.2), (2_000, 80), (8_000, 50), (20_000, 28.6)] as [(Int64, Double)]
    )
    func startup(milliseconds: Int64, score: Double) {
        #expect(ViewScores.startup(milliseconds: milliseconds) == score)
    }

    @Test(
        "The score of smoothness is the mean of how often and how long playback stalled",
        arguments: [(0, 0, 100), (1, 0, 94.7), (4, 0.1, 40.8), (0, 0.05, 80.3)] as [(Int64, Double, Double)]
    )
    func smoothness(count: Int64, fraction: Double, score: Double) {
        #expect(ViewScores.smoothness(rebufferCount: count, rebufferFraction: fraction) == score)
    }

    @Test(
        "The score of quality falls with upscaling",
        arguments: [(0, 0, 100), (1, 1, 71.9), (3, 1, 65.1)] as [(Double, Double, Double)]
    )
    func quality(strongest: Double, mean: Double, score: Double) {
        #expect(ViewScores.quality(strongestUpscaling: strongest, meanUpscaling: mean) == score)
    }

    @Test("A view that worked, one that was left and one that failed score 100, 50 and 0")
    func success() {
        #expect(ViewScores.success(failed: false, leftBeforeStart: false) == 100)
        #expect(ViewScores.success(failed: false, leftBeforeStart: true) == 50)
        #expect(ViewScores.success(failed: true, leftBeforeStart: true) == 0)
    }

    @Test("A view that is left within a second has no success score")
    func shortExit() throws {
        let transcript = try Mux.transcript(steps: [.at(0, .load), .at(0, .play), .at(999, .unload)])
        let metrics = try #require(Mux.records("viewmetrics", in: transcript).first)
        #expect(metrics["exit_before_video_start"] == .bool(true) && metrics["playback_success_score"] == nil)
    }

    @Test(
        "A playhead that stops for 1200 ms is one stall of about that, however often it is looked at",
        arguments: [(25, 1_225), (50, 1_250), (100, 1_300), (250, 1_250)] as [(Int64, Int64)]
    )
    func stallBySamples(interval: Int64, duration: Int64) throws {
        var steps: [Scenario.Step] = [.at(0, .load), .at(0, .play), .at(0, .firstFrame)]
        for time in stride(from: interval, through: 5_000, by: Int(interval)) {
            steps.append(.at(time, .sample))
            if time == 2_000 { steps.append(.at(time, Self.moving(false))) }
            if time == 3_200 || time == 3_000 && interval == 250 { steps.append(.at(3_200, Self.moving(true))) }
        }
        steps.append(.at(5_100, .unload))
        let transcript = try Mux.transcript(steps: steps)
        let stalls = Mux.events(transcript).filter { $0.hasPrefix("rebuffer") }
        #expect(stalls == ["rebufferstart", "rebufferend"])
        let end = try #require(Mux.records("viewend", in: transcript).first)
        #expect(end["view_rebuffer_duration"] == .int(duration) && end["view_rebuffer_count"] == .int(1))
        let start = try #require(Mux.records("rebufferstart", in: transcript).first)
        #expect(start["viewer_time"] == .int(1_700_000_002_000))
    }

    private static func moving(_ isMoving: Bool) -> PlayerAction {
        .call(PlayerCall(isMoving ? "thaw" : "freeze") { player, _ in player.change { $0.moving = isMoving } })
    }

    @Test("Reports that are 100 ms apart by their clock and 90 to 110 ms by their playhead are no stall")
    func jitter() throws {
        var steps: [Scenario.Step] = [.at(0, .load), .at(0, .play), .at(0, .firstFrame)]
        for index in 1...50 {
            let late: Int64 = index % 2 == 0 ? 10 : -10
            steps.append(
                .at(
                    Int64(index) * 100,
                    .call(
                        PlayerCall("jitter") { player, run in
                            player.change {
                                $0.moving = false
                                $0.position = Int64(index) * 100 + late
                            }
                            player.perform(.sample, on: run)
                        }
                    )
                )
            )
        }
        let transcript = try Mux.transcript(steps: steps)
        #expect(Mux.events(transcript).filter { $0.hasPrefix("rebuffer") }.isEmpty)
    }
}
