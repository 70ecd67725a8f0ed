public import PluginABI
internal import PluginKit
internal import SwiftTracker

private let library = PluginLibrary(trackers: [WatchTimeTracker.self])

/// The one symbol that the library exports.
@c(tally_plugin_entry_v1)
public func tallyPluginEntry() -> UnsafePointer<tally_entry>? { unsafe library.entry }
