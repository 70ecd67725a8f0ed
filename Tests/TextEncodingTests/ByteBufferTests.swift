import Testing
import TextEncoding

struct ByteBufferTests {
    @Test("A buffer grows from its smallest size and keeps all that was appended")
    func growth() {
        let buffer = ByteBuffer(capacity: 0)
        var expected: [UInt8] = []
        for round in 0..<500 {
            let part = Array("part \(round), ".utf8)
            buffer.append(part)
            buffer.append(UInt8(truncatingIfNeeded: round))
            expected += part + [UInt8(truncatingIfNeeded: round)]
        }
        #expect(buffer.bytes == expected)
        #expect(buffer.count == expected.count)
    }

    @Test("Literals, strings and runs are appended as UTF-8")
    func kinds() {
        let buffer = ByteBuffer()
        buffer.append("é")
        buffer.append(String(repeating: "ü€𝄞", count: 20))
        buffer.append(repeating: UInt8(ascii: "-"), count: 3)
        buffer.append(repeating: UInt8(ascii: "-"), count: -1)
        let other = ByteBuffer()
        other.append("end" as String)
        buffer.append(other)
        #expect(buffer.string == "é" + String(repeating: "ü€𝄞", count: 20) + "---end")
    }

    @Test("An emptied buffer starts again at its beginning")
    func shortening() {
        let buffer = ByteBuffer()
        buffer.append("abcdef")
        buffer[0] = UInt8(ascii: "A")
        #expect(buffer.string == "Abcdef")
        buffer.removeAll()
        #expect(buffer.isEmpty)
        buffer.append("new")
        let count = unsafe buffer.withBytes { $0.count }
        #expect(count == 3)
        #expect(buffer.string == "new")
    }
}
