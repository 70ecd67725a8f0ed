import Testing
import TextEncoding

struct UTF8Tests {
    private func isValid(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe isValidUTF8($0) }
    }

    @Test("Every Unicode scalar is valid at the start, in the middle and at the end of a text")
    func allScalars() {
        var bytes: [UInt8] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            if value % 97 == 0 {
                #expect(isValid(bytes))
                bytes.removeAll(keepingCapacity: true)
            }
        }
        #expect(isValid(bytes))
    }

    @Test(
        "An ill-formed sequence is found, wherever it stands",
        arguments: [
            // The examples of the Unicode standard, chapter 3, tables 3-8 to 3-11.
            ([0xC0, 0xAF, 0xE0, 0x80, 0xBF, 0xF0, 0x81, 0x82, 0x41], "????????A"),
            ([0xED, 0xA0, 0x80, 0xED, 0xBF, 0xBF, 0xED, 0xAF, 0x41], "????????A"),
            ([0xF4, 0x91, 0x92, 0x93, 0xFF, 0x41, 0x80, 0xBF, 0x42], "?????A??B"),
            ([0xE1, 0x80, 0xE2, 0xF0, 0x91, 0x92, 0xF1, 0xBF, 0x41], "????A"),
            // Cut off, and lone bytes.
            ([0x61, 0xE2, 0x82], "a?"), ([0xF0, 0x9F, 0x98], "?"), ([0x80], "?"), ([0xC2], "?"), ([0xF5], "?"),
            ([0x61, 0xFE, 0x62, 0xC3, 0xA9], "a?bé"), ([], ""), ([0x61], "a"),
        ] as [([UInt8], String)]
    )
    func illFormed(bytes: [UInt8], text: String) {
        #expect(String(decoding: bytes, as: UTF8.self) == text.replacing("?", with: "\u{FFFD}"))
        #expect(isValid(bytes) == !text.contains("?"))
    }

    @Test("Random bytes are judged as the standard library does it")
    func random() {
        var generator = SplitMix64(seed: 7)
        let leads: [UInt8] = [
            0x41, 0x7F, 0x80, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0x9F, 0xA0, 0x8F, 0x90,
        ]
        for _ in 0..<20_000 {
            let bytes = (0..<Int(generator.next() % 24)).map { _ in leads[Int(generator.next() % 16)] }
            #expect(isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil))
        }
    }

    @Test("The first invalid byte is found behind any length of ASCII", arguments: 0...17)
    func position(length: Int) {
        let bytes = Array(repeating: UInt8(ascii: "x"), count: length) + [0xC3, 0xA9, 0xE2, 0x82, 0x41]
        let found = unsafe bytes.withUnsafeBytes { unsafe firstInvalidUTF8(in: $0) }
        #expect(found == length + 2)
    }

    @Test("A byte that is not ASCII is seen in any place of any length", arguments: [1, 7, 31, 32, 33, 64, 100])
    func ascii(length: Int) {
        var bytes = [UInt8](repeating: 0x7F, count: length)
        #expect(unsafe bytes.withUnsafeBytes { unsafe isASCII($0) })
        for place in 0..<length {
            bytes[place] = 0x80
            #expect(unsafe !bytes.withUnsafeBytes { unsafe isASCII($0) })
            bytes[place] = 0
        }
    }

    @Test("Only what is not UTF-8 is repaired")
    func repair() {
        func repaired(_ bytes: [UInt8]) -> String? { unsafe bytes.withUnsafeBytes { unsafe repairedUTF8($0) } }
        #expect(repaired([]) == nil && repaired(Array("caf\u{E9}\0".utf8)) == nil)
        #expect(repaired([0x61, 0xE2, 0x82, 0x62, 0xFF]) == "a\u{FFFD}b\u{FFFD}")
    }
}
