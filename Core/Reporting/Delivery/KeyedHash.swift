internal import TextEncoding

/// Digits that stand for a value: the same for the same value and key, and without the key nobody can tell for which.
struct KeyedHash: Sendable {
    private let code: HMAC

    init(key: [UInt8]) {
        code = HMAC(key: key)
    }

    /// The first 16 bytes of the value's HMAC-SHA256, as 32 digits.
    func text(of value: UnsafeRawBufferPointer) -> String {
        unsafe Hex.text(Array(code.digest(of: value).prefix(16)))
    }
}
