import Testing
import TextEncoding

struct UndecodedTextTests {
    @Test(
        "A name comes back as it was, whatever its bytes are",
        arguments: [
            Array("a/b.tally".utf8), Array("\u{E9}\u{10FFFD}\u{10FF80}\u{10FFFF}\u{10FF7F}".utf8), [0xE9], [0xC3],
            [0xFF, 0x61, 0xC3],
            [0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80], [], Array(0x01...0xFF),
        ] as [[UInt8]]
    )
    func roundTrip(bytes: [UInt8]) {
        #expect(UndecodedText.bytes(UndecodedText.text(bytes)) == bytes)
    }

    @Test("What is UTF-8 is its text, and of another name the bytes are shown that are not")
    func shown() {
        #expect(UndecodedText.text(Array("\u{E9}\u{1F600}.tally".utf8)) == "\u{E9}\u{1F600}.tally")
        let name = UndecodedText.text([0x61, 0xE9, 0x2E, 0x74])
        #expect(name != "a\u{FFFD}.t" && PrintableText.escaped(name) == #"a\xe9.t"#)
        #expect(PrintableText.json(.string(name)).allSatisfy { $0.isASCII })
    }

    @Test("Random names come back as they were")
    func random() {
        var numbers = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            let bytes = (0..<8).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
            #expect(UndecodedText.bytes(UndecodedText.text(bytes)) == bytes)
        }
    }
}
