import EventModel
import Testing

/// A number has one form, whoever gives it.
struct CanonicalNumberTests {
    private static let limit = CanonicalNumber.integerLimit

    @Test("Whole numbers below 2^53 are integers, at and above it doubles")
    func integers() {
        for number in [0, 1, -1, 1 << 31, -(1 << 31), Self.limit - 1, -Self.limit + 1] {
            #expect(CanonicalNumber(number) == .int(number))
            #expect(CanonicalNumber(Double(number)) == .int(number))
        }
        for number in [Self.limit, -Self.limit, Self.limit + 1, .max, .min] {
            #expect(CanonicalNumber(number) == .double(Double(number)))
            #expect(CanonicalNumber(Double(number)) == .double(Double(number)))
        }
    }

    @Test("Every other number is a double, to the last bit")
    func doubles() {
        for number in [
            0.1, -0.5, 1.5, 4_503_599_627_370_495.5, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
            .leastNormalMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 1e22, -1e300,
        ] {
            guard case .double(let kept) = CanonicalNumber(number) else {
                Issue.record("\(number) is no double")
                continue
            }
            #expect(kept.bitPattern == number.bitPattern)
        }
    }

    @Test("Minus zero is 0")
    func minusZero() {
        #expect(CanonicalNumber(-0.0) == .int(0))
    }

    @Test("A record's double stays one, with one zero and one NaN")
    func ofRecord() {
        for (number, bits) in [
            (2.0, 2.0.bitPattern), (-0.0, 0), (0.1, 0.1.bitPattern), (-.infinity, (-Double.infinity).bitPattern),
            (-.nan, 0x7FF8_0000_0000_0000),
        ] as [(Double, UInt64)] {
            guard case .double(let kept) = CanonicalNumber(ofRecord: number) else {
                Issue.record("\(number) is no double")
                continue
            }
            #expect(kept.bitPattern == bits, "\(number)")
        }
    }

    @Test("All NaNs are one: an archive has no room for their payloads")
    func nan() {
        for bits in [0x7FF8_0000_0000_0000, 0xFFF8_0000_0000_0000, 0x7FF0_0000_0000_0001, 0x7FFF_FFFF_FFFF_FFFF]
            as [UInt64]
        {
            guard case .double(let kept) = CanonicalNumber(Double(bitPattern: bits)) else {
                Issue.record("\(bits) is no double")
                continue
            }
            #expect(kept.bitPattern == 0x7FF8_0000_0000_0000)
        }
    }
}
