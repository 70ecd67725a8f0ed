internal import TextEncoding

/// Replaces the macros in addresses of ad documents (VAST 4.2, 6).
package enum AdMacros {
    /// The text with the values for its macros, named without brackets; -1 for what is not known, as the standard says.
    package static func replaced(in text: String, _ values: [String: String]) -> String {
        guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "[") {
            result += rest[..<open]
            rest = rest[open...]
            let name = rest.dropFirst().prefix { $0 != "]" && $0 != "[" }
            guard isMacro(name), name.endIndex < rest.endIndex, rest[name.endIndex] == "]" else {
                result += "["
                rest = rest.dropFirst()
                continue
            }
            result += values[String(name)].map(PercentEncoding.encode) ?? "-1"
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return result + rest
    }

    private static func isMacro(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}

/// Times as ad documents write them.
enum AdTime {
    /// Milliseconds of `HH:MM:SS` or `HH:MM:SS.mmm`; nil for anything else.
    static func milliseconds(_ text: String) -> Int64? {
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false).map(digits)
        guard fields.count == 3, let hours = fields[0], let minutes = fields[1], let seconds = fields[2],
            hours < 1000, minutes < 60, seconds < 60
        else { return nil }
        var milliseconds: Int64 = 0
        if halves.count == 2 {
            guard let fraction = digits(halves[1].prefix(3)), halves[1].utf8.allSatisfy(isDigit) else { return nil }
            milliseconds = [0, 100, 10, 1][halves[1].prefix(3).count] * fraction
        }
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
    }

    /// Thousandths of a part such as `25%` or `12.5%`, from 0 to 100 %; nil for anything else.
    static func thousandths(percent text: String) -> Int64? {
        guard text.last == "%", let number = Double(text.dropLast()), (0...100).contains(number) else { return nil }
        return Int64((number * 10).rounded())
    }

    private static func digits(_ text: Substring) -> Int64? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy(isDigit) else { return nil }
        return Int64(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
