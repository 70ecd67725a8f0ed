public import TextEncoding

/// What becomes of values that tell too much of the viewer, on the way from the trackers to reporters.
public struct PrivacyRule: Sendable {
    /// What becomes of an attribute.
    public enum Action: Sendable, Equatable {
        /// It is left out.
        case drop
        /// The keyed hash stands for it: 32 digits, the same for the same value and key.
        case hash
        /// `***` stands for it, behind so many of its first characters.
        case mask(keep: Int)
    }

    /// Parts of a beacon.
    public enum Part: String, CaseIterable, Sendable {
        /// The address.
        case url
        /// The body.
        case body
        /// The values of the headers.
        case headers
    }

    /// What the rule changes.
    public enum Change: Sendable {
        /// Attributes of records and events with these names, or those that the vocabulary calls personal.
        case attributes([Glob], personal: Bool, Action)
        /// Whatever fits a pattern in these parts of beacons.
        case text(BytePattern, replacement: String, in: Set<Part>)
    }

    /// The outputs and reporters.
    public var selector: OutputSelector
    /// What is changed in them.
    public var change: Change

    /// Makes a rule.
    public init(_ selector: OutputSelector = OutputSelector(), _ change: Change) {
        self.selector = selector
        self.change = change
    }

    /// Whether it changes attributes of a name.
    func concerns(_ name: String) -> Bool {
        guard case .attributes(let names, _, _) = change else { return false }
        return names.contains { $0.matches(name) }
    }
}

/// Digits that stand for a value: the same for the same value and key, and without the key nobody can tell for which.
struct KeyedHash: Sendable {
    private let code: HMAC

    init(key: [UInt8]) { code = HMAC(key: key) }

    /// The first 16 bytes of the value's HMAC-SHA256, as 32 digits.
    func text(of value: UnsafeRawBufferPointer) -> String {
        unsafe Hex.text(Array(code.digest(of: value).prefix(16)))
    }
}
