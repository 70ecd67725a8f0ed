import Testing
import TextEncoding

struct EncodingTests {
    @Test(
        "Base64 gives the texts of RFC 4648 and reads them back",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func base64(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test("Base64 carries every byte at every place of a group")
    func base64AllBytes() {
        for lead in 0..<3 {
            let bytes = Array(repeating: UInt8(0xFF), count: lead) + Array(UInt8.min...UInt8.max)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        "Base64 that is not canonical is refused",
        arguments: ["Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm 9", "Zm9v\n", "Zg==Zg==", "Zm9-"]
    )
    func base64Refused(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("Hexadecimal is written in either case and read in both")
    func hexadecimal() {
        #expect(Hex.text([0x00, 0x9A, 0xFF]) == "009aff")
        #expect(Hex.text([0x00, 0x9A, 0xFF], uppercase: true) == "009AFF")
        #expect(Hex.bytes("009aFF") == [0x00, 0x9A, 0xFF])
        #expect(Hex.bytes("0") == nil)
        #expect(Hex.bytes("0g") == nil)
    }

    @Test("Percent encoding keeps the unreserved characters and nothing else")
    func percent() {
        let unreserved = "ABCXYZabcxyz0189-._~"
        #expect(PercentEncoding.encode(unreserved) == unreserved)
        #expect(PercentEncoding.encode("a b&c=d/é+%") == "a%20b%26c%3Dd%2F%C3%A9%2B%25")
        #expect(PercentEncoding.decode("a%20b%26c%3Dd%2F%c3%a9%2B%25") == "a b&c=d/é+%")
    }

    @Test("A broken percent escape is refused", arguments: ["%", "%2", "%zz", "a%C3"])
    func percentRefused(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test(
        "A date is written as ISO 8601",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (1_709_251_199_123_456, "2024-02-29T23:59:59.123456Z"),
            (4_107_542_399_000_001, "2100-02-28T23:59:59.000001Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"),
            (-62_135_596_800_000_001, "0000-12-31T23:59:59.999999Z"),
            (Int64.max, "+294247-01-10T04:00:54.775807Z"),
            (Int64.min, "-290308-12-21T19:59:05.224192Z"),
        ] as [(Int64, String)]
    )
    func isoDate(microseconds: Int64, text: String) {
        #expect(CivilDate(microsecondsSinceEpoch: microseconds).iso8601 == text)
    }

    @Test("Days follow one another through leap years and centuries")
    func consecutiveDays() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var (year, month, day, weekday) = (1896, 1, 1, 3)
        for number in -27_028..<60_000 {
            let date = CivilDate(microsecondsSinceEpoch: Int64(number) * 86_400_000_000)
            #expect(date.year == year && date.month == month && date.day == day && date.weekday == weekday)
            let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
            let length = month == 2 && isLeap ? 29 : lengths[month - 1]
            (day, weekday) = (day + 1, (weekday + 1) % 7)
            if day > length { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
    }

    @Test("Digits of a second's fraction that are not asked for are cut off")
    func fractionDigits() {
        let date = CivilDate(microsecondsSinceEpoch: 1_999_999)
        let buffer = ByteBuffer()
        for digits in [0, 3, 6] {
            date.appendISO8601(to: buffer, fractionDigits: digits)
            buffer.append(UInt8(ascii: " "))
        }
        #expect(buffer.string == "1970-01-01T00:00:01Z 1970-01-01T00:00:01.999Z 1970-01-01T00:00:01.999999Z ")
    }

    @Test("SplitMix64 gives the reference sequence of seed 1234567")
    func splitMix() {
        var generator = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<5).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }
}
