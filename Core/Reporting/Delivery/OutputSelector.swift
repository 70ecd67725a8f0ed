internal import EventModel
public import TextEncoding

/// Which outputs, on their way to which reporters, a rule of the ``DeliveryPolicy`` is about.
public struct OutputSelector: Sendable, Equatable {
    /// Kinds of outputs.
    public enum Kind: String, CaseIterable, Sendable {
        /// Player events.
        case event
        /// Records of trackers.
        case record
        /// Beacons of trackers.
        case beacon
        /// Begins and ends of runs and sessions.
        case boundary
    }

    /// An attribute that an output has to have, with a value of this form.
    public struct Attribute: Sendable, Equatable {
        /// The attribute's name.
        public var name: String
        /// What its value has to be like; numbers are decimal, a truth is `true` or `false`.
        public var value: Glob

        /// Names an attribute and its value.
        public init(_ name: String, _ value: Glob) {
            self.name = name
            self.value = value
        }
    }

    /// The reporter's configured name.
    public var reporter = Glob("*")
    /// Configured name or id of the plugin that says it; what the core says has neither, and only `*` fits.
    public var plugin = Glob("*")
    /// The kinds.
    public var kinds = Set(Kind.allCases)
    /// Type of the event, kind of the record, destination of the beacon; a boundary has no name, and only `*` fits.
    public var name = Glob("*")
    /// What its attributes have to be like; a beacon has none.
    public var attributes: [Attribute] = []

    /// Everything.
    public init() {}

    /// Whether an output is selected on its way to a reporter that is.
    func selects(_ content: OutputContent) -> Bool {
        guard kinds.contains(content.kind) else { return false }
        if !plugin.matchesAll {
            guard unsafe plugin.matches(content.instance) || plugin.matches(content.plugin) else { return false }
        }
        guard unsafe name.matchesAll || name.matches(content.name) else { return false }
        return attributes.allSatisfy { wanted in
            content.attributes?.contains { attribute in
                unsafe attribute.name == wanted.name
                    && AttributeText.with(attribute) { unsafe wanted.value.matches($0) }
            } ?? false
        }
    }
}
