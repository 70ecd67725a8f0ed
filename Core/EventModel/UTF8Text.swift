#if canImport(Glibc)
internal import Glibc
#endif

/// UTF-8 bytes that are lent: a view of text in a block, valid as long as the block is.
///
/// Comparison is bytewise. Make a `String` only where one has to be kept: it allocates above 15 bytes.
@safe public struct UTF8Text: Equatable, @unchecked Sendable {
    /// The first byte; meaningless when ``count`` is 0.
    public let start: UnsafePointer<UInt8>
    /// How many bytes.
    public let count: Int

    /// Lends `count` bytes at `start`.
    @inlinable
    public init(start: UnsafePointer<UInt8>, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// Lends the bytes of a literal.
    @inlinable
    public init(_ literal: StaticString) {
        unsafe start = literal.utf8Start
        count = literal.utf8CodeUnitCount
    }

    /// The bytes as a buffer.
    @inlinable
    public var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    /// A copy as a `String`.
    public var string: String {
        unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Whether both hold the same bytes.
    @inlinable
    public static func == (left: UTF8Text, right: UTF8Text) -> Bool {
        unsafe left.count == right.count && UTF8Text.same(left.start, right.start, left.count)
    }

    /// Whether the bytes are those of the literal.
    @inlinable
    public static func == (left: UTF8Text, right: StaticString) -> Bool {
        left == UTF8Text(right)
    }

    /// Whether the bytes are those of the text.
    public static func == (left: UTF8Text, right: String) -> Bool {
        var right = right
        return right.withUTF8 { bytes in
            guard bytes.count == left.count else { return false }
            guard let start = bytes.baseAddress else { return true }
            return unsafe UTF8Text.same(left.start, start, left.count)
        }
    }

    /// Whether the text begins with the literal.
    public func hasPrefix(_ prefix: StaticString) -> Bool {
        unsafe count >= prefix.utf8CodeUnitCount
            && UTF8Text.same(start, prefix.utf8Start, prefix.utf8CodeUnitCount)
    }

    @usableFromInline
    static func same(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe memcmp(left, right, count) == 0
    }
}
