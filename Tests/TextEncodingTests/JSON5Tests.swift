import Testing
import TextEncoding

struct JSON5Tests {
    private let parser = JSONParser(.json5)

    @Test("All that JSON5 adds is read")
    func sample() throws {
        let text = """
            \u{FEFF}// a comment
            {
                /* one
                   more */ unquoted: 'single "quotes"',
                $dollar_1: "it's",
                größe: +1, 'quoted key': -0xFf,
                lead: .5, trail: 5., exponent: 5.e1, sum: +.25,
                far: [Infinity, -Infinity, +Infinity,],
                "text": "one \\
            two\\x41\\v\\0\\'\\z",
            }\u{A0}// the end
            """
        let value = try parser.parse(text)
        #expect(
            value == [
                "unquoted": "single \"quotes\"", "$dollar_1": "it's", "größe": 1, "quoted key": -255, "lead": 0.5,
                "trail": 5.0, "exponent": 50.0, "sum": 0.25,
                "far": [.double(.infinity), .double(-.infinity), .double(.infinity)],
                "text": "one twoA\u{B}\u{0}'z",
            ]
        )
        #expect(try parser.parse("[NaN]")[0]?.double?.isNaN == true)
        #expect(try parser.parse("-NaN").double?.isNaN == true)
    }

    @Test("A comment may end with the text, a line comment with any line end")
    func comments() throws {
        #expect(try parser.parse("1 // x") == 1)
        #expect(try parser.parse("//\r2/**/") == 2)
        #expect(try parser.parse("//a\u{2028}3") == 3)
    }

    @Test("Hexadecimal numbers use all 63 bits and the sign")
    func hexadecimal() throws {
        #expect(try parser.parse("0x7FFFFFFFFFFFFFFF") == .int(.max))
        #expect(try parser.parse("-0X8000000000000000") == .int(.min))
        #expect(throws: JSONParseError.self) { try parser.parse("0x8000000000000000") }
        #expect(throws: JSONParseError.self) { try parser.parse("0x1FFFFFFFFFFFFFFFF") }
    }

    @Test(
        "What JSON5 does not allow is refused with the place and the reason",
        arguments: [
            ("{new-relic: 1}", 1, 5, "needs quotes"), ("[1,,2]", 1, 4, "a value"), ("{,}", 1, 2, "a key"),
            ("010", 1, 1, "leading zero"), ("0x", 1, 3, "hexadecimal digit is missing"), (".", 1, 2, "after the point"),
            ("/* x", 1, 1, "comment that starts here"), ("[/]", 1, 2, "a value or a comment"),
            ("'a\nb'", 1, 3, "closing quote"), ("'\\1'", 1, 2, "the escape \\1"), ("'\\01'", 1, 2, "before a digit"),
            ("0xfg", 1, 4, "found \"g\""), ("{a: 1, 'a': 2}", 1, 8, "\"a\" is given twice"),
            ("hello", 1, 1, "\"hello\""),
            ("{a 1}", 1, 4, "a colon"), ("1_000", 1, 2, "found \"_\""), ("- 1", 1, 2, "a digit is missing"),
        ]
    )
    func refused(text: String, line: Int, column: Int, message: String) {
        #expect {
            try parser.parse(text)
        } throws: { error in
            guard let error = error as? JSONParseError else { return false }
            return error.line == line && error.column == column && error.message.contains(message)
        }
    }

    @Test("The place of every key and element is known by its path")
    func positions() throws {
        let document = try parser.document(
            "// first\n{\n  plugins: [\n    {name: 'a'},\n    7,\n  ],\n  \"x\": {y: 1}}"
        )
        #expect(document.value.value(at: "plugins.0.name") == "a")
        #expect(
            document.positions.mapValues(\.description) == [
                "": "2:1", "plugins": "3:3", "plugins.0": "4:5", "plugins.0.name": "4:6", "plugins.1": "5:5",
                "x": "7:3", "x.y": "7:9",
            ]
        )
    }

    @Test("A path finds members, elements and keys that have dots in them")
    func paths() {
        let value: JSONValue = ["a": ["b": [10, ["c.d": "deep"]]], "a.b": ["x": 1], "": 5]
        #expect(value.value(at: "a.b.x") == 1)
        #expect(value["a"]?.value(at: "b.1.c.d") == "deep")
        #expect(value["a"]?.value(at: "b.0") == 10)
        #expect(value["a"]?.value(at: "b.2") == nil)
        #expect(value["a"]?.value(at: "b.-1") == nil)
        #expect(value.value(at: "a.c") == nil)
        #expect(value.value(at: "") == value)
    }

    @Test("An object keeps its order, replaces in place and removes with nil")
    func objects() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["b"] = 3
        object["c"] = 4
        object["a"] = nil
        object["none"] = nil
        #expect(object.keys == ["b", "c"])
        #expect(JSONValue.object(object).canonicalText == #"{"b":3,"c":4}"#)
    }
}
