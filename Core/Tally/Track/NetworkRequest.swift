/// A media or manifest request of the player and what came of it.
public struct NetworkRequest: Sendable, Equatable {
    /// What was asked for.
    public var url: String?
    /// Host that was asked.
    public var host: String?
    /// `manifest`, `video`, `audio`, `video_init`, `audio_init`, `media`, `subtitle`, `encryption` or `api`.
    public var type: String?
    /// Identifier that the server gave.
    public var id: String?
    /// HTTP status.
    public var status: Int64?
    /// Bytes of the answer's body.
    public var bytes: Int64?
    /// From asking to the last byte, seconds.
    public var duration: Double?
    /// From asking to the first byte, seconds.
    public var firstByte: Double?
    /// Where in the media the segment begins, seconds.
    public var mediaStart: Double?
    /// How much media the segment holds, seconds.
    public var mediaDuration: Double?
    /// Advertised bitrate of what was asked for, bit/s.
    public var bitrate: Int64?
    /// Width of what was asked for, px.
    public var width: Int64?
    /// Height of what was asked for, px.
    public var height: Int64?

    /// Nothing is known of it yet.
    public init() {}

    func write(to event: inout TrackEncoder) {
        if let url { event.set(.requestURL, url) }
        if let host { event.set(.requestHost, host) }
        if let type { event.set(.requestType, type) }
        if let id { event.set(.requestID, id) }
        if let status { event.set(.requestStatus, status) }
        if let bytes { event.set(.requestBytes, bytes) }
        event.setOptional(.requestDurationMs, duration)
        event.setOptional(.requestFirstByteMs, firstByte)
        event.setOptional(.requestMediaStartMs, mediaStart)
        event.setOptional(.requestMediaDurationMs, mediaDuration)
        if let bitrate { event.set(.requestBitrateBps, bitrate) }
        if let width { event.set(.requestWidth, width) }
        if let height { event.set(.requestHeight, height) }
    }
}
