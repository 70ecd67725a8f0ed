import Testing
import TextEncoding

struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        let buffer = ByteBuffer()
        var writer = JSONWriter(buffer)
        body(&writer)
        return buffer.string
    }

    @Test("Commas stand between elements and nowhere else, at any depth")
    func commas() {
        let text = written { writer in
            writer.beginObject()
            writer.key("a")
            writer.beginArray()
            writer.endArray()
            writer.key("b" as String)
            writer.beginArray()
            writer.int(-1)
            writer.beginObject()
            writer.key("x")
            writer.null()
            writer.endObject()
            writer.beginArray()
            writer.bool(true)
            writer.bool(false)
            writer.endArray()
            writer.double(1.5)
            writer.endArray()
            writer.key("c")
            writer.beginObject()
            writer.endObject()
            writer.key("d")
            writer.raw("[1, 2]")
            writer.key("e")
            writer.unsigned(.max)
            writer.endObject()
        }
        #expect(
            text == #"{"a":[],"b":[-1,{"x":null},[true,false],1.5],"c":{},"d":[1, 2],"e":18446744073709551615}"#
        )
    }

    @Test("Numbers that JSON does not have are written as null", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) {
        #expect(written { $0.double(value) } == "null")
    }

    @Test("Exactly the quote, the backslash and what is below 0x20 are escaped, in short form where there is one")
    func escapes() {
        let short: [UInt8: String] = [
            8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 0x22: "\\\"", 0x5C: "\\\\",
        ]
        for byte in UInt8(0)..<0x80 {
            let plain = String(decoding: [byte], as: UTF8.self)
            let long = "\\u00" + Hex.text([byte])
            let expected = short[byte] ?? (byte < 0x20 ? long : plain)
            #expect(written { $0.string(plain) } == "\"\(expected)\"")
        }
    }

    @Test("An escape is found at every place of a long run, whatever stands beside it", arguments: 0...20)
    func escapePlaces(place: Int) {
        for (special, escaped) in [("\"", "\\\""), ("\\", "\\\\"), ("\u{1}", "\\u0001"), ("\u{1F}", "\\u001f")] {
            for neighbour in ["a", "\u{20}", "\u{21}", "#", "]", "é", "\u{7F}", "ÿ"] {
                let left = String(repeating: neighbour, count: place)
                let right = String(repeating: neighbour, count: 20 - place)
                #expect(written { $0.string(left + special + right) } == "\"\(left)\(escaped)\(right)\"")
                #expect(written { $0.key(left + special + right) } == "\"\(left)\(escaped)\(right)\":")
            }
        }
    }

    @Test("A literal is escaped like any other string")
    func literals() {
        #expect(written { $0.string("a\"\\\n") } == #""a\"\\\n""#)
        #expect(written { $0.string("\u{1}") } == #""\u0001""#)
    }

    @Test("A writer that starts over writes the next value without a comma")
    func startOver() {
        let text = written { writer in
            for number in 0..<3 {
                writer.int(Int64(number))
                writer.startOver()
                writer.buffer.append(UInt8(ascii: "\n"))
            }
        }
        #expect(text == "0\n1\n2\n")
    }
}
