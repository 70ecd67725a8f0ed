/// Bytes that are not what this program writes.
struct WireError: Error {}

/// A value that goes between the player and the process of a media engine.
///
/// Both ends are the same program: what is written has no names and no version.
protocol Portable {
    func write(to bytes: inout [UInt8])
    init(from reader: inout WireReader) throws(WireError)
}

extension Portable {
    var written: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// The value that the bytes are, all of them.
    init?(all bytes: [UInt8]) {
        var reader = WireReader(bytes)
        guard let value = try? Self(from: &reader), reader.isAtEnd else { return nil }
        self = value
    }
}

/// Reads values in the order in which they were written.
struct WireReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func next(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - offset else { throw WireError() }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }
}

extension UInt8: Portable {
    func write(to bytes: inout [UInt8]) { bytes.append(self) }

    init(from reader: inout WireReader) throws(WireError) {
        guard let byte = try reader.next(1).first else { throw WireError() }
        self = byte
    }
}

extension Bool: Portable {
    func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    init(from reader: inout WireReader) throws(WireError) { self = try UInt8(from: &reader) != 0 }
}

extension Int64: Portable {
    func write(to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: self >> shift)) }
    }

    init(from reader: inout WireReader) throws(WireError) {
        self = try reader.next(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension Int: Portable {
    func write(to bytes: inout [UInt8]) { Int64(self).write(to: &bytes) }
    init(from reader: inout WireReader) throws(WireError) { self = Int(try Int64(from: &reader)) }
}

extension Double: Portable {
    func write(to bytes: inout [UInt8]) { Int64(bitPattern: bitPattern).write(to: &bytes) }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(bitPattern: UInt64(bitPattern: try Int64(from: &reader)))
    }
}

extension String: Portable {
    func write(to bytes: inout [UInt8]) {
        utf8.count.write(to: &bytes)
        bytes.append(contentsOf: utf8)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let count = try Int(from: &reader)
        self.init(decoding: try reader.next(count), as: UTF8.self)
    }
}

extension Optional: Portable where Wrapped: Portable {
    func write(to bytes: inout [UInt8]) {
        (self != nil).write(to: &bytes)
        self?.write(to: &bytes)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
    }
}

extension Array: Portable where Element: Portable {
    func write(to bytes: inout [UInt8]) {
        count.write(to: &bytes)
        for element in self { element.write(to: &bytes) }
    }

    init(from reader: inout WireReader) throws(WireError) {
        self = []
        for _ in 0..<Swift.max(try Int(from: &reader), 0) { append(try Element(from: &reader)) }
    }
}

extension Portable where Self: RawRepresentable, RawValue: Portable {
    func write(to bytes: inout [UInt8]) { rawValue.write(to: &bytes) }

    init(from reader: inout WireReader) throws(WireError) {
        guard let value = Self(rawValue: try RawValue(from: &reader)) else { throw WireError() }
        self = value
    }
}
