/// A structure that goes as its fields do, one after the other; one list of them both writes and reads.
protocol FieldPortable: Portable {
    /// What is filled as it is read.
    static var blank: Self { get }
    /// All its fields.
    static var fields: [PortableField<Self>] { get }
}

extension FieldPortable {
    func write(to bytes: inout [UInt8]) { for field in Self.fields { field.write(self, &bytes) } }

    init(from reader: inout WireReader) throws(WireError) {
        self = .blank
        for field in Self.fields { try field.read(&self, &reader) }
    }
}

/// A field of a structure.
struct PortableField<Root> {
    fileprivate let write: (Root, inout [UInt8]) -> Void
    fileprivate let read: (inout Root, inout WireReader) throws(WireError) -> Void

    init<Value: Portable>(_ path: WritableKeyPath<Root, Value>) {
        write = { root, bytes in root[keyPath: path].write(to: &bytes) }
        read = { root, reader throws(WireError) in root[keyPath: path] = try Value(from: &reader) }
    }
}

/// An enumeration that goes as the place of its case in a list and what the case holds.
protocol CasePortable: Portable {
    /// All its cases, 256 at most.
    static var cases: [PortableCase<Self>] { get }
}

extension CasePortable {
    func write(to bytes: inout [UInt8]) {
        for (place, one) in Self.cases.enumerated() where one.write(self, UInt8(place), &bytes) { return }
        preconditionFailure("\(self) is not among the cases of \(Self.self)")
    }

    init(from reader: inout WireReader) throws(WireError) {
        let place = Int(try UInt8(from: &reader))
        let cases = Self.cases
        guard cases.indices.contains(place) else { throw WireError() }
        self = try cases[place].read(&reader)
    }
}

/// A case of an enumeration.
struct PortableCase<Root> {
    /// Writes the place and what the case holds; false when the value is another case.
    fileprivate let write: (Root, UInt8, inout [UInt8]) -> Bool
    fileprivate let read: (inout WireReader) throws(WireError) -> Root

    /// A case that holds one value: how it is made, and what a value of the case holds.
    init<Value: Portable>(_ make: @escaping (Value) -> Root, _ held: @escaping (Root) -> Value?) {
        write = { root, place, bytes in
            guard let value = held(root) else { return false }
            bytes.append(place)
            value.write(to: &bytes)
            return true
        }
        read = { reader throws(WireError) in make(try Value(from: &reader)) }
    }

    /// A case that holds two values.
    init<First: Portable, Second: Portable>(
        _ make: @escaping (First, Second) -> Root,
        _ held: @escaping (Root) -> (First, Second)?
    ) {
        write = { root, place, bytes in
            guard let (first, second) = held(root) else { return false }
            bytes.append(place)
            first.write(to: &bytes)
            second.write(to: &bytes)
            return true
        }
        read = { reader throws(WireError) in
            let first = try First(from: &reader)
            return make(first, try Second(from: &reader))
        }
    }
}

extension PortableCase where Root: Equatable {
    /// A case that holds nothing.
    init(_ value: Root) {
        write = { root, place, bytes in
            guard root == value else { return false }
            bytes.append(place)
            return true
        }
        read = { _ in value }
    }
}
