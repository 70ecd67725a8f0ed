internal import PluginKit

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
