internal import TextEncoding

/// Writes numbers and texts in the one form that each has.
struct MetricWriter {
    let buffer = ByteBuffer(capacity: 4096)

    /// Writes a number that is 0 or more: seven bits a byte, the lowest first.
    func unsigned(_ value: UInt128) {
        var rest = value
        while rest >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes any number; small ones are short, whatever their sign.
    func signed(_ value: Int128) { unsigned(UInt128(bitPattern: value << 1 ^ value >> 127)) }

    func signed(_ value: Int64) { signed(Int128(value)) }

    func count(_ value: Int) { unsigned(UInt128(value)) }

    func text(_ text: ExactText) { self.text(text.description) }

    func text(_ text: String) {
        count(text.utf8.count)
        buffer.append(text)
    }

    /// Writes how many there are, then each.
    func list<Elements: Collection>(_ elements: Elements, _ write: (Elements.Element) -> Void) {
        count(elements.count)
        for element in elements { write(element) }
    }

    /// Writes a dictionary in the order of its keys.
    func sorted<Key: Comparable, Value>(_ values: [Key: Value], _ write: (Key, Value) -> Void) {
        list(values.sorted { $0.key < $1.key }) { write($0.key, $0.value) }
    }
}

/// Reads what ``MetricWriter`` wrote, and refuses everything else.
struct MetricReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func unsigned() throws(MetricSetError) -> UInt128 {
        var value: UInt128 = 0
        for shift in stride(from: 0, to: 128, by: 7) {
            guard let byte = rest.popFirst() else { throw .damaged }
            value |= UInt128(byte & 0x7F) << UInt128(shift)
            guard byte & 0x80 == 0 else { continue }
            // The form is the only one: no zeros at the end, and no bits that are lost.
            guard byte != 0 || shift == 0, shift < 126 || byte < 4 else { throw .damaged }
            return value
        }
        throw .damaged
    }

    mutating func signed() throws(MetricSetError) -> Int128 {
        let value = try unsigned()
        return Int128(bitPattern: value >> 1) ^ -Int128(bitPattern: value & 1)
    }

    mutating func int() throws(MetricSetError) -> Int64 {
        guard let value = Int64(exactly: try signed()) else { throw .damaged }
        return value
    }

    mutating func text() throws(MetricSetError) -> String {
        let count = try self.count()
        guard count <= rest.count else { throw .damaged }
        let bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged }
        return text
    }

    /// Reads how many elements there are, each of which takes a byte at least.
    mutating func count() throws(MetricSetError) -> Int {
        guard let count = Int(exactly: try unsigned()), count <= rest.count else { throw .damaged }
        return count
    }

    mutating func list<Element>(
        _ read: (inout MetricReader) throws(MetricSetError) -> Element
    ) throws(MetricSetError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try count()) { elements.append(try read(&self)) }
        return elements
    }

    /// Reads a dictionary, whose keys go up.
    mutating func sorted<Key: Comparable & Hashable, Value>(
        _ read: (inout MetricReader) throws(MetricSetError) -> (Key, Value)
    ) throws(MetricSetError) -> [Key: Value] {
        var values: [Key: Value] = [:]
        var last: Key?
        for _ in 0..<(try count()) {
            let (key, value) = try read(&self)
            guard last.map({ $0 < key }) ?? true else { throw .damaged }
            values[key] = value
            last = key
        }
        return values
    }
}
