/// A digest of a message that is taken in piece by piece: ``MD5`` or ``SHA256``.
public protocol MessageDigest: Sendable {
    /// Makes a digest of nothing so far.
    init()

    /// Takes in more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Ends the digest and gives its bytes; the value is used up after that.
    mutating func finalize() -> [UInt8]
}

extension MessageDigest {
    /// Takes in the UTF-8 of a string.
    @inlinable
    public mutating func update(_ text: String) {
        var copy = text
        copy.withUTF8 { unsafe update(UnsafeRawBufferPointer($0)) }
    }

    /// Takes in more bytes.
    @inlinable
    public mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of a string's UTF-8 in lower-case hexadecimal.
    public static func hex(of text: String) -> String {
        var digest = Self()
        digest.update(text)
        return Hex.text(digest.finalize())
    }

    /// The digest of bytes in lower-case hexadecimal.
    public static func hex(of bytes: UnsafeRawBufferPointer) -> String {
        var digest = Self()
        unsafe digest.update(bytes)
        return Hex.text(digest.finalize())
    }
}
