import Testing
import TextEncoding

struct NumberTextTests {
    private func written(_ value: Double) -> String {
        let buffer = ByteBuffer()
        buffer.append(double: value)
        return buffer.string
    }

    private func read(_ text: String) -> Double? {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe NumberText.double($0) }
    }

    private func readInt(_ text: String) -> Int64? {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe NumberText.int($0) }
    }

    @Test("Every double reads back with the same bits from the text that it was written as")
    func roundTrip() {
        var generator = SplitMix64(seed: 20_261)
        for round in 0..<60_000 {
            var bits = generator.next()
            switch round % 4 {
            case 1: bits &= 0x800F_FFFF_FFFF_FFFF  // subnormal
            case 2: bits = Double(Int64(truncatingIfNeeded: bits) >> Int64(round % 60)).bitPattern
            case 3: bits = (Double(Int64(truncatingIfNeeded: bits) >> 30) / 1000).bitPattern
            default: break
            }
            let value = Double(bitPattern: bits)
            guard value.isFinite else { continue }
            let text = written(value)
            #expect(read(text)?.bitPattern == bits, "\(text)")
            #expect(text == value.description, "not the shortest text")
        }
    }

    @Test(
        "Special doubles are written in one form",
        arguments: [
            (0.0, "0.0"), (-0.0, "-0.0"), (1.0, "1.0"), (-12.5, "-12.5"), (Double.leastNonzeroMagnitude, "5e-324"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"), (0.1, "0.1"), (.infinity, "inf"), (-.infinity, "-inf"), (.nan, "nan"),
            (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ]
    )
    func specialDoubles(value: Double, text: String) {
        #expect(written(value) == text)
    }

    @Test("A double is the nearest one to its text, also where the short way does not do")
    func nearestDouble() {
        #expect(read("9007199254740993") == 9_007_199_254_740_992)
        #expect(read("9007199254740993.00000000000000000000001") == 9_007_199_254_740_994)
        #expect(read("2.2250738585072011e-308") == Double.leastNormalMagnitude.nextDown)
        #expect(read("1e400") == .infinity)
        #expect(read("-1e400") == -.infinity)
        #expect(read("1e-400") == 0)
        #expect(read("0.000000000000000000000000000001e30") == 1)
        #expect(read(".5") == 0.5)
        #expect(read("5.") == 5)
        #expect(read(".123456789012345678901234") == 0.123456789012345678901234)
        #expect(read("123456789012345678901234.") == 1.2345678901234568e23)
        #expect(read("-0")?.sign == .minus)
    }

    @Test(
        "What is no number is refused",
        arguments: ["", "-", ".", "e5", "1e", "1e+", "1x", "+1", "inf", "nan", "0x10"]
    )
    func refused(text: String) {
        #expect(read(text) == nil)
        #expect(readInt(text) == nil)
    }

    @Test("Integers of every length are written as the standard library writes them, and read back")
    func integers() {
        var values: [Int64] = [.min, .min + 1, .max, -1, 0]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            values += [power - 1, power, power + 1, -power]
        }
        for value in values {
            let buffer = ByteBuffer()
            buffer.append(decimal: value)
            #expect(buffer.string == String(value))
            #expect(readInt(buffer.string) == value)
        }
        let buffer = ByteBuffer()
        buffer.append(decimal: UInt64.max)
        #expect(buffer.string == "18446744073709551615")
        #expect(readInt("9223372036854775808") == nil)
        #expect(readInt("-9223372036854775809") == nil)
    }

    @Test(
        "Padding fills with zeros and never cuts",
        arguments: [
            (7, 3, "007"), (-7, 3, "-007"), (1234, 2, "1234"), (0, 1, "0"), (5, 0, "5"),
            (12, 25, "0000000000000000000000012"),
        ]
            as [(Int64, Int, String)]
    )
    func padding(value: Int64, width: Int, text: String) {
        let buffer = ByteBuffer()
        buffer.append(paddedDecimal: value, width: width)
        #expect(buffer.string == text)
    }
}
