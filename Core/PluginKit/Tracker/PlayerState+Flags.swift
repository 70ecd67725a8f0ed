public import EventModel
internal import PluginABI

extension PlayerState {
    /// Whether at least one of the `TALLY_STATE_...` bits is set.
    public func hasAny(_ flags: UInt32) -> Bool {
        unsafe raw.pointee.flags & flags != 0
    }
}
