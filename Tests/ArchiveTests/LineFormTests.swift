import Archive
import EventModel
import Testing

/// Which JSON a line may be: any that says the same.
struct LineFormTests {
    private static let plain = LineReading.summary(
        #"{"run":"r","n":3,"t_us":9,"event":"play","state":{"playhead_ms":5,"muted":true},"attributes":{"a":1,"b":[true]}}"#
    )

    @Test(
        "White space and the order of members mean nothing",
        arguments: [
            #" { "run" : "r" , "n" : 3 , "t_us" : 9 , "event" : "play" , "state" : { "playhead_ms" : 5 , "muted" : true } , "attributes" : { "a" : 1 , "b" : [ true ] } } "#,
            #"{"attributes":{"a":1,"b":[true]},"state":{"muted":true,"playhead_ms":5},"event":"play","t_us":9,"n":3,"run":"r"}"#,
            "\t{\"event\":\"play\",\t\"run\":\"r\",\"attributes\":{\"a\":1,\"b\":[true]},\r\"n\":3,\"t_us\":9,\"state\":{\"playhead_ms\":5,\"muted\":true}}\r",
            #"{"\u0072un":"\u0072","n":3,"t_us":9,"ev\u0065nt":"pl\u0061y","state":{"playhead_ms":5,"m\u0075ted":true},"attributes":{"\u0061":1,"b":[true]}}"#,
        ]
    )
    func sameMeaning(line: String) {
        #expect(Self.plain.hasPrefix("9 play 0; known 10000000000001 playhead 5"))
        #expect(LineReading.summary(line) == Self.plain)
    }

    @Test("What follows the usual form of a line may be in another one", arguments: ["", " ", "\t"])
    func afterUsualLine(space: String) {
        let decoder = ArchiveLineDecoder()
        let first = #"{"run":"run-1","n":1,"t_us":5,"event":"playhead_sample","state":{"playhead_ms":1}}"#
        #expect(LineReading.summary(Array(first.utf8), decoder).hasPrefix("5 playhead_sample 0"))
        for second in [
            #"{"run":"run-1","n":2,"t_us":6,"event":"playhead_sample","state":{"playhead_ms":2}}"#,
            #"{"run":"run-1","n":2,"t_us":6,"event":"playhead_sample","state":{"playhead_ms":2,"muted":true}}"#,
            #"{"run":"run-1","n":2,"t_us":6,"event":"playhead_sample_2","state":{"playhead_ms":2}}"#,
            #"{"run":"run-1","n":2,"t_us":6,"event":"play"}"#,
            #"{"run":"run-12","n":2,"t_us":6,"event":"play"}"#,
            #"{"run":"run","n":2,"t_us":6,"mark":true}"#,
            #"{"run":"run-1","n":2}"#,
            #"{"run":"run-1","n":2,"t_us":6.5}"#,
            #"{"run":"run-1","n":02,"t_us":6,"event":"play"}"#,
            #"{"run":"run-1","n":2,"t_us":6,"event":"playhead_sample","state":{"playhead_ms":02}}"#,
            #"{"run":"run-1","n":2,"t_us":6,"event":"playhead_sample","state":{"playhead_ms":9007199254740992}}"#,
        ] {
            let alone = LineReading.summary(second)
            let following = LineReading.summary(Array((space + second).utf8), decoder)
            #expect(Self.withoutColumn(following) == Self.withoutColumn(alone), "\(second)")
            _ = LineReading.summary(Array(first.utf8), decoder)
        }
    }

    @Test("Members that this version does not know are passed over, whatever they hold")
    func unknownMembers() {
        for value in ["null", "-1.5e-7", #""\"\u0000""#, "[]", "{}", #"[{"a":[{"b":"c"}]}]"#, "true"] {
            let line =
                #"{"x":\#(value),"run":"r","n":3,"y":\#(value),"t_us":9,"event":"play","state":{"z":\#(value),"#
                + #""playhead_ms":5,"muted":true},"attributes":{"a":1,"b":[true]},"w":\#(value)}"#
            #expect(LineReading.summary(line) == Self.plain, "\(value)")
        }
    }

