/// Takes the quality of what is shown (Adobe VHL 1.4, `ADB_VHB_QoSInfo`).
public typealias QualityInfoEncoder = InfoEncoder<QualityInfo>

/// The quality of what is shown, as what an ``InfoEncoder`` is about.
public enum QualityInfo {}

extension InfoEncoder where Subject == QualityInfo {
    /// Bitrate of what is shown, bit/s.
    public func bitrate(_ bitsPerSecond: Int64) { unsafe state.pointee.set(bitrate: bitsPerSecond) }

    /// Frames per second; kept in thousandths.
    public func framesPerSecond(_ rate: Double) {
        unsafe state.pointee.set(framesPerSecond: Canonical.thousandths(rate))
    }

    /// Frames dropped in this session so far: a running total that never falls.
    public func droppedFrames(_ count: Int64) { unsafe state.pointee.set(droppedFrames: count) }

    /// Frames shown in this session so far: a running total that never falls.
    public func renderedFrames(_ count: Int64) { unsafe state.pointee.set(renderedFrames: count) }

    /// Measured download rate, bit/s.
    public func throughput(_ bitsPerSecond: Int64) { unsafe state.pointee.set(throughput: bitsPerSecond) }

    /// Size of the picture, px.
    public func size(width: Int32, height: Int32) { unsafe state.pointee.set(width: width, height: height) }

    /// How much media is buffered ahead, seconds; kept in whole milliseconds.
    public func bufferLength(seconds: Double) { set(.bufferLengthMs, seconds: seconds) }

    /// From the wish to play to the first frame that moves, seconds; kept in whole milliseconds.
    public func startupTime(seconds: Double) { set(.startupTimeMs, seconds: seconds) }

    /// From the wish to play to the first picture, seconds, be it one that stands while more is loaded; kept in whole
    /// milliseconds.
    public func firstPictureTime(seconds: Double) { set(.firstPictureTimeMs, seconds: seconds) }

    /// Live: wall clock of the newest media that is there, milliseconds since 1970.
    public func liveEdge(milliseconds: Int64) { set(.liveEdgeWallMs, milliseconds) }
}
