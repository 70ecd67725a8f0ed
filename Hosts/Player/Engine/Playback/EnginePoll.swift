/// Position and counters at one moment.
package struct EnginePoll: Sendable {
    /// The playhead, nil while the engine does not know it.
    package var positionMs: Int64?
    /// Frames shown since the load.
    package var renderedFrames: Int64 = 0
    /// Pictures that went into the video decoders since the load or the last flush.
    package var decoderInput: Int64 = 0
    /// Pictures that came out of them since then.
    package var decoderOutput: Int64 = 0
    /// Measured throughput in bits per second.
    package var throughput: Int64?
    /// Media buffered ahead.
    package var bufferedMs: Int64?

    /// Creates a poll in which nothing is known.
    package init() {}
}
