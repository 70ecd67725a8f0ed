import Testing
import TextEncoding

struct PrintableTextTests {
    @Test(
        "What a terminal obeys is escaped: control characters of both sets, marks of direction, separators",
        arguments: [
            ("a\u{1B}[2Jb", #"a\u{1b}[2Jb"#), ("\u{9B}31m", #"\u{9b}31m"#), ("a\nb\r\tc", #"a\u{a}b\u{d}\u{9}c"#),
            ("\u{202E}txt.exe\u{2066}", #"\u{202e}txt.exe\u{2066}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
            ("\u{E0041}\u{7F}\u{0}", #"\u{e0041}\u{7f}\u{0}"#),
            ("e\u{301} \u{65E5}\u{672C} \\u{1b}", "e\u{301} \u{65E5}\u{672C} \\u{1b}"),
        ]
    )
    func escapes(text: String, shown: String) {
        #expect(PrintableText.escaped(text) == shown)
    }

    @Test("A long text is cut behind so many characters, and one of that length is not")
    func cut() {
        #expect(PrintableText.escaped("abcd", longest: 3) == "abc...")
        #expect(PrintableText.escaped("abc", longest: 3) == "abc")
        #expect(PrintableText.escaped("\u{E9}\u{E9}\u{E9}", longest: 3) == "\u{E9}\u{E9}\u{E9}")
        #expect(PrintableText.escaped("a\u{1B}cd", longest: 2) == #"a\u{1b}..."#)
    }

    @Test("Lines of one's own stay lines")
    func lines() {
        #expect(PrintableText.escaped(lines: "a\u{7}\nb\n") == "a\\u{7}\nb\n")
    }

    @Test("JSON reads back the same, and has nothing in it that a terminal obeys")
    func json() throws {
        let text = "\u{1B}\u{9B}\u{202E}\u{E0041}\u{E9}\u{2028}\\\"\n"
        let value: JSONValue = ["a\u{85}": .string(text), "b": [1, 2.5, .null, true]]
        let line = PrintableText.json(value)
        #expect(try JSONParser().parse(line) == value)
        #expect(line.contains(#"\u001b\u009b\u202e\udb40\udc41"#) && line.contains("\u{E9}"))
        #expect(line == PrintableText.escaped(line))
    }
}
