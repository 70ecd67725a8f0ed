internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Attributes and their texts, copied one by one, so that nothing is left of those that are not.
@safe struct AttributeCopy {
    /// The attributes so far; offsets count from ``base`` bytes before the texts.
    private(set) var attributes: [tally_attr] = []
    /// Texts and the elements of lists.
    private(set) var heap: [UInt8] = []
    private let base: Int

    /// Begins; the texts will lie `base` bytes behind what the offsets count from, a multiple of 8.
    init(base: Int) {
        self.base = base
    }

    /// Copies what the rules leave of a list of attributes; false when they change nothing.
    mutating func copy(_ list: AttributeList, _ rules: [PrivacyRule], _ hash: KeyedHash) -> Bool {
        let actions = list.map { Self.action(for: $0, rules) }
        guard actions.contains(where: { $0 != nil }) else { return false }
        for (attribute, action) in zip(list, actions) {
            switch action {
            case nil: attributes.append(copy(attribute))
            case .drop?: break
            case .hash?:
                let text = unsafe AttributeText.with(attribute) { unsafe hash.text(of: $0) }
                attributes.append(copy(attribute, as: text))
            case .mask(let keep)?:
                let text = unsafe AttributeText.with(attribute) { unsafe String(decoding: $0, as: UTF8.self) }
                attributes.append(copy(attribute, as: String(text.prefix(keep)) + "***"))
            }
        }
        return true
    }

    /// Adds bytes to the texts; where they are.
    mutating func add(_ bytes: some Sequence<UInt8>) -> Int {
        let place = base + heap.count
        heap.append(contentsOf: bytes)
        return place
    }

    private static func action(for attribute: AttributeView, _ rules: [PrivacyRule]) -> PrivacyRule.Action? {
        for rule in rules {
            guard case .attributes(let names, let personal, let action) = rule.change else { continue }
            if personal && attribute.isPersonal || names.contains(where: { unsafe $0.matches(attribute.name.bytes) }) {
                return action
            }
        }
        return nil
    }

    private mutating func copy(_ attribute: AttributeView, as text: String) -> tally_attr {
        var copy = unsafe attribute.raw.pointee
        unsafe copy.key_off = UInt32(truncatingIfNeeded: add(attribute.name.bytes))
        copy.type = TALLY_T_STRING
        copy.len = UInt32(truncatingIfNeeded: text.utf8.count)
        unsafe copy.v.off = UInt64(add(text.utf8))
        return copy
    }

    private mutating func copy(_ attribute: AttributeView) -> tally_attr {
        var copy = unsafe attribute.raw.pointee
        unsafe copy.key_off = UInt32(truncatingIfNeeded: add(attribute.name.bytes))
        switch attribute.value {
        case .string(let text), .bytes(let text): unsafe copy.v.off = UInt64(add(text.bytes))
        case .list(let elements): unsafe copy.v.off = UInt64(add(elements))
        default: break
        }
        return copy
    }

    private mutating func add(_ elements: AttributeList) -> Int {
        let copies = elements.map { copy($0) }
        _ = add([UInt8](repeating: 0, count: -heap.count & 7))
        return unsafe copies.withUnsafeBytes { unsafe add($0) }
    }
}
