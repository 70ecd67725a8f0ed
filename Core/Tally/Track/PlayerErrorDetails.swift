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
