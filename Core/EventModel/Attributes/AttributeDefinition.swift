/// What the data model says of one well-known attribute.
public struct AttributeDefinition: Sendable {
    /// Types that a well-known attribute can have.
    public enum ValueType: String, Sendable {
        /// UTF-8 text.
        case string
        /// A whole number.
        case int
        /// True or false.
        case bool
    }

    /// The number.
    public let key: AttributeKey
    /// The name: snake_case with the unit in it, in archives and blocks.
    public let name: StaticString
    /// The value's type.
    public let type: ValueType
    /// The unit; empty where the value has none.
    public let unit: StaticString
    /// Who sets it: an information object of the delegate, the call itself, or the core.
    public let setBy: StaticString
    /// Whether it may tell who the viewer is.
    public let personal: Bool
    /// What the attribute says, in one sentence.
    public let meaning: StaticString

    init(
        _ key: AttributeKey,
        _ name: StaticString,
        _ type: ValueType,
        unit: StaticString = "",
        setBy: StaticString,
        personal: Bool = false,
        _ meaning: StaticString
    ) {
        self.key = key
        self.name = name
        self.type = type
        self.unit = unit
        self.setBy = setBy
        self.personal = personal
        self.meaning = meaning
    }
}
