/// Turns offsets into lines and columns, going on from the last answer where it can.
@safe
internal struct LineCounter {
    private let bytes: UnsafeRawBufferPointer
    private let count: Int
    private var offset = 0
    private var line = 1
    private var column = 1

    internal init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
        self.count = bytes.count
    }

    internal mutating func position(of wanted: Int) -> JSONPosition {
        if wanted < offset {
            (offset, line, column) = (0, 1, 1)
        }
        while offset < wanted, offset < count {
            let byte = unsafe bytes[offset]
            let next = offset &+ 1 < count ? unsafe bytes[offset &+ 1] : 0
            if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n")) {
                line &+= 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column &+= 1
            }
            offset &+= 1
        }
        return JSONPosition(line: line, column: column, offset: wanted)
    }
}
