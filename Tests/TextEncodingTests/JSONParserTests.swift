import Testing
import TextEncoding

struct JSONParserTests {
    private func parsed(_ text: String, _ dialect: JSONParser.Dialect = .json) throws -> JSONValue {
        try JSONParser(dialect).parse(text)
    }

    private func failure(_ text: String, _ dialect: JSONParser.Dialect) -> JSONParseError? {
        do throws(JSONParseError) {
            _ = try JSONParser(dialect).parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("Values of every kind are read with their type")
    func kinds() throws {
        let text = #" {"n":null,"t":true,"f":false,"i":-12,"d":1.0,"e":2E3,"s":"a","l":[1,[],{}],"o":{"k":""}} "#
        let expected: JSONValue = [
            "n": nil, "t": true, "f": false, "i": -12, "d": 1.0, "e": 2000.0, "s": "a", "l": [1, [], [:]],
            "o": ["k": ""],
        ]
        #expect(try parsed(text) == expected)
        #expect(try parsed(text, .json5) == expected)
    }

    @Test(
        "An integer that fits is an integer, any other number a double",
        arguments: [
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)), ("-0", .int(0)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1e2", .double(100)),
            ("0.1", .double(0.1)), ("1E-7", .double(1e-7)),
        ] as [(String, JSONValue)]
    )
    func numbers(text: String, value: JSONValue) throws {
        #expect(try parsed(text) == value)
    }

    @Test("Escapes of strings are read, pairs of surrogates as one character")
    func escapes() throws {
        #expect(try parsed(#""\"\\\/\b\f\n\r\té€𝄞""#).string == "\"\\/\u{8}\u{C}\n\r\té€𝄞")
    }

    @Test("What was written reads back as the same value, and a second writing gives the same text")
    func roundTrip() throws {
        var generator = SplitMix64(seed: 99)
        for _ in 0..<400 {
            let value = randomValue(&generator, depth: 5)
            let text = value.canonicalText
            for dialect in [JSONParser.Dialect.json, .json5] {
                let again = try parsed(text, dialect)
                #expect(again == value)
                #expect(again.canonicalText == text)
            }
        }
    }

    private func randomValue(_ generator: inout SplitMix64, depth: Int) -> JSONValue {
        switch generator.next() % (depth > 0 ? 8 : 6) {
        case 0: return .null
        case 1: return .bool(generator.next() & 1 == 0)
        case 2: return .int(Int64(truncatingIfNeeded: generator.next()) >> Int64(generator.next() % 64))
        case 3: return .double(Double(Int64(truncatingIfNeeded: generator.next())) / 4096)
        case 4, 5: return .string(randomText(&generator))
        case 6: return .array((0..<generator.next() % 5).map { _ in randomValue(&generator, depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<generator.next() % 5 {
                object[randomText(&generator)] = randomValue(&generator, depth: depth - 1)
            }
            return .object(object)
        }
    }

    private func randomText(_ generator: inout SplitMix64) -> String {
        let characters = ["a", "Z", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "€", "𝄞", ".", "'", " "]
        return (0..<generator.next() % 20).map { _ in characters[Int(generator.next() % 15)] }.joined()
    }

    @Test(
        "Malformed JSON is refused with the place and the reason",
        arguments: [
            ("", 1, 1, "empty"), (" \n ", 2, 2, "empty"), ("{", 1, 2, "ends inside an object"),
            ("[1, 2", 1, 6, "ends inside an array"), ("[1 2]", 1, 4, "a comma or \"]\""),
            ("[1,]", 1, 3, "a comma before \"]\" is not allowed"), ("{\"a\":1,}", 1, 7, "a comma before \"}\""),
            ("{\"a\" 1}", 1, 6, "a colon after the key \"a\""), ("{a:1}", 1, 2, "a key without quotes"),
            ("{'a':1}", 1, 2, "single quotes"), ("{1:2}", 1, 2, "a key in quotes"), ("[,1]", 1, 2, "a value"),
            ("{\"a\":\n  {\"k\": 1, \"b\": 2,\n   \"k\": 3}}", 3, 4, "the key \"k\" is given twice"),
            ("nul", 1, 1, "found \"nul\""), ("[true, flase]", 1, 8, "found \"flase\""), ("1 2", 1, 3, "after the end"),
            ("01", 1, 1, "leading zero"), ("1.", 1, 3, "after the point"), (".5", 1, 1, "a digit is missing"),
            ("1e", 1, 3, "exponent"), ("-", 1, 2, "a digit is missing"), ("+1", 1, 1, "plus sign"),
            ("0x10", 1, 2, "found \"x\""), ("1e999", 1, 1, "out of range"), ("NaN", 1, 1, "the number NaN"),
            ("\"abc", 1, 1, "ends inside a string"), ("\"é\n\"", 1, 3, "closing quote is missing"),
            ("\"a\tb\"", 1, 3, "code 9"), ("\"\\q\"", 1, 2, "the escape \\q"), ("\"\\u12\"", 1, 6, "hexadecimal digit"),
            ("\"\\uD800\"", 1, 2, "\\uD800 is half"), ("\"\\uDC00\"", 1, 2, "\\uDC00 is half"),
            ("\"\\uD800\\u0041\"", 1, 2, "half"), ("// x\n1", 1, 1, "comments are not allowed"),
            ("\r\n\r[\r\n\"€𝄞\", x]", 4, 7, "found \"x\""), ("\u{FEFF}1", 1, 1, "expected"), ("'a'", 1, 1, "single"),
        ]
    )
    func malformed(text: String, line: Int, column: Int, message: String) throws {
        let error = try #require(failure(text, .json))
        #expect(error.line == line)
        #expect(error.column == column)
        #expect(error.message.contains(message), "\(error)")
        #expect(error.description == "\(line):\(column): \(error.message)")
    }

    @Test("Bytes that are not UTF-8 are refused at the first of them")
    func invalidUTF8() {
        let expected = JSONParseError(
            reason: .invalidUTF8,
            position: JSONPosition(line: 2, column: 2, offset: 5)
        )
        #expect(throws: expected) { try JSONParser().parse([0x5B, 0x20, 0x20, 0x0A, 0x22, 0xC3, 0x22, 0x5D]) }
    }

    @Test("Nesting is allowed up to the limit and refused one deeper")
    func depth() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try parsed(deepest).canonicalText == deepest)
        let error = try #require(failure("[" + deepest + "]", .json))
        #expect(error.reason == .tooDeep(limit: 64))
        #expect(error.offset == 64)
        #expect(failure(String(repeating: "{\"a\":", count: 100_000), .json5)?.reason == .tooDeep(limit: 64))
    }

    @Test("Every text that is cut off gives an error and no crash")
    func truncated() {
        let text = #"{"a":[1,-2.5e3,"xÄ\n",true,null,{"b":"€"}],"c":false}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: JSONParseError.self) { try JSONParser(.json).parse(Array(bytes[0..<length])) }
            #expect(throws: JSONParseError.self) { try JSONParser(.json5).parse(Array(bytes[0..<length])) }
        }
    }

    @Test("Damaged texts give an error or a value, and whatever is JSON means the same in JSON5")
    func damaged() {
        var generator = SplitMix64(seed: 4)
        let characters = Array("{}[]:,\"'\\/*0123456789.eE+-xXutnfalsre \n\u{1}\u{C2}".utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = Array(randomValue(&generator, depth: 3).canonicalText.utf8)
            for _ in 0..<(1 + generator.next() % 2) where !bytes.isEmpty {
                let place = Int(generator.next() % UInt64(bytes.count))
                switch generator.next() % 3 {
                case 0: bytes[place] = characters[Int(generator.next() % UInt64(characters.count))]
                case 1: bytes.remove(at: place)
                default: bytes.insert(characters[Int(generator.next() % UInt64(characters.count))], at: place)
                }
            }
            guard let value = try? JSONParser(.json).parse(bytes) else {
                _ = try? JSONParser(.json5).parse(bytes)
                continue
            }
            accepted += 1
            #expect((try? JSONParser(.json5).parse(bytes)) == value)
            #expect((try? JSONParser(.json).parse(value.canonicalText)) == value)
        }
        #expect(accepted > 1000 && accepted < 19_000)
    }
}
