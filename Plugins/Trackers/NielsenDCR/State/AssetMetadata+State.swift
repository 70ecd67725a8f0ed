package import PluginKit

extension AssetMetadata: StatePart {
    /// The kind, and all keys in their order.
    package var saved: SavedState {
        var state = SavedState()
        state.set("kind", kind.rawValue)
        state.set("keys", members.map(\.key))
        state.set("values", members.map(\.value))
        return state
    }

    /// Makes metadata that were checked before they were saved.
    package init(saved state: SavedState) throws(TrackerFault) {
        guard let kind = Kind(rawValue: try state.text("kind")) else {
            throw TrackerFault("the saved state has an unknown kind of asset")
        }
        self.kind = kind
        members = zip(try state.texts("keys"), try state.texts("values")).map { Member(key: $0, value: $1) }
    }
}
