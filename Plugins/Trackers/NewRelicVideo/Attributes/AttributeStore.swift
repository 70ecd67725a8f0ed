package import PluginKit

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

    /// Follows the settings of another configuration; what a command has set stays.
    func reconfigure(_ settings: [AttributeSetting]) {
        let commanded = commanded
        attributes = settings.compactMap { ConfiguredAttribute($0, isConfigured: true) }
        for setting in commanded { set(setting) }
    }

    private var commanded: [AttributeSetting] { attributes.filter { !$0.isConfigured }.map(\.setting) }
}

/// An attribute for all events, or for those of some actions, ready to be set.
struct ConfiguredAttribute {
    /// What was set.
    let setting: AttributeSetting
    /// Whether the configuration says so, and no command.
    let isConfigured: Bool

    private let actions: ActionMatcher
    private let texts = TextPool()
    private let name: UTF8Text
    private let value: EventValue

    /// Copies a setting; nil for a value that no event can have.
    init?(_ setting: AttributeSetting, isConfigured: Bool) {
        guard let value = EventValue(setting.value, in: texts) else { return nil }
        self.setting = setting
        self.isConfigured = isConfigured
        self.value = value
        name = texts.keep(setting.name)
        actions = ActionMatcher(setting.filter)
    }

    /// Whether another one sets the same attribute on the same actions.
    func isSame(as other: ConfiguredAttribute) -> Bool {
        name == other.name && setting.filter.isSame(as: other.setting.filter)
    }

    /// Sets the attribute, in the place of one with the same name, if the action has it.
    func apply(to attributes: inout EventAttributes, of action: Action) {
        if actions.matches(action) { attributes.set(name, value) }
    }
}

/// An attribute as it was configured or given by a command: its name, its value, and the actions that have it.
package struct AttributeSetting: Sendable {
    /// The name.
    package internal(set) var name = ""
    /// The value: a number or a text.
    package internal(set) var value = PlainValue.int(0)
    /// The actions that have it; without a filter all, however they are spelt.
    package internal(set) var filter = ActionFilter.every

    /// Begins without a name.
    package init() {}

    /// Makes a setting.
    init(_ name: String, _ value: PlainValue, filter: ActionFilter = .every) {
        (self.name, self.value, self.filter) = (name, value, filter)
    }
}
