/// Takes the quality of what is shown (Adobe VHL 1.4, `ADB_VHB_QoSInfo`).
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct QualityInfoEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// Bitrate of what is shown, bit/s.
    public func bitrate(_ bitsPerSecond: Int64) { unsafe encoder.pointee.state.set(bitrate: bitsPerSecond) }

    /// Frames per second; kept in thousandths.
    public func framesPerSecond(_ rate: Double) {
        unsafe encoder.pointee.state.set(framesPerSecond: Canonical.thousandths(rate))
    }

    /// Frames dropped in this session so far: a running total that never falls.
    public func droppedFrames(_ count: Int64) { unsafe encoder.pointee.state.set(droppedFrames: count) }

    /// Frames shown in this session so far: a running total that never falls.
    public func renderedFrames(_ count: Int64) { unsafe encoder.pointee.state.set(renderedFrames: count) }

    /// Measured download rate, bit/s.
    public func throughput(_ bitsPerSecond: Int64) { unsafe encoder.pointee.state.set(throughput: bitsPerSecond) }

    /// Size of the picture, px.
    public func size(width: Int32, height: Int32) { unsafe encoder.pointee.state.set(width: width, height: height) }

    /// How much media is buffered ahead, seconds; kept in whole milliseconds.
    public func bufferLength(seconds: Double) {
        unsafe encoder.pointee.set(.bufferLengthMs, Canonical.milliseconds(seconds))
    }

    /// From the wish to play to the first frame, seconds; kept in whole milliseconds.
    public func startupTime(seconds: Double) {
        unsafe encoder.pointee.set(.startupTimeMs, Canonical.milliseconds(seconds))
    }

    /// Live: wall clock of the newest media that is there, milliseconds since 1970.
    public func liveEdge(milliseconds: Int64) { unsafe encoder.pointee.set(.liveEdgeWallMs, milliseconds) }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }
}
