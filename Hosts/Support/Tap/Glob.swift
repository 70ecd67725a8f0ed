/// A pattern for names: `*` stands for any bytes, `?` for one.
package struct Glob: Equatable, Sendable {
    private let pattern: [UInt8]

    /// Reads a pattern.
    package init(_ text: String) {
        pattern = Array(text.utf8)
    }

    /// Whether it stands for every name.
    package var matchesAll: Bool { pattern == [UInt8(ascii: "*")] }

    /// Whether the whole name is as the pattern says; takes time in the product of both lengths at most.
    package func matches(_ name: String) -> Bool {
        let name = Array(name.utf8)
        var place = 0
        var step = 0
        var star: (step: Int, place: Int)?
        while place < name.count {
            if step < pattern.count, pattern[step] == UInt8(ascii: "*") {
                star = (step, place)
                step += 1
            } else if step < pattern.count, pattern[step] == UInt8(ascii: "?") || pattern[step] == name[place] {
                step += 1
                place += 1
            } else if let last = star {
                star = (last.step, last.place + 1)
                step = last.step + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return pattern[step...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
