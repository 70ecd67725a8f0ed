internal import TextEncoding

/// What a splice information section says of a break (SCTE 35, 9.6 to 9.7 and 10.3.3).
package struct SpliceInformation: Sendable, Equatable {
    /// What it marks.
    package enum Mark: Sendable, Equatable {
        /// The stream leaves the main content.
        case out
        /// The stream is back at the main content.
        case back
        /// One ad of a break begins.
        case adStart
        /// One ad of a break is over.
        case adEnd
    }

    /// What it marks; nil when it marks no break and no ad.
    package private(set) var mark: Mark?
    /// How long the break or ad is, in microseconds, when it is said.
    package private(set) var durationUs: Int64?
    /// The number of the event, by which its end belongs to its start.
    package private(set) var eventID: UInt32?

    /// The longest section in its text form.
    private static let textLimit = 8192

    /// Reads the hexadecimal text of a playlist, such as `0xFC30...`; nil when it is no such section.
    package init?(hex text: String) {
        let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? String(text.dropFirst(2)) : text
        guard text.utf8.count <= Self.textLimit + 2, let bytes = Hex.bytes(digits) else { return nil }
        self.init(bytes)
    }

    /// Reads a section in Base64; nil when it is none.
    package init?(base64 text: String) {
        guard text.utf8.count <= Self.textLimit, let bytes = Base64.decode(text) else { return nil }
        self.init(bytes)
    }

    private init?(_ bytes: [UInt8]) {
        var reader = BitReader(bytes)
        guard reader.read(8) == 0xFC else { return nil }
        _ = reader.read(4)
        guard let length = reader.read(12), Int(length) <= reader.bytesLeft, reader.skip(bits: 8) else { return nil }
        guard let isEncrypted = reader.read(1), isEncrypted == 0, reader.skip(bits: 6 + 33 + 8 + 12),
            let commandLength = reader.read(12), let command = reader.read(8)
        else { return nil }
        let start = reader.byteIndex
        if command == 0x05 { readInsert(&reader) }
        // A length of all ones is that of an encoder that does not say it.
        if commandLength != 0xFFF {
            guard reader.move(toByte: start + Int(commandLength)) else { return }
        } else if command == 0x06 {
            readTime(&reader)
        } else if command != 0x05, command != 0x00 {
            return
        }
        readDescriptors(&reader)
    }

    private mutating func readInsert(_ reader: inout BitReader) {
        guard let id = reader.read(32), let isCancelled = reader.read(1), reader.skip(bits: 7), isCancelled == 0,
            let isOut = reader.read(1), let isProgram = reader.read(1), let hasDuration = reader.read(1),
            let isImmediate = reader.read(1), reader.skip(bits: 4)
        else { return }
        eventID = UInt32(id)
        mark = isOut == 1 ? .out : .back
        if isProgram == 1 {
            if isImmediate == 0 { readTime(&reader) }
        } else if let components = reader.read(8) {
            for _ in 0..<components {
                guard reader.skip(bits: 8) else { return }
                if isImmediate == 0 { readTime(&reader) }
            }
        }
        if hasDuration == 1, reader.skip(bits: 7), let ticks = reader.read(33) { durationUs = Self.time(ticks) }
        _ = reader.skip(bits: 32)
    }

    private func readTime(_ reader: inout BitReader) {
        guard let isSpecified = reader.read(1) else { return }
        _ = reader.skip(bits: isSpecified == 1 ? 6 + 33 : 7)
    }

    private mutating func readDescriptors(_ reader: inout BitReader) {
        guard let total = reader.read(16) else { return }
        let end = reader.byteIndex + Int(total)
        while reader.byteIndex < end, let tag = reader.read(8), let length = reader.read(8) {
            let next = reader.byteIndex + Int(length)
            if tag == 0x02, mark == nil || mark == .out || mark == .back { readSegmentation(&reader) }
            guard reader.move(toByte: next) else { return }
        }
    }

    private mutating func readSegmentation(_ reader: inout BitReader) {
        guard reader.read(32) == 0x4355_4549, let id = reader.read(32), let isCancelled = reader.read(1),
            reader.skip(bits: 7), isCancelled == 0, let isProgram = reader.read(1), let hasDuration = reader.read(1),
            reader.skip(bits: 6)
        else { return }
        if isProgram == 0 {
            guard let components = reader.read(8), reader.skip(bits: Int(components) * 48) else { return }
        }
        var ticks: UInt64?
        if hasDuration == 1 {
            guard let value = reader.read(40) else { return }
            ticks = value
        }
        guard reader.skip(bits: 8), let idLength = reader.read(8), reader.skip(bits: Int(idLength) * 8),
            let type = reader.read(8), let meaning = Self.mark(ofType: type)
        else { return }
        mark = meaning
        eventID = UInt32(id)
        durationUs = ticks.map(Self.time) ?? durationUs
    }

    /// The kinds of segments that are breaks or ads (SCTE 35, table 23).
    private static func mark(ofType type: UInt64) -> Mark? {
        switch type {
        case 0x22, 0x34, 0x36: .out
        case 0x23, 0x35, 0x37: .back
        case 0x30, 0x32: .adStart
        case 0x31, 0x33: .adEnd
        default: nil
        }
    }

    private static func time(_ ticks: UInt64) -> Int64 { Int64(ticks) * 100 / 9 }
}

/// Reads numbers of so many bits out of bytes, the highest first.
struct BitReader {
    private let bytes: [UInt8]
    private var bit = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var byteIndex: Int { bit / 8 }
    var bytesLeft: Int { (bytes.count * 8 - bit) / 8 }

    /// The next number; nil when there are not so many bits.
    mutating func read(_ count: Int) -> UInt64? {
        guard bit + count <= bytes.count * 8 else { return nil }
        var number: UInt64 = 0
        for _ in 0..<count {
            number = number << 1 | UInt64(bytes[bit / 8] >> UInt8(7 - bit % 8) & 1)
            bit += 1
        }
        return number
    }

    /// Leaves bits out; false when there are not so many.
    mutating func skip(bits: Int) -> Bool {
        guard bit + bits <= bytes.count * 8 else { return false }
        bit += bits
        return true
    }

    /// Goes on at a byte; false when there is none, or it was passed already.
    mutating func move(toByte index: Int) -> Bool {
        guard index * 8 >= bit, index <= bytes.count else { return false }
        bit = index * 8
        return true
    }
}
