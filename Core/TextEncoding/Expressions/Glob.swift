/// A pattern for names: `*` stands for any bytes, `?` for one.
public struct Glob: Equatable, Sendable {
    private let pattern: [UInt8]

    /// Reads a pattern.
    public init(_ text: String) { pattern = Array(text.utf8) }

    /// The pattern as it was written.
    public var text: String { String(decoding: pattern, as: UTF8.self) }

    /// Whether it stands for every name.
    public var matchesAll: Bool { pattern == [UInt8(ascii: "*")] }

    /// Whether the whole name is as the pattern says; takes time in the product of both lengths at most.
    public func matches(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { unsafe matches(bytes: $0) }
    }

    /// Whether the whole name is as the pattern says.
    public func matches(_ name: UnsafeRawBufferPointer) -> Bool { unsafe matches(bytes: name) }

    private func matches(bytes name: some RandomAccessCollection<UInt8>) -> Bool {
        var place = name.startIndex
        var step = 0
        var star: (step: Int, rest: Int)?
        while place < name.endIndex {
            if step < pattern.count, pattern[step] == UInt8(ascii: "*") {
                star = (step, name.distance(from: place, to: name.endIndex))
                step += 1
            } else if step < pattern.count, pattern[step] == UInt8(ascii: "?") || pattern[step] == name[place] {
                step += 1
                place = name.index(after: place)
            } else if let last = star {
                star = (last.step, last.rest - 1)
                step = last.step + 1
                place = name.index(name.endIndex, offsetBy: 1 - last.rest)
            } else {
                return false
            }
        }
        return pattern[step...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
