import CLinux
import Testing
import TextEncoding

/// The scan that finds the lines of one run, against one that looks at each byte.
struct LineScanTests {
    private func scan(_ text: [UInt8], _ prefix: [UInt8]) -> (lines: Int, end: Int) {
        let (text, prefix) = (text.map { CChar(bitPattern: $0) }, prefix.map { CChar(bitPattern: $0) })
        var end = 0
        let lines = unsafe text.withUnsafeBufferPointer { text in
            unsafe prefix.withUnsafeBufferPointer { prefix in
                guard let start = text.baseAddress, let sought = prefix.baseAddress else { return 0 }
                return unsafe tally_lines_with_prefix(start, text.count, sought, prefix.count, &end)
            }
        }
        return (lines, end)
    }

    private func simple(_ text: [UInt8], _ prefix: [UInt8]) -> (lines: Int, end: Int) {
        var found = (lines: 0, end: 0)
        while text[found.end...].starts(with: prefix), let next = text[found.end...].firstIndex(of: 0x0A) {
            found = (found.lines + 1, next + 1)
        }
        return found
    }

    @Test("Lines are counted up to the first that begins otherwise or has no end", arguments: 1...200)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let prefixes = [
            "{\"run\":\"a\"", "{\"run\":\"abcdefghijklmn\"", "{\"run\":\"\(String(repeating: "x", count: 60))\"",
        ]
        let prefix = Array(prefixes[Int(seed) % prefixes.count].utf8)
        var text: [UInt8] = []
        for _ in 0..<Int(random.next() % 60) {
            var begin = prefix
            if random.next() % 20 == 0 { begin[Int(random.next() % UInt64(begin.count))] ^= 1 }
            text += begin + Array(repeating: 0x2E, count: Int(random.next() % 200)) + [0x0A]
        }
        if random.next() % 2 == 0 { text.removeLast(min(text.count, Int(random.next() % 40))) }
        guard !text.isEmpty else { return }
        let (found, expected) = (scan(text, prefix), simple(text, prefix))
        #expect(found == expected)
    }

    @Test("A text that is shorter than what is sought has no such line")
    func short() {
        #expect(scan(Array("{\"run\n".utf8), Array("{\"run\":\"a\"".utf8)) == (0, 0))
    }
}
