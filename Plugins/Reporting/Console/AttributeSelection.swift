internal import PluginKit

/// Which attributes of an output are shown.
enum AttributeSelection {
    /// All of them.
    case all
    /// The first ones, as many.
    case first(Int)
    /// Those with these names, in this order.
    case named([String])

    /// Reads the configuration's value: a list of names, or `all`.
    init(_ value: JSONValue?) throws(ConfigurationError) {
        switch value {
        case nil, .null?: self = .first(4)
        case .string("all")?: self = .all
        case .array(let names)?:
            let texts = names.compactMap(\.string)
            guard texts.count == names.count else {
                throw .unusable(key: "attributes", value: "a list with more than names", expected: "a list of strings")
            }
            self = .named(texts)
        case let value?:
            throw .unusable(
                key: "attributes",
                value: value.canonicalText,
                expected: "a list of names, or \"all\""
            )
        }
    }

    /// The attributes of a list that are shown.
    func pick(from attributes: AttributeList) -> [AttributeView] {
        switch self {
        case .all: Array(attributes)
        case .first(let count): Array(attributes.prefix(count))
        case .named(let names): names.compactMap { name in attributes.first { $0.name == name } }
        }
    }
}
