package import PluginKit

/// What reporters with tables keep, as configured.
package struct TableOptions: DeclaredConfiguration {
    /// Whether player events are kept, and among them those that say nothing but the playhead.
    package var events = true
    package var samples = true
    package var records = true
    package var beacons = true

    package init() {}

    package static let keys = [
        Key("events", \.events, .flag, "Keep player events. Without them the metric views are empty."),
        Key(
            "playhead_samples",
            \.samples,
            .flag,
            "Keep the events that say nothing but the playhead, four a second. Hardly a metric needs them, and most "
                + "rows are theirs."
        ),
        Key("records", \.records, .flag, "Keep records."),
        Key("beacons", \.beacons, .flag, "Keep beacons."),
    ]

    /// The outputs that are rows of tables, and those that complete them.
    package var wants: OutputKinds {
        var wants = OutputKinds.ofTables
        if events { wants.insert(.events) }
        if records { wants.insert(.records) }
        if beacons { wants.insert(.beacons) }
        return wants
    }
}

extension OutputKinds {
    /// What a reporter with tables wants in any case.
    package static let ofTables: OutputKinds = [.runs, .sessions, .gaps, .recovered]
}

/// What is to be erased from tables: a run, or one session of it.
package struct TableErasure {
    package let run: String
    /// The number of the session; 0 for all of the run.
    package let session: Int64

    /// The commands of every reporter with tables.
    package static let commands = [
        CommandDescriptor("erase", "Removes all of a `run`, or of one `session` of it.", changesState: true),
        // What is there already stays as it is: nothing has to be taken back, and nothing comes twice.
        CommandDescriptor("checkpoint", "All that was taken is in the database.", changesState: false),
        CommandDescriptor("resume", "Goes on behind a checkpoint.", changesState: false),
    ]

    /// Reads what the command `erase` was given.
    package init(_ arguments: JSONValue) throws(CommandError) {
        do throws(ConfigurationError) {
            run = try arguments.text("run")
            session = try arguments.integer("session", in: 0...Int64(UInt32.max), default: 0)
        } catch {
            throw .argument(error)
        }
    }
}
