internal import TextEncoding

/// Numbers as people read them.
package enum ReadableNumber {
    /// The number with a comma before every three digits.
    package static func grouped(_ number: UInt64) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// The number with a comma before every three digits.
    package static func grouped(_ number: Int) -> String {
        (number < 0 ? "-" : "") + grouped(UInt64(number.magnitude))
    }

    /// So many of something, grouped as ``grouped(_:)-(Int)`` does: `1 archive`, `2,000 archives`.
    ///
    /// - Parameters:
    ///   - number: how many there are.
    ///   - one: the word for one of them.
    ///   - several: the word for any other number; that for one with an s unless given.
    /// - Returns: the number and the word that fits it.
    package static func counted(_ number: some BinaryInteger, _ one: String, _ several: String? = nil) -> String {
        let digits = (number < 0 ? "-" : "") + grouped(UInt64(number.magnitude))
        return "\(digits) \(word(for: number, one, several ?? one + "s"))"
    }

    /// The word that fits so many: the first for one, the second for any other number.
    package static func word(for number: some BinaryInteger, _ one: String, _ several: String) -> String {
        number == 1 ? one : several
    }

    /// A time as `h:mm:ss`, in whole seconds that have passed.
    package static func duration(microseconds: Int64) -> String {
        let seconds = max(0, microseconds) / 1_000_000
        return "\(seconds / 3_600):\(padded(seconds / 60 % 60, to: 2)):\(padded(seconds % 60, to: 2))"
    }

    /// A short time: `12.3 s`, or below a second `450 ms`.
    package static func shortTime(microseconds: Int64) -> String {
        let milliseconds = max(0, microseconds) / 1_000
        return milliseconds < 1_000
            ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    }

    /// A number of bytes in the unit that leaves at most three digits before the point, as `12.3 MB`.
    package static func bytes(_ count: Int) -> String {
        var rest = count * 10
        for unit in ["B", "kB", "MB", "GB"] {
            if rest < 10_000 { return unit == "B" ? "\(count) B" : "\(rest / 10).\(rest % 10) \(unit)" }
            rest /= 1_000
        }
        return "\(rest / 10).\(rest % 10) TB"
    }

    /// A time in seconds with all microseconds: `12.034500`.
    package static func seconds(microseconds: Int64) -> String {
        "\(microseconds / 1_000_000).\(padded(abs(microseconds) % 1_000_000, to: 6))"
    }

    /// The number with zeros in front, so that it has so many digits.
    package static func padded(_ number: some BinaryInteger, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Columns of text.
package enum TextTable {
    /// The rows as lines, each column as wide as its widest text and the last as it is.
    ///
    /// What a terminal would obey in a text is escaped.
    package static func aligned(_ texts: [[String]]) -> [String] {
        let rows = texts.map { $0.map { PrintableText.escaped($0) } }
        var widths: [Int] = []
        for row in rows {
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], text.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            return cells.joined(separator: "  ")
        }
    }
}
