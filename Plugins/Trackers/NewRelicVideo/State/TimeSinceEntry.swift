internal import PluginKit

/// One row of the time-since table.
package struct TimeSinceEntry: Sendable {
    /// The action that sets the stamp.
    let trigger: UTF8Text
    /// The attribute that tells the time since.
    let attribute: UTF8Text
    /// The actions that carry the attribute.
    let filter: ActionFilter
    /// When the trigger was sent last, ms.
    var stamp: Int64?
}
