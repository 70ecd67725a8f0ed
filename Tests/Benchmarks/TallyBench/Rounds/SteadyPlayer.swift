internal import Tally

/// A player that always says the same.
final class SteadyPlayer: PlayerDelegate {
    func playerState(_ state: borrowing PlayerStateEncoder) {
        state.playhead(milliseconds: 123_456)
        state.duration(milliseconds: 3_600_000)
        state.rate(1)
        state.volume(0.8)
        state.muted(false)
        state.fullscreen(true)
        state.live(false)
        state.playerSize(width: 1280, height: 720)
    }

    func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        info.bitrate(3_500_000)
        info.framesPerSecond(50)
        info.droppedFrames(12)
        info.renderedFrames(180_000)
        info.throughput(8_000_000)
        info.size(width: 1280, height: 720)
    }
}
