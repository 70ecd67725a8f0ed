public import EventModel

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
