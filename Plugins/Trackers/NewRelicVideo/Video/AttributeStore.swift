internal import PluginKit

/// The attributes that an application gives all events: those of one tracker, or those that all trackers share.
package final class AttributeStore {
    private(set) var attributes: [ConfiguredAttribute]

    /// Begins with the settings of a configuration, in order.
    package init(_ settings: [AttributeSetting] = []) {
        attributes = settings.compactMap { ConfiguredAttribute($0, isConfigured: true) }
    }

    /// Sets an attribute; one of the same name for the same actions gets the new value in its place.
    package func set(_ setting: AttributeSetting) {
        guard let new = ConfiguredAttribute(setting, isConfigured: false) else { return }
        if let index = attributes.firstIndex(where: { $0.isSame(as: new) }) {
            attributes[index] = new
        } else {
            attributes.append(new)
        }
    }

    /// Takes the settings of another configuration; what a command has set stays.
    func reconfigure(_ settings: [AttributeSetting]) {
        let commanded = commanded
        attributes = settings.compactMap { ConfiguredAttribute($0, isConfigured: true) }
        for setting in commanded { set(setting) }
    }

    /// Carries what commands have set; the rest is the configuration's.
    func carry(by transfer: StateTransfer) {
        var settings = commanded
        transfer.carry(&settings)
        if transfer.isLoading {
            for setting in settings { set(setting) }
        }
    }

    private var commanded: [AttributeSetting] {
        attributes.filter { !$0.isConfigured }.map(\.setting)
    }
}
