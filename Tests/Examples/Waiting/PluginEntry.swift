import PluginABI
import PluginKit

private let library = PluginLibrary(trackers: [WaitingTracker.self])

/// The one symbol that the library exports.
@c(tally_plugin_entry_v1)
public func tallyPluginEntry() -> UnsafePointer<tally_entry>? {
    unsafe library.entry
}
