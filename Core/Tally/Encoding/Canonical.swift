/// Turns what players measure into the whole numbers that Tally keeps.
enum Canonical {
    /// Seconds as whole milliseconds, nearest; nil for what is no finite number in range.
    static func milliseconds(_ seconds: Double) -> Int64? {
        thousandfold(seconds)
    }

    /// A length or a playhead in whole milliseconds; -1, which says "live", stays -1, as does all below zero.
    static func mediaTime(_ seconds: Double) -> Int64? {
        seconds < 0 ? -1 : thousandfold(seconds)
    }

    /// A rate, volume or frame rate in thousandths, nearest; nil for what is no finite number in range.
    static func thousandths(_ value: Double) -> Int32? {
        thousandfold(value).flatMap { Int32(exactly: $0) }
    }

    private static func thousandfold(_ value: Double) -> Int64? {
        let scaled = (value * 1000).rounded()
        guard scaled.isFinite, abs(scaled) < Double(CanonicalNumber.integerLimit) else { return nil }
        return Int64(scaled)
    }
}
