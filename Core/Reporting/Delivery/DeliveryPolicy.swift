public import EventModel
internal import TextEncoding

/// What lies between trackers and reporters: which outputs get to which reporter, and in which form.
///
/// It is a function of an output and of the policy alone, so a replay with the same policy delivers what the live run
/// delivered. Archives are not concerned: trackers need to see in a replay what they saw live.
public struct DeliveryPolicy: Sendable {
    /// For each output and reporter the first that selects them decides; without one it is delivered.
    public var routes: [DeliveryRoute] = []
    /// For each attribute the first that names it decides; in beacons all patterns are replaced, in this order.
    public var privacy: [PrivacyRule] = []
    /// The key of the hashes; without one they are made with an empty key, which anybody can do.
    public var key: [UInt8] = []

    /// Everything gets to all reporters as it is.
    public init() {}

    /// What concerns one reporter; nil when nothing does.
    package func filter(for reporter: String) -> DeliveryFilter? {
        let routes = routes.filter { $0.selector.reporter.matches(reporter) }
        let privacy = privacy.filter { $0.selector.reporter.matches(reporter) }
        return routes.isEmpty && privacy.isEmpty ? nil : DeliveryFilter(routes: routes, privacy: privacy, key: key)
    }
}

/// Whether outputs get to reporters.
public struct DeliveryRoute: Sendable, Equatable {
    /// Of what a share is taken.
    public enum Unit: String, Sendable, CaseIterable {
        /// Whole player runs.
        case run
        /// Sessions; what belongs to none is delivered.
        case session
    }

    /// The outputs and reporters.
    public var selector = OutputSelector()
    /// Whether they are delivered.
    public var delivers = true
    /// The share that is delivered; nil for all.
    public var share: SampleShare?
    /// Of what the share is taken.
    public var unit = Unit.run

    /// Everything is delivered.
    public init() {}
}
