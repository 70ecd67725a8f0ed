/// The moment from which a throttle schedule counts its seconds.
package enum ThrottleStart: Sendable, Equatable {
    /// The server's start.
    case serverStart
    /// The first request whose path matches; what is sent before it is not slowed.
    case firstRequest(PathPattern)
}
