package import PluginABI

/// What a player says of where playback stands and of its quality; nil is what it does not say.
package struct ReportedState: Equatable, Sendable {
    /// Place in the main content, ms.
    package var playhead: Int64?
    /// Place in the ad, ms.
    package var adPlayhead: Int64?
    /// Live: wall clock of the frame shown, ms since 1970.
    package var liveWall: Int64?
    /// Length of the main content, ms; -1 without a known end.
    package var duration: Int64?
    /// Bitrate of what is shown, bit/s.
    package var bitrate: Int64?
    /// Measured download rate, bit/s.
    package var throughput: Int64?
    /// Frames dropped in this session so far.
    package var droppedFrames: Int64?
    /// Frames shown in this session so far.
    package var renderedFrames: Int64?
    /// Frames per 1,000 seconds.
    package var framesPerSecond: Int32?
    /// Playback rate in thousandths.
    package var rate: Int32?
    /// Volume in thousandths.
    package var volume: Int32?
    /// Width and height of the picture, px.
    package var size: Size?
    /// Width and height of the player on screen, logical px.
    package var playerSize: Size?
    /// Whether the sound is off.
    package var isMuted: Bool?
    /// Whether the player covers the screen.
    package var isFullscreen: Bool?
    /// Whether the stream is live.
    package var isLive: Bool?
    /// Whether there is no picture.
    package var isAudioOnly: Bool?

    /// A width and a height, px.
    package struct Size: Equatable, Sendable {
        package let width: Int32
        package let height: Int32

        package init(width: Int32, height: Int32) {
            self.width = width
            self.height = height
        }
    }

    package init() {}

    /// Fills in a block's state with where playback stands.
    package func writePlace(to state: UnsafeMutablePointer<tally_state>) {
        if let playhead { unsafe state.pointee.set(playhead: playhead) }
        if let adPlayhead { unsafe state.pointee.set(adPlayhead: adPlayhead) }
        if let liveWall { unsafe state.pointee.set(liveWall: liveWall) }
        if let duration { unsafe state.pointee.set(duration: duration) }
        if let rate { unsafe state.pointee.set(rate: rate) }
        if let volume { unsafe state.pointee.set(volume: volume) }
        if let playerSize { unsafe state.pointee.set(playerWidth: playerSize.width, height: playerSize.height) }
        if let isMuted { unsafe state.pointee.set(muted: isMuted) }
        if let isFullscreen { unsafe state.pointee.set(fullscreen: isFullscreen) }
        if let isLive { unsafe state.pointee.set(live: isLive) }
        if let isAudioOnly { unsafe state.pointee.set(audioOnly: isAudioOnly) }
    }

    /// Fills in a block's state with the quality of what is shown.
    package func writeQuality(to state: UnsafeMutablePointer<tally_state>) {
        if let bitrate { unsafe state.pointee.set(bitrate: bitrate) }
        if let throughput { unsafe state.pointee.set(throughput: throughput) }
        if let droppedFrames { unsafe state.pointee.set(droppedFrames: droppedFrames) }
        if let renderedFrames { unsafe state.pointee.set(renderedFrames: renderedFrames) }
        if let framesPerSecond { unsafe state.pointee.set(framesPerSecond: framesPerSecond) }
        if let size { unsafe state.pointee.set(width: size.width, height: size.height) }
    }

    /// Fills in the state of a block that goes into an archive as it is.
    func write(to state: UnsafeMutablePointer<tally_state>) {
        unsafe writePlace(to: state)
        unsafe writeQuality(to: state)
        if unsafe state.pointee.known & TALLY_KNOWN_PLAYHEAD != 0 {
            unsafe state.pointee.reported_playhead_ms = unsafe state.pointee.playhead_ms
        }
    }
}
