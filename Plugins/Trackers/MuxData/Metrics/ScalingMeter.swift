internal import PluginKit

/// Measures how much the picture is scaled up or down while it plays.
///
/// A sample begins when the scale may change, and is closed when it ends; it weighs as much as was played between.
struct ScalingMeter {
    private struct Sample {
        var scale: Double
        var playhead: Int64
    }

    /// Played time that was measured, ms of the content.
    private var playback: Int64 = 0
    /// Upscaling by played time.
    private var up: Double = 0
    /// Downscaling by played time.
    private var down: Double = 0
    /// The strongest upscaling: 1 is twice the size.
    private var strongestUp: Double = 0
    /// The strongest downscaling.
    private var strongestDown: Double = 0
    private var sample: Sample?

    /// Closes the sample and begins another one; without both sizes there is none.
    mutating func begin(_ fields: borrowing FieldValues, playhead: Int64) {
        close(playhead: playhead)
        guard let playerWidth = fields.int(.playerWidth), let playerHeight = fields.int(.playerHeight),
            let width = fields.int(.videoSourceWidth), let height = fields.int(.videoSourceHeight),
            min(playerWidth, playerHeight, width, height) > 0
        else { return }
        let scale = min(Double(playerWidth) / Double(width), Double(playerHeight) / Double(height))
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

    /// Puts the figures into the fields of the view.
    func write(to fields: inout FieldValues) {
        guard playback > 0 else { return }
        fields.set(.viewTotalContentPlaybackTime, playback)
        fields.set(.viewTotalUpscaling, .double(up))
        fields.set(.viewTotalDownscaling, .double(down))
        fields.set(.viewMaxUpscalePercentage, .double(strongestUp))
        fields.set(.viewMaxDownscalePercentage, .double(strongestDown))
    }

    /// Writes means and the score into the record of the whole view.
    func write(to record: RecordBuilder) {
        guard playback > 0 else { return }
        let mean = up / Double(playback)
        record.set("upscale_percentage", mean)
        record.set("downscale_percentage", down / Double(playback))
        record.set("video_quality_score", ViewScores.quality(strongestUpscaling: strongestUp, meanUpscaling: mean))
    }
}
