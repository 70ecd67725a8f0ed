internal import Glibc
internal import TextEncoding

/// The chance in the reference archive: the same for the same seed.
struct ReferenceRandom {
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// From 0 up to 1, without 1.
    mutating func unit() -> Double {
        Double(generator.next() >> 11) / Double(1 << 53)
    }

    /// From `low` up to `high`.
    mutating func between(_ low: Double, _ high: Double) -> Double {
        low + unit() * (high - low)
    }

    /// A whole number from 0 up to `count`, without it.
    mutating func below(_ count: Int) -> Int {
        Int(unit() * Double(count))
    }

    /// True once in so many times.
    mutating func once(in times: Double) -> Bool {
        unit() * times < 1
    }

    /// Log-normal, by Box and Muller.
    mutating func logNormal(median: Double, sigma: Double) -> Double {
        let radius = sqrt(-2 * log(1 - unit()))
        return median * exp(sigma * radius * cos(2 * .pi * unit()))
    }

    /// Twelve letters and digits.
    mutating func name() -> String {
        let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        return String((0..<12).map { _ in letters[below(letters.count)] })
    }
}
