public import TextEncoding

/// A value that a ``StateTransfer`` can carry over.
public protocol StateValue {
    /// A value for what was saved to be read into.
    static var blank: Self { get }

    /// Writes the value, or reads it: carries each part, in an order that stays the same.
    mutating func carry(by transfer: StateTransfer)
}

extension Int64: StateValue {
    /// Zero.
    public static var blank: Int64 { 0 }

    /// Carries the number.
    public mutating func carry(by transfer: StateTransfer) {
        self = Int64(bitPattern: transfer.word(UInt64(bitPattern: self)))
    }
}

extension UInt64: StateValue {
    /// Zero.
    public static var blank: UInt64 { 0 }

    /// Carries the number.
    public mutating func carry(by transfer: StateTransfer) {
        self = transfer.word(self)
    }
}

extension Int: StateValue {
    /// Zero.
    public static var blank: Int { 0 }

    /// Carries the number.
    public mutating func carry(by transfer: StateTransfer) {
        self = Int(truncatingIfNeeded: Int64(bitPattern: transfer.word(UInt64(bitPattern: Int64(self)))))
    }
}

extension Double: StateValue {
    /// Zero.
    public static var blank: Double { 0 }

    /// Carries the number, bit by bit.
    public mutating func carry(by transfer: StateTransfer) {
        self = Double(bitPattern: transfer.word(bitPattern))
    }
}

extension Bool: StateValue {
    /// False.
    public static var blank: Bool { false }

    /// Carries the truth value.
    public mutating func carry(by transfer: StateTransfer) {
        self = transfer.flag(self)
    }
}

extension String: StateValue {
    /// No text.
    public static var blank: String { "" }

    /// Carries the text.
    public mutating func carry(by transfer: StateTransfer) {
        self = transfer.text(self)
    }
}

extension TimerID: StateValue {
    /// No timer.
    public static var blank: TimerID { TimerID(rawValue: 0) }

    /// Carries the number; ``StateTransfer/carryTimers(of:)`` makes it mean the same timer again.
    public mutating func carry(by transfer: StateTransfer) {
        self = TimerID(rawValue: transfer.word(rawValue))
    }
}

extension Optional: StateValue where Wrapped: StateValue {
    /// Nothing.
    public static var blank: Wrapped? { nil }

    /// Carries whether there is a value, and the value.
    public mutating func carry(by transfer: StateTransfer) {
        guard transfer.flag(self != nil) else {
            self = nil
            return
        }
        var value: Wrapped = self ?? Wrapped.blank
        value.carry(by: transfer)
        self = value
    }
}

extension Array: StateValue where Element: StateValue {
    /// No elements.
    public static var blank: [Element] { [] }

    /// Carries the number of elements, and each of them.
    public mutating func carry(by transfer: StateTransfer) {
        let count = transfer.count(self.count)
        if transfer.isLoading { self = [Element](repeating: .blank, count: count) }
        for index in indices { self[index].carry(by: transfer) }
    }
}

extension StateValue where Self: RawRepresentable, RawValue: StateValue {
    /// Carries the raw value; one that no case has makes the transfer fail.
    public mutating func carry(by transfer: StateTransfer) {
        var raw = rawValue
        raw.carry(by: transfer)
        if let value = Self(rawValue: raw) {
            self = value
        } else {
            transfer.fail("\(raw) is no \(Self.self)")
        }
    }
}

extension ByteBuffer {
    /// Carries the bytes.
    public func carry(by transfer: StateTransfer) {
        unsafe withBytes { unsafe transfer.save(bytes: $0) }
        guard let bytes = transfer.loadBytes() else { return }
        removeAll()
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }
}

extension JSONValue: StateValue {
    /// Null.
    public static var blank: JSONValue { .null }

    /// Carries the value as its text.
    public mutating func carry(by transfer: StateTransfer) {
        let text = transfer.text(canonicalText)
        guard transfer.isLoading else { return }
        do throws(JSONParseError) {
            self = try JSONParser().parse(text)
        } catch {
            transfer.fail("a JSON value cannot be read: \(error)")
        }
    }
}
