/// One sample of what the viewer gets.
package struct EngineQuality: Sendable, Equatable {
    /// The visible rendition: size, nominal frame rate and bitrate.
    package var rendition = EngineRendition()
    /// Measured throughput of the network in bits per second; adaptive streams only.
    package var throughput: Int64?
    /// Frames per 1000 seconds that were really shown since the sample before, nil in the first sample.
    package var measuredFramesPerSecondMilli: Int64?
    /// Frames dropped since the load; never falls.
    package var droppedFrames: Int64 = 0
    /// Frames shown since the load; never falls.
    package var renderedFrames: Int64 = 0
    /// Media buffered ahead of the playhead; adaptive streams only.
    package var bufferedMs: Int64?
}
