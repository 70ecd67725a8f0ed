package import PluginKit

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
