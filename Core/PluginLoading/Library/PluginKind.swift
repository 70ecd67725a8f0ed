/// What a plugin is for.
public enum PluginKind: String, Sendable {
    /// Speaks one measurement system's language: events in, records and beacons out.
    case tracker
    /// Delivers to one kind of place: the only part that does I/O.
    case reporter
}
