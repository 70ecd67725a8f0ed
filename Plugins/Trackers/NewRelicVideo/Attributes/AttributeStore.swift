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

/// An attribute for all events, or for those of some actions, ready to be set.
struct ConfiguredAttribute {
    /// What was set.
    let setting: AttributeSetting
    /// Whether the configuration says so, and no command.
    let isConfigured: Bool

    private var filter: ActionFilter { setting.filter }
    private let nameText: KeptText
    private let number: EventValue?
    private let valueText: KeptText?
    /// Whether a standard action has it, worked out once; empty when all have.
    private let isOnStandard: [Bool]

    /// Copies a setting; nil for a value that no event can have.
    init?(_ setting: AttributeSetting, isConfigured: Bool) {
        self.setting = setting
        self.isConfigured = isConfigured
        nameText = KeptText(setting.name)
        if case .every = setting.filter {
            isOnStandard = []
        } else {
            isOnStandard = StandardAction.all.map { setting.filter.matches(UTF8Text($0.name)) }
        }
        switch setting.value {
        case .bool(let isTrue): (number, valueText) = (.flag(isTrue), nil)
        case .int(let number): (self.number, valueText) = (.int(number), nil)
        case .double(let number): (self.number, valueText) = (.double(number), nil)
        case .string(let text): (number, valueText) = (nil, KeptText(text))
        default: return nil
        }
    }

    /// Whether another one sets the same attribute on the same actions.
    func isSame(as other: ConfiguredAttribute) -> Bool {
        nameText.text == other.nameText.text && filter.isSame(as: other.filter)
    }

    /// Sets the attribute, in the place of one with the same name, if the action has it.
    func apply(to attributes: inout EventAttributes, of action: Action) {
        guard isOn(action), let name = nameText.text else { return }
        if let number {
            attributes.set(name, number)
        } else if let text = valueText?.text {
            attributes.set(name, .text(text))
        }
    }

    private func isOn(_ action: Action) -> Bool {
        if isOnStandard.isEmpty { return true }
        guard let standard = action.standard else { return filter.matches(action.name) }
        return isOnStandard[standard.index]
    }
}

/// An attribute as it was configured or given by a command: its name, its value, and the actions that have it.
package struct AttributeSetting: Sendable {
    /// The name.
    package private(set) var name: String
    /// The value: a number or a text.
    package private(set) var value: PlainValue
    /// The actions that have it; without a filter all, however they are spelt.
    package private(set) var filter: ActionFilter

    /// Makes a setting.
    package init(_ name: String, _ value: PlainValue, filter: ActionFilter = .every) {
        self.name = name
        self.value = value
        self.filter = filter
    }
}

extension AttributeSetting: StateValue {
    /// A value to read over.
    package static var blank: AttributeSetting { AttributeSetting("", .int(0)) }

    /// Carries each part; a filter is one that an application wrote.
    package mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&name)
        var (text, number, fraction): (String?, Int64?, Double?) = (nil, nil, nil)
        switch value {
        case .string(let value): text = value
        case .int(let value): number = value
        case .double(let value): fraction = value
        case .bool(let value): number = value ? 1 : 0
        default: break
        }
        transfer.carry(&text)
        transfer.carry(&number)
        transfer.carry(&fraction)
        transfer.carry(&filter)
        guard transfer.isLoading else { return }
        value = text.map(PlainValue.string) ?? number.map(PlainValue.int) ?? fraction.map(PlainValue.double) ?? .null
    }
}
