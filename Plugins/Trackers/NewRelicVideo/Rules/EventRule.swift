package import PluginKit

/// What is done with some events before they are sent: the vendor's `preSend`, as configuration.
package struct EventRule: Sendable {
    /// A condition on an attribute.
    package enum Condition: Sendable {
        /// It is there with this value.
        case equals(PlainValue)
        /// It is a text that the whole expression matches.
        case matches(TextPattern)
        /// It is there, or is not.
        case exists(Bool)
    }

    /// The actions that it is about.
    package var actions: ActionFilter = .every
    /// What else has to hold, all of it.
    package var conditions: [(name: String, condition: Condition)] = []
    /// Whether the event is dropped.
    package var drops = false
    /// Whether it is delivered; if not, it is a record alone.
    package var delivers = true
    /// Attributes that are set.
    package var set: [(name: String, value: PlainValue)] = []
    /// Attributes that are taken away.
    package var remove: [String] = []
    /// Attributes that get another name.
    package var rename: [(name: String, newName: String)] = []
    /// The event type that the event gets.
    package var eventType: String?

    /// Begins with a rule that does nothing.
    package init() {}
}

/// Text that is replaced in all texts of events before they are sent.
package struct ObfuscationRule: Sendable {
    /// What is looked for.
    package let pattern: TextPattern
    /// What stands there instead.
    package let replacement: String

    /// Makes a rule.
    package init(_ pattern: TextPattern, replacement: String) {
        self.pattern = pattern
        self.replacement = replacement
    }
}
