// Quality, network and errors (Adobe VHL 1.4, "QoS Tracking", "Error Tracking").
extension PlayerRun {
    /// Quality figures at regular intervals: the delegate is asked for them (the guides' method of this name).
    @discardableResult
    public func trackQoSUpdateInfo() -> TrackResult { track(.qualitySample) }

    /// The rendition changed, by itself or by command.
    @discardableResult
    public func trackRenditionChange(_ rendition: Rendition) -> TrackResult {
        track(.renditionChange) { rendition.write(to: &$0) }
    }

    /// The bitrate changed, by itself or by command: the guides' name for a rendition change of which nothing is known
    /// but what the delegate says of the quality.
    @discardableResult
    public func trackBitrateChange() -> TrackResult { track(.renditionChange) { Rendition().write(to: &$0) } }

    /// A media or manifest request was answered.
    @discardableResult
    public func trackRequestCompleted(_ request: NetworkRequest) -> TrackResult {
        track(.requestCompleted) { request.write(to: &$0) }
    }

    /// A media or manifest request failed.
    @discardableResult
    public func trackRequestFailed(_ request: NetworkRequest, _ details: PlayerErrorDetails = .init()) -> TrackResult {
        track(.requestFailed) { event in
            request.write(to: &event)
            details.write(to: &event)
        }
    }

    /// A media or manifest request was given up on purpose.
    @discardableResult
    public func trackRequestCancelled(_ request: NetworkRequest) -> TrackResult {
        track(.requestCancelled) { request.write(to: &$0) }
    }

    /// The player met an error; `errorId` is a unique identifier of it.
    @discardableResult
    public func trackVideoPlayerError(_ errorId: String, _ details: PlayerErrorDetails = .init()) -> TrackResult {
        track(.playerError, errorId, details)
    }

    /// The application met an error; `errorId` is a unique identifier of it.
    @discardableResult
    public func trackApplicationError(_ errorId: String, _ details: PlayerErrorDetails = .init()) -> TrackResult {
        track(.applicationError, errorId, details)
    }

    /// An event that tells of an error.
    func track(_ type: EventType, _ errorId: String, _ details: PlayerErrorDetails) -> TrackResult {
        track(type) { event in
            event.set(.errorID, errorId)
            details.write(to: &event)
        }
    }
}

/// What is known of an error besides its identifier.
public struct PlayerErrorDetails: Sendable, Equatable {
    /// Text for people.
    public var message: String?
    /// Part of the software that the code belongs to.
    public var domain: String?
    /// The engine's or server's number.
    public var code: Int64?
    /// Whether playback ends with it.
    public var fatal: Bool?
    /// Segment, stack trace or the like.
    public var context: String?

    /// Describes an error; nothing is mandatory.
    public init(
        message: String? = nil,
        domain: String? = nil,
        code: Int64? = nil,
        fatal: Bool? = nil,
        context: String? = nil
    ) {
        self.message = message
        self.domain = domain
        self.code = code
        self.fatal = fatal
        self.context = context
    }

    func write(to event: inout TrackEncoder) {
        if let message { event.set(.errorMessage, message) }
        if let domain { event.set(.errorDomain, domain) }
        if let code { event.set(.errorCode, code) }
        if let fatal { event.set(.errorFatal, fatal) }
        if let context { event.set(.errorContext, context) }
    }
}
