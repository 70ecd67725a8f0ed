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
