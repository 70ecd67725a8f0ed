import Synchronization
import Tally

/// Stands for your player: it shows nothing, and its position is a number.
final class ExamplePlayer: PlayerDelegate {
    private let position = Atomic<Int64>(0)

    func advance(milliseconds: Int64) {
        position.add(milliseconds, ordering: .relaxed)
    }

    func videoInfo(_ info: borrowing VideoInfoEncoder) {
        info.playerName("Example player")
        info.id("asset-1")
        info.name("A video of one second")
        info.length(seconds: 1)
        info.streamType(.vod)
    }

    func playerState(_ state: borrowing PlayerStateEncoder) {
        state.playhead(milliseconds: position.load(ordering: .relaxed))
    }

    func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        info.bitrate(3_000_000)
        info.framesPerSecond(25)
        info.droppedFrames(0)
    }

    func videoUnloaded(_ report: SessionReport) {
        print("session \(report.session): delivered \(report.delivered), lost \(report.dropped)")
    }

    func error(_ error: TrackerError) {
        print("\(error.plugin): \(error.message) \(error.details)")
    }
}

let folder = CommandLine.arguments.dropFirst().first ?? "."
let plugins = [PluginSelection("new-relic-video"), PluginSelection("jsonlines", configuration: ["path": "-"])]
let telemetry = try Telemetry(plugins: plugins, directories: [folder])
let player = ExamplePlayer()
let run = try telemetry.startRun(delegate: player, archive: CommandLine.arguments.dropFirst(2).first)

run.trackVideoLoad()
run.trackPlay()
run.trackFirstFrame()
for _ in 0..<4 {
    try await Task.sleep(for: .milliseconds(250))
    player.advance(milliseconds: 250)
    run.trackPlayhead()
}
run.trackComplete()
run.trackVideoUnload()
print("dropped track calls: \(run.destroy().droppedEvents)")
telemetry.close()
