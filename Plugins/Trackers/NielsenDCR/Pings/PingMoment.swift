/// The moments at which a ping of DCR video is made (vendor's published configurations, tags of product 8).
package enum PingMoment: Sendable, CaseIterable {
    /// At the first playhead of an asset, once.
    case view
    /// Each time that as many seconds were viewed as a ping covers.
    case duration
    /// When measurement stops or ends, for what was viewed since the last ping.
    case final

    /// The value of `at`.
    var at: StaticString { self == .view ? "view" : "timer" }

    /// What the segment number of `cr` begins with.
    var prefix: StaticString { self == .view ? "V" : "D" }

    /// The value of `davty`; 2 is inferred.
    var davty: Int64 {
        switch self {
        case .view: 0
        case .duration: 1
        case .final: 2
        }
    }
}