    @Test("Of a member or an attribute that comes twice the last one holds, in the place of the first")
    func duplicates() {
        #expect(LineReading.attributes(#""a":1,"b":2,"a":3"#) == LineReading.attributes(#""a":3,"b":2"#))
        let line =
            #"{"run":"r","run":"r","n":1,"n":3,"t_us":1,"t_us":9,"event":"pause","event":"play","#
            + #""state":{"playhead_ms":1,"muted":true,"muted":false,"playhead_ms":5,"muted":true},"#
            + #""attributes":{"a":1},"attributes":{"b":[true]}}"#
        #expect(LineReading.summary(line) == Self.plain)
        let muted = LineReading.summary(
            #"{"run":"r","n":1,"t_us":1,"event":"play","state":{"muted":true,"muted":false}}"#
        )
        #expect(muted.hasSuffix("is false"))
        // Lines are dealt to coordinators by their run: there must be no doubt about it.
        let doubtful = LineReading.summary(#"{"run":"x","run":"r","n":1,"t_us":1,"event":"play"}"#)
        #expect(doubtful.contains("run is there twice, with two values"), "\(doubtful)")
    }

    @Test("Numbers are canonical, however they are written")
    func numbers() {
        for (text, value) in [
            ("0", "int 0"), ("-0", "int 0"), ("0.0", "int 0"), ("-0.0", "int 0"), ("1e3", "int 1000"),
            ("1E+3", "int 1000"), ("100e-2", "int 1"), ("9007199254740991", "int 9007199254740991"),
            ("-9007199254740991", "int -9007199254740991"), ("0.1", "double 3fb999999999999a"),
            ("9007199254740992", "double 4340000000000000"), ("9007199254740993", "double 4340000000000000"),
            ("-9007199254740992", "double c340000000000000"),
            ("99999999999999999999999999", "double 4554adf4b7320335"),
            ("123456789012345678", "double 437b69b4ba630f35"), ("5e-324", "double 1"), ("4.9e-324", "double 1"),
            ("2.2250738585072011e-308", "double fffffffffffff"), ("1.7976931348623157e308", "double 7fefffffffffffff"),
            ("1e-400", "int 0"), (#"{"$f":"nan"}"#, "double 7ff8000000000000"),
            (#"{"$f":"inf"}"#, "double 7ff0000000000000"), (#"{"$f":"-inf"}"#, "double fff0000000000000"),
        ] {
            #expect(LineReading.attributes(#""a":\#(text)"#).hasSuffix(" " + value), "\(text)")
            #expect(LineReading.attributes(#""a":[\#(text)]"#).hasSuffix(" [" + value + "]"), "\(text)")
        }
    }

    @Test(
        "What is no JSON number is refused, in attributes, in lists and in members that are passed over",
        arguments: [
            "01", "-01", "00", "1.", ".5", "-.5", "-", "+1", "1e", "1e+", "1.e5", "0x10", "1_000", "Infinity", "NaN",
            "nan", "--1", "1-2", "1e999", "-1e999", "1.5.5", "12a", "00.5", "",
        ]
    )
    func noNumbers(text: String) {
        for line in [
            LineReading.event(attributes: #""a":\#(text)"#), LineReading.event(attributes: #""a":[1,\#(text)]"#),
            #"{"run":"r","n":1,"t_us":7,"event":"custom","unknown":\#(text)}"#,
            #"{"run":"r","n":1,"t_us":7,"event":"custom","state":{"unknown":\#(text)}}"#,
            #"{"run":"r","n":1,"t_us":7,"event":"custom","state":{"playhead_ms":\#(text)}}"#,
            #"{"run":"r","n":\#(text),"t_us":7,"event":"custom"}"#,
        ] {
            #expect(LineReading.summary(line).hasPrefix("refused: damaged line"), "\(line)")
        }
    }

    @Test("Escapes and all of Unicode are read; half a surrogate pair becomes U+FFFD")
    func strings() {
        for (text, value) in [
            (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u0000"#, "\u{0}"), (#"\u00e9\u00E9é"#, "ééé"),
            (#"\uD83D\uDE00"#, "😀"), (#"\ud83d\ude00😀"#, "😀😀"), (#"\u2028\u2029"#, "\u{2028}\u{2029}"),
            ("\u{2028}\u{7F}\u{10FFFF}", "\u{2028}\u{7F}\u{10FFFF}"), (#"\ud800"#, "\u{FFFD}"),
            (#"\udc00x"#, "\u{FFFD}x"), (#"\ud800A"#, "\u{FFFD}A"), (#"\ud800\ud800\udc00"#, "\u{FFFD}\u{10000}"),
            ("", ""), (#"\uFFFF"#, "\u{FFFF}"),
        ] {
            #expect(LineReading.attributes(#""a":"\#(text)""#).hasSuffix(Exact.text(.string(value))), "\(text)")
            #expect(
                LineReading.attributes(#""a":["\#(text)"]"#).hasSuffix("[\(Exact.text(.string(value)))]"),
                "\(text)"
            )
        }
    }

    @Test(
        "Broken strings are refused",
        arguments: [#"\u12"#, #"\u12g4"#, #"\x41"#, #"\"#, "\u{1F}", "\u{0}", "\n", #"\ud800\u12"#, #"\U0041"#]
    )
    func brokenStrings(text: String) {
        for line in [
            LineReading.event(attributes: #""a":"\#(text)""#), LineReading.event(attributes: #""\#(text)":1"#),
            #"{"run":"r","n":1,"t_us":7,"event":"custom","unknown":"\#(text)"}"#,
        ] {
            #expect(LineReading.summary(line).hasPrefix("refused: damaged line"), "\(line)")
        }
    }

    @Test("Bytes that are not UTF-8 are refused wherever they stand")
    func notUTF8() {
        let line = Array(LineReading.event(attributes: #""name":"some text that is long enough""#).utf8)
        for bad in [[0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82]]
            as [[UInt8]]
        {
            for place in stride(from: 0, through: line.count, by: 7) {
                let broken = line[..<place] + bad + line[place...]
                #expect(LineReading.summary(Array(broken)) == "refused: damaged line: not UTF-8")
            }
        }
    }

    @Test("Nesting is bounded, and what breaks a bound is named")
    func depth() {
        let lists = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(!LineReading.attributes(#""a":\#(lists(Limits.listDepth))"#).hasPrefix("refused"))
        #expect(
            LineReading.attributes(#""a":\#(lists(Limits.listDepth + 1))"#)
                == "refused: event refused: attribute a: the value is larger than 65536 bytes or nested deeper than 8"
        )
        let unknown = { (depth: Int) in #"{"run":"r","n":1,"t_us":7,"event":"custom","x":\#(lists(depth))}"# }
        #expect(!LineReading.summary(unknown(64)).hasPrefix("refused"))
        #expect(LineReading.summary(unknown(65)).hasPrefix("refused: damaged line: nested too deep"))
        for bomb in ["[", #"{"a":"#, #"[{"b":"#] {
            let text = String(repeating: bomb, count: 100_000)
            #expect(LineReading.attributes(#""a":\#(text)"#).hasPrefix("refused"))
            #expect(LineReading.summary(#"{"x":\#(text)"#).hasPrefix("refused: damaged line: nested too deep"))
            #expect(LineReading.summary(#"{"run":"r","n":0,"tally":\#(text)"#).hasPrefix("refused: damaged line"))
        }
    }

    @Test(
        "An object that is no tagged value is refused as such",
        arguments: [
            "{}", #"{"a":1}"#, #"{"$f":"x"}"#, #"{"$f":1}"#, #"{"$f":"nan","$f":"inf"}"#, #"{"$b":"=="}"#,
            #"{"$b":"QQ"}"#, #"{"$x":"QQ=="}"#,
        ]
    )
    func tagged(text: String) {
        #expect(LineReading.attributes(#""a":\#(text)"#).hasPrefix("refused: damaged line"))
        #expect(LineReading.attributes(#""a":[\#(text)]"#).hasPrefix("refused: damaged line"))
    }

    @Test(
        "What an event lacks or has too much of is said",
        arguments: [
            ("{}", "damaged line: run or n is missing at column 3"),
            (#"{"run":"r","n":1}"#, "damaged line: t_us is missing at column 18"),
            (#"{"run":"r","n":1,"t_us":-1,"event":"play"}"#, "damaged line: t_us is negative at column 43"),
            (#"{"run":"r","n":1,"t_us":5}"#, "damaged line: event is missing at column 27"),
            (#"{"run":"r","n":-1,"t_us":5,"event":"play"}"#, "damaged line: n is no number at column 18"),
            (#"{"run":"r","n":1,"t_us":5,"event":""}"#, "event refused: its name is empty or longer than 255 bytes"),
            ("5", "damaged line: expected '{' at column 1"), ("", "damaged line: expected '{' at column 1"),
            (#"{"run":"r","n":1,"t_us":5,"event":"play"}x"#, "damaged line: something follows the object at column 42"),
            (
                #"{"run":"r","n":1,"t_us":5,"event":"play"} {}"#,
                "damaged line: something follows the object at column 43"
            ),
            (#"{"run":"r",}"#, "damaged line: expected a string at column 12"),
            (
                #"{"run":"r","n":1,"t_us":5,"event":"play","attributes":{"":1}}"#,
                "event refused: attribute : the name is empty or longer than 255 bytes"
            ),
            (
                #"{"run":"r","n":1,"t_us":5,"event":"play","state":{"bitrate_bps":9007199254740992}}"#,
                "damaged line: number out of range at column 81"
            ),
            (
                #"{"run":"r","n":1,"t_us":5,"event":"play","state":{"playhead_ms":999999999999999999}}"#,
                "damaged line: number out of range at column 83"
            ),
            (
                #"{"run":"r","n":1,"t_us":5,"event":"play","state":{"width":2147483648}}"#,
                "damaged line: number out of range at column 69"
            ),
            (
                #"{"run":"r","n":1,"t_us":5,"event":"play","state":{"muted":1}}"#,
                "damaged line: malformed value at column 59"
            ),
        ]
    )
    func lacking(line: String, problem: String) {
        #expect(LineReading.summary(line) == "refused: \(problem)")
    }

    @Test("An event that is larger than a block may be is refused, with the limit")
    func tooLarge() {
        let text = String(repeating: "x", count: Limits.eventBytes)
        #expect(
            LineReading.attributes(#""a":"\#(text)""#)
                == "refused: event refused: attribute a: the event is larger than 16384 bytes"
        )
        let many = (0...Limits.attributes).map { #""a\#($0)":1"# }.joined(separator: ",")
        #expect(
            LineReading.attributes(many)
                == "refused: event refused: attribute a200: there are more than 200 attributes"
        )
        let name = String(repeating: "e", count: 300)
        #expect(
            LineReading.summary(#"{"run":"r","n":1,"t_us":5,"event":"\#(name)"}"#)
                == "refused: event refused: its name is empty or longer than 255 bytes"
        )
    }

    private static func withoutColumn(_ text: String) -> String {
        guard let column = text.firstRange(of: " at column ") else { return text }
        return String(text[..<column.lowerBound])
    }
}
