package import PluginKit

extension AssetMetadata: StateValue {
    /// The content of nothing.
    package static var blank: AssetMetadata { AssetMetadata(.content, []) }

    /// Carries the kind, and all keys in their order: they were checked before.
    package mutating func carry(by transfer: StateTransfer) {
        var kind = self.kind
        transfer.carry(&kind)
        var keys = members.map(\.key)
        transfer.carry(&keys)
        var values = members.map(\.value)
        transfer.carry(&values)
        self = AssetMetadata(kind, zip(keys, values).map { Member(key: $0, value: $1) })
    }
}

extension AssetMetadata.Kind: StateValue {
    /// Main content.
    package static var blank: AssetMetadata.Kind { .content }
}

extension InstanceState: StateValue {
    /// Not initialised.
    package static var blank: InstanceState { .initial }
}

extension Interruption: StateValue {
    /// A reason that is not known.
    package static var blank: Interruption { .other }
}

extension PlayerBinding.Activity: StateValue {
    static var blank: PlayerBinding.Activity { .nothing }
}

extension PlayerBinding.ContentState: StateValue {
    static var blank: PlayerBinding.ContentState { .notLoaded }
}
