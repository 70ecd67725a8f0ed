internal import PluginKit

/// The attributes that an application gives all events: those of one tracker, or those that all trackers share.
package final class AttributeStore {
    private(set) var attributes: [ConfiguredAttribute]

    /// Begins with settings, in order.
    package init(_ settings: [AttributeSetting] = []) {
        attributes = settings.compactMap(ConfiguredAttribute.init)
    }

    /// Sets an attribute; one of the same name for the same actions gets the new value in its place.
    package func set(_ setting: AttributeSetting) {
        guard let new = ConfiguredAttribute(setting) else { return }
        if let index = attributes.firstIndex(where: { $0.isSame(as: new) }) {
            attributes[index] = new
        } else {
            attributes.append(new)
        }
    }
}
