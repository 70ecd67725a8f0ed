import Tally

/// A player that knows all of its state, as one with a real engine does.
final class ReportingPlayer: PlayerDelegate {
    struct Model: Sendable {
        var position: Int64 = 0
        var moving = false
        var bitrate: Int64 = 3_000_000
        var throughput: Int64 = 5_000_000
        var droppedFrames: Int64 = 0
        var renderedFrames: Int64 = 0
        var updated: Int64 = 0
    }

    private let model = Lock(Model())

    func change(_ change: (inout Model) -> Void) {
        model.with { change(&$0) }
    }

    /// Brings the position up to the run's time, us.
    func update(to time: Int64) {
        model.with { model in
            if model.moving { model.position += (time - model.updated) / 1000 }
            model.updated = time
        }
    }

    func videoInfo(_ info: borrowing VideoInfoEncoder) {
        info.playerName("tally-player")
        info.playerVersion("1.0.0")
        info.id("asset-1")
        info.name("An hour of something")
        info.url("https://media.example/asset/master.m3u8")
        info.length(seconds: 3600)
        info.streamType(.vod)
        info.mimeType("application/x-mpegURL")
    }

    func playerState(_ state: borrowing PlayerStateEncoder) {
        let model = model.with { $0 }
        state.playhead(milliseconds: model.position)
        state.duration(milliseconds: 3_600_000)
        state.rate(1)
        state.volume(1)
        state.muted(false)
        state.fullscreen(false)
        state.live(false)
        state.audioOnly(false)
        state.playerSize(width: 1280, height: 720)
    }

    func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        let model = model.with { $0 }
        info.bitrate(model.bitrate)
        info.throughput(model.throughput)
        info.framesPerSecond(25)
        info.droppedFrames(model.droppedFrames)
        info.renderedFrames(model.renderedFrames)
        info.size(width: 1280, height: 720)
        info.bufferLength(seconds: 24)
        info.startupTime(seconds: 0.8)
    }
}
