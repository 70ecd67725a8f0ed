/// A digest that only the holder of a key can make: HMAC of RFC 2104 with SHA-256.
public struct HMAC: Sendable {
    private static let blockBytes = 64

    private let inner: [UInt8]
    private let outer: [UInt8]

    /// Takes a key of any length.
    public init(key: [UInt8]) {
        var block = key
        if block.count > Self.blockBytes {
            var digest = SHA256()
            digest.update(block)
            block = digest.finalize()
        }
        block += [UInt8](repeating: 0, count: Self.blockBytes - block.count)
        inner = block.map { $0 ^ 0x36 }
        outer = block.map { $0 ^ 0x5C }
    }

    /// The 32 bytes that stand for a message.
    public func digest(of message: UnsafeRawBufferPointer) -> [UInt8] {
        var first = SHA256()
        first.update(inner)
        unsafe first.update(message)
        var second = SHA256()
        second.update(outer)
        second.update(first.finalize())
        return second.finalize()
    }

    /// The 32 bytes that stand for a message.
    public func digest(of message: [UInt8]) -> [UInt8] {
        unsafe message.withUnsafeBytes { unsafe digest(of: $0) }
    }
}
