package import PluginKit

/// Which actions an attribute belongs to.
///
/// The filters of the data model are regular expressions that match a whole action. Those of the standard table need
/// three shapes only, which are compared without a regular expression; an application's own may be any.
package enum ActionFilter: Sendable {
    /// Every action, however it is spelt.
    case every
    /// `[A-Z_]+`
    case capitals
    /// `^PREFIX[A-Z_]+$`
    case beginning(StaticString)
    /// `^(NAME|NAME)$`
    case oneOf([StaticString])
    /// A regular expression of the application's.
    case pattern(TextPattern)

    /// The filter of a regular expression; nil for one that cannot be read.
    package init?(pattern text: String) {
        guard let pattern = TextPattern(text) else { return nil }
        self = .pattern(pattern)
    }

    /// Whether the whole name matches.
    package func matches(_ name: UTF8Text) -> Bool {
        switch self {
        case .every: true
        case .capitals: Self.areCapitals(name, after: 0)
        case .beginning(let prefix): name.hasPrefix(prefix) && Self.areCapitals(name, after: prefix.utf8CodeUnitCount)
        case .oneOf(let names): names.contains { name == $0 }
        case .pattern(let pattern): pattern.matches(name)
        }
    }

    /// Whether both filters were written in the same way.
    package func isSame(as other: ActionFilter) -> Bool {
        switch (self, other) {
        case (.every, .every): true
        case (.pattern(let pattern), .pattern(let otherPattern)): pattern.text == otherPattern.text
        default: false
        }
    }

    private static func areCapitals(_ name: UTF8Text, after start: Int) -> Bool {
        guard name.count > start else { return false }
        return unsafe name.bytes[start...].allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
    }
}

extension ActionFilter: StateValue {
    /// Every action.
    package static var blank: ActionFilter { .every }

    /// Carries a filter that an application wrote: every action, or a regular expression.
    package mutating func carry(by transfer: StateTransfer) {
        var text: String?
        if case .pattern(let pattern) = self { text = pattern.text }
        transfer.carry(&text)
        guard transfer.isLoading else { return }
        guard let text else {
            self = .every
            return
        }
        if let filter = ActionFilter(pattern: text) {
            self = filter
        } else {
            transfer.fail("\"\(text)\" is no regular expression")
        }
    }
}
