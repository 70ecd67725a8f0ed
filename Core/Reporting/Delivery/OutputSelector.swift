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
        /// Lines of archives.
        case line
    }

    /// The reporter's configured name.
    public var reporter = Glob("*")
    /// Configured name or id of the plugin that says it; what the core says has neither, and only `*` fits.
    public var plugin = Glob("*")
    /// The kinds.
    public var kinds = Set(Kind.allCases)
    /// Type of the event, kind of the record, destination of the beacon; a boundary and a line have no
    /// name, and only `*` fits.
    public var name = Glob("*")
    /// What has to hold for its attributes, by their names; a beacon has none.
    ///
    /// Each value is a text here: numbers are decimal, a truth is `true` or `false`.
    public var condition: Expression?

    /// Everything.
    public init() {}

    /// Whether an output is selected on its way to a reporter that is.
    func selects(_ content: OutputContent) -> Bool {
        guard kinds.contains(content.kind) else { return false }
        if !plugin.matchesAll {
            guard unsafe plugin.matches(content.instance) || plugin.matches(content.plugin) else { return false }
        }
        guard unsafe name.matchesAll || name.matches(content.name) else { return false }
        return condition?.holds(content) ?? true
    }
}
