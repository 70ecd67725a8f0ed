import Metrics
import Testing
import TextEncoding

/// The buckets of distributions.
@Suite("Histograms")
struct HistogramTests {
    @Test("A bucket's middle is within 0.545 % of all that it holds, and its bounds are powers of two")
    func accuracy() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let value = max(random.next() >> (random.next() % 63), 1)
            let middle = Double(ExponentialHistogram.middleMilli(of: ExponentialHistogram.index(of: value))) / 1000
            // Thousandths are cut off.
            if value < 1 << 50 { #expect(abs(middle - Double(value)) <= Double(value) * 0.005_446 + 0.001) }
        }
        // A power of two is the last of its bucket.
        for octave in 0..<63 {
            #expect(ExponentialHistogram.index(of: 1 << UInt64(octave)) == Int32(octave * 64 - 1))
            #expect(ExponentialHistogram.index(of: (1 << UInt64(octave)) + 1) >= Int32(octave * 64))
        }
        #expect(ExponentialHistogram.index(of: .max) == 4_095)
    }

    @Test("Parts together hold what the whole holds")
    func merging() {
        var random = SplitMix64(seed: 2)
        var (whole, parts) = (ExponentialHistogram(), [ExponentialHistogram(), ExponentialHistogram()])
        for number in 0..<2_000 {
            let value = Int64(random.next() % 3_000) - 20
            whole.add(value)
            parts[number % 2].add(value)
        }
        var sum = parts[1]
        sum.add(parts[0])
        #expect(sum == whole && sum.count == 2_000)
        #expect(whole.zeros > 0)
    }

    @Test("Different things are counted exactly up to the limit, and within some percent above it")
    func distinct() {
        var random = SplitMix64(seed: 3)
        var hashes = SmallestHashes<NoLabel>(limit: 1_024)
        for count in 1...50_000 {
            let hash = random.next()
            hashes.add(hash, NoLabel())
            hashes.add(hash, NoLabel())
            if count < 1_024 { #expect(hashes.distinct == Int64(count) && hashes.isExact) }
        }
        #expect(!hashes.isExact && abs(hashes.distinct - 50_000) < 5_000)
    }
}
