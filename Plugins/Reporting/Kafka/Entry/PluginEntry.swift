internal import Kafka
public import PluginABI
internal import PluginKit

private let library = PluginLibrary(reporters: [KafkaReporter.self])

/// The entry that a host looks for.
@c(tally_plugin_entry_v1)
public func tallyPluginEntry() -> UnsafePointer<tally_entry>? { unsafe library.entry }
