/// Times as ad documents write them.
package enum AdTime {
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

    /// Milliseconds of whole seconds without a colon, as the standard's own example has them (VAST 4.2, 3.14).
    static func wholeSeconds(_ text: String) -> Int64? { digits(text[...]).map { $0 * 1000 } }

    /// A place in media, such as `00:01:02.345`.
    package static func text(milliseconds: Int64) -> String {
        let whole = max(0, milliseconds)
        let (hours, minutes, seconds) = (whole / 3_600_000, whole / 60_000 % 60, whole / 1000 % 60)
        return digits(hours, 2) + ":" + digits(minutes, 2) + ":" + digits(seconds, 2) + "." + digits(whole % 1000, 3)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func digits(_ text: Substring) -> Int64? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy(isDigit) else { return nil }
        return Int64(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
