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
    ///
    /// A literal is compared by the overload for `StaticString`, which is quicker.
    @_disfavoredOverload
    public static func == (left: UTF8Text, right: String) -> Bool {
        var right = right
        return right.withUTF8 { bytes in
            guard bytes.count == left.count else { return false }
            guard let start = bytes.baseAddress else { return true }
            return unsafe UTF8Text.same(left.start, start, left.count)
        }
    }

    /// Whether the text begins with the literal.
    @inlinable
    public func hasPrefix(_ prefix: StaticString) -> Bool {
        unsafe count >= prefix.utf8CodeUnitCount
            && UTF8Text.same(start, prefix.utf8Start, prefix.utf8CodeUnitCount)
    }

    /// Whether `count` bytes are the same, in words: names are short, and the length is often known to the compiler.
    @inlinable
    static func same(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if count >= 8 {
            var place = 0
            while place < count &- 8 {
                guard unsafe differ(left, right, at: place, as: UInt64.self) == 0 else { return false }
                place &+= 8
            }
            return unsafe differ(left, right, at: count &- 8, as: UInt64.self) == 0
        }
        if count >= 4 {
            return unsafe differ(left, right, at: 0, as: UInt32.self)
                | differ(left, right, at: count &- 4, as: UInt32.self)
                == 0
        }
        guard count > 0 else { return true }
        return unsafe left[0] == right[0] && left[count &- 1] == right[count &- 1]
            && left[count / 2] == right[count / 2]
    }

    /// The bits in which two words differ.
    @inlinable
    static func differ<Word: FixedWidthInteger>(
        _ left: UnsafePointer<UInt8>,
        _ right: UnsafePointer<UInt8>,
        at place: Int,
        as word: Word.Type
    ) -> Word {
        unsafe UnsafeRawPointer(left + place).loadUnaligned(as: word)
            ^ UnsafeRawPointer(right + place).loadUnaligned(as: word)
    }
}
