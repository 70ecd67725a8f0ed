internal import PluginKit

/// An attribute for all events, ready to be set.
struct ConfiguredAttribute {
    private let nameText: KeptText
    private let number: EventValue?
    private let valueText: KeptText?

    /// Copies a name and a value; nil for a value that no event can have.
    init?(_ name: String, _ value: PlainValue) {
        nameText = KeptText(name)
        switch value {
        case .int(let number): (self.number, valueText) = (.int(number), nil)
        case .double(let number): (self.number, valueText) = (.double(number), nil)
        case .string(let text): (number, valueText) = (nil, KeptText(text))
        default: return nil
        }
    }

    /// Sets the attribute, in the place of one with the same name.
    func apply(to attributes: inout EventAttributes) {
        guard let name = nameText.text else { return }
        if let number {
            attributes.set(name, number)
        } else if let text = valueText?.text {
            attributes.set(name, .text(text))
        }
    }
}
