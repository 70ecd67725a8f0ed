internal import PluginKit

/// Measures how much the picture is scaled up or down while it plays.
///
/// A sample is taken when it may begin to differ, and closed when it ends; what lies between counts with its weight.
struct ScalingMeter {
    private struct Sample: StateValue {
        static var blank: Sample { Sample(scale: 0, playhead: 0) }

        var scale: Double
        var playhead: Int64

        mutating func carry(by transfer: StateTransfer) {
            transfer.carry(&scale)
            transfer.carry(&playhead)
        }
    }

    /// Played time that was measured, ms of the content.
    private(set) var playback: Int64 = 0
    /// Upscaling by played time.
    private(set) var up: Double = 0
    /// Downscaling by played time.
    private(set) var down: Double = 0
    /// The strongest upscaling: 1 is twice the size.
    private(set) var strongestUp: Double = 0
    /// The strongest downscaling.
    private(set) var strongestDown: Double = 0
    private var sample: Sample?

    /// Closes a sample and takes a new one; without both sizes there is none.
    mutating func take(player: (Int64, Int64)?, source: (Int64, Int64)?, playhead: Int64) {
        close(playhead: playhead)
        guard let player, let source, min(player.0, player.1, source.0, source.1) > 0 else { return }
        let scale = min(Double(player.0) / Double(source.0), Double(player.1) / Double(source.1))
        sample = Sample(scale: scale, playhead: playhead)
    }

    /// Closes the sample; one whose playhead went back counts for nothing.
    mutating func close(playhead: Int64) {
        guard let sample else { return }
        self.sample = nil
        let played = playhead - sample.playhead
        guard played >= 0 else { return }
        let scaledUp = max(0, sample.scale - 1)
        let scaledDown = max(0, 1 - sample.scale)
        strongestUp = max(strongestUp, scaledUp)
        strongestDown = max(strongestDown, scaledDown)
        playback += played
        up += scaledUp * Double(played)
        down += scaledDown * Double(played)
    }

    /// Whether anything was measured.
    var hasMeasured: Bool { playback > 0 }
}

extension ScalingMeter: StateValue {
    static var blank: ScalingMeter { ScalingMeter() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&playback)
        transfer.carry(&up)
        transfer.carry(&down)
        transfer.carry(&strongestUp)
        transfer.carry(&strongestDown)
        transfer.carry(&sample)
    }
}
