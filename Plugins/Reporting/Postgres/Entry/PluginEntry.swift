public import PluginABI
internal import PluginKit
internal import Postgres

private let library = PluginLibrary(reporters: [PostgresReporter.self])

/// The entry that a host looks for.
@c(tally_plugin_entry_v1)
public func tallyPluginEntry() -> UnsafePointer<tally_entry>? { unsafe library.entry }
