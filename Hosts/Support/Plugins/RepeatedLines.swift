internal import Tally

/// Counts warnings and errors of plugins that say the same again and again, so that only the first are shown.
///
/// A replay of millions of playbacks has many in which the same is missing. Lines that differ in numbers only, such as
/// dates and counts, say the same.
struct RepeatedLines {
    /// What becomes of a line.
    enum Fate {
        case shown
        /// Shown, and nothing that says the same will be.
        case lastShown
        case counted
    }

    /// How many lines that say the same are shown.
    static let limit = 3
    /// How many different lines are told apart; what else a plugin says of one level counts as the same.
    static let kinds = 256

    private struct Kind: Hashable {
        let instance: String
        let level: LogLine.Level
        let pattern: String
    }

    private var counts: [Kind: Int] = [:]

    /// Counts a line.
    mutating func count(_ line: LogLine) -> Fate {
        guard line.level.rawValue >= LogLine.Level.warning.rawValue, !line.instance.isEmpty else { return .shown }
        var kind = Kind(instance: line.instance, level: line.level, pattern: Self.pattern(line.message))
        if counts.count >= Self.kinds, counts[kind] == nil {
            kind = Kind(instance: line.instance, level: line.level, pattern: "")
        }
        let count = counts[kind, default: 0] + 1
        counts[kind] = count
        return count < Self.limit ? .shown : count == Self.limit ? .lastShown : .counted
    }

    /// How many lines of each instance were not shown, by name.
    var hidden: [(instance: String, count: Int)] {
        let counts = counts.reduce(into: [String: Int]()) {
            $0[$1.key.instance, default: 0] += max(0, $1.value - Self.limit)
        }
        return counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The text without its numbers.
    private static func pattern(_ message: String) -> String {
        var bytes: [UInt8] = []
        for byte in message.utf8 {
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            if isDigit, bytes.last == UInt8(ascii: "0") { continue }
            bytes.append(isDigit ? UInt8(ascii: "0") : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
