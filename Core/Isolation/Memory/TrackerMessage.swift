internal import Coordinator
internal import EventModel
internal import Glibc
internal import PluginABI
internal import PluginLoading

/// What a tracker's process says to the player, as it lies in the ring: this, then the content.
struct TrackerMessage {
    /// What a message is.
    enum Kind: UInt32 {
        /// A record block.
        case record = 1
        /// A beacon with all that it points at; `base` is where that lay in the process.
        case beacon
        /// Texts: a key and a value to be kept.
        case store
        /// Texts: code, message and details of an error that concerns the player.
        case fault
        /// Text: why the core has disabled the tracker. `ordinal` 1 says that it is disabled.
        case disabled
        /// Text of a line of the log; `ordinal` is its level.
        case log
        /// Text: what the tracker answers to the message `number`; `ordinal` 1 says that it refuses.
        case answer
        /// Text: the id of the asset that outputs name from now on.
        case video
        /// Texts: the commands that the tracker offers, JSON, and where it stands; all is made, and events can come.
        case ready
        /// Texts: the numbers of the tracker's last record and its last beacon. It has made room for another.
        case left
        /// Text: why the tracker could not be made; `ordinal` is a ``Refusal``.
        case refused

        /// Whether it is part of what a run comes to, so that one that begins anew says it again.
        var isOutput: Bool { rawValue <= Kind.disabled.rawValue }
    }

    var size: UInt32
    var kind: UInt32
    /// The number of the run's message that caused it.
    var number: UInt64 = 0
    /// When: see ``OutputMoment``.
    var event: UInt64 = 0
    var momentTime: Int64 = 0
    /// The output's own time, number and session.
    var time: Int64 = 0
    var ordinal: UInt64 = 0
    var step: UInt32 = 0
    var session: UInt32 = 0
    /// Where the content lay in the process that wrote it.
    var base: UInt64 = 0
    /// Bytes of the content.
    var count: UInt64 = 0

    /// Bytes before the content.
    static var headBytes: Int { ByteRing.size(MemoryLayout<TrackerMessage>.size) }

    /// When it was said.
    var moment: OutputMoment { OutputMoment(event: event, step: step, time: momentTime) }

    init(_ kind: Kind, _ count: Int) {
        size = UInt32(ByteRing.size(Self.headBytes + count))
        self.kind = kind.rawValue
        self.count = UInt64(count)
    }
}

/// What it is that keeps a tracker from being made.
enum Refusal: UInt64 {
    /// Neither its plugin nor its configuration.
    case other
    /// Its plugin, which cannot be used at all.
    case plugin
    /// Its configuration.
    case configuration

    /// What an error says.
    init(_ error: PluginError) {
        if case .failed(_, _, TALLY_ERR_CONFIG, _) = error {
            self = .configuration
        } else {
            self = error.isOfPlugin ? .plugin : .other
        }
    }
}

/// Texts one behind the other, each behind its length.
enum TextList {
    /// The bytes of texts.
    static func bytes(_ texts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for text in texts {
            unsafe withUnsafeBytes(of: UInt32(text.utf8.count)) { unsafe bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: text.utf8)
        }
        return bytes
    }

    /// So many texts of bytes that somebody else has written; empty ones where there are fewer.
    static func texts(_ bytes: UnsafeRawBufferPointer, count: Int) -> [String] {
        var (texts, offset): ([String], Int) = ([], 0)
        while texts.count < count {
            guard bytes.count - offset >= 4 else { break }
            let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            offset += 4
            guard length <= bytes.count - offset else { break }
            unsafe texts.append(String(decoding: bytes[offset..<offset + length], as: UTF8.self))
            offset += length
        }
        return texts + Array(repeating: "", count: count - texts.count)
    }
}

/// Memory with an output that another process has written: a copy, which nobody but this process can change.
@safe final class OutputBytes {
    /// The bytes, aligned to 16.
    let start: UnsafeMutableRawPointer
    /// How many there are.
    let count: Int

    /// Copies bytes.
    init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        unsafe start = .allocate(byteCount: max(count, 16), alignment: 16)
        if let from = bytes.baseAddress { unsafe memcpy(start, from, count) }
    }

    deinit { unsafe start.deallocate() }

    /// A record that is whole and within the limits, with texts in good order; nil for what is none.
    func record() -> UnsafePointer<tally_record>? {
        guard count >= MemoryLayout<tally_record>.size else { return nil }
        let record = unsafe UnsafePointer(start.assumingMemoryBound(to: tally_record.self))
        guard unsafe Int(record.pointee.size) <= count, unsafe RecordCheck.isSound(record) else {
            return nil
        }
        return unsafe record
    }

    /// A beacon that is complete and within the limits; `base` is where its bytes lay when its pointers were written.
    func beacon(base: UInt64) -> UnsafePointer<tally_beacon>? {
        guard unsafe count >= MemoryLayout<tally_beacon>.size else { return nil }
        let beacon = unsafe start.assumingMemoryBound(to: tally_beacon.self)
        unsafe beacon.pointee.struct_size = UInt32(MemoryLayout<tally_beacon>.size)
        guard unsafe move(&beacon.pointee.destination, base), unsafe move(&beacon.pointee.method, base),
            unsafe move(&beacon.pointee.url, base), unsafe move(&beacon.pointee.body, base),
            unsafe move(&beacon.pointee.credential, base),
            unsafe move(&beacon.pointee.headers, beacon.pointee.header_count, base),
            unsafe move(&beacon.pointee.patches, beacon.pointee.patch_count, base),
            unsafe move(&beacon.pointee.records, beacon.pointee.record_count, base)
        else { return nil }
        if let headers = unsafe UnsafeMutablePointer(mutating: beacon.pointee.headers) {
            for index in unsafe 0..<Int(beacon.pointee.header_count) {
                guard unsafe move(&headers[index].name, base), unsafe move(&headers[index].value, base) else {
                    return nil
                }
            }
        }
        let moved = unsafe UnsafePointer(beacon)
        return unsafe BeaconCheck.isSound(moved) ? moved : nil
    }

    /// Lets a text lie here that lay in the other process; false when it lies elsewhere.
    private func move(_ text: inout tally_str, _ base: UInt64) -> Bool {
        guard unsafe text.len > 0, let place = unsafe text.ptr else {
            unsafe text = unsafe tally_str(ptr: nil, len: 0)
            return true
        }
        guard let moved = unsafe moved(UInt64(UInt(bitPattern: place)), UInt64(text.len), 1, base) else { return false }
        unsafe text.ptr = unsafe UnsafePointer(moved.assumingMemoryBound(to: CChar.self))
        return true
    }

    /// The same of a list.
    private func move<Element>(_ list: inout UnsafePointer<Element>?, _ number: UInt64, _ base: UInt64) -> Bool {
        guard number > 0, let place = unsafe list else {
            unsafe list = nil
            return number == 0
        }
        let (bytes, isTooLong) = number.multipliedReportingOverflow(by: UInt64(MemoryLayout<Element>.stride))
        guard !isTooLong,
            let moved = unsafe moved(
                UInt64(UInt(bitPattern: place)),
                bytes,
                UInt64(MemoryLayout<Element>.alignment),
                base
            )
        else { return false }
        unsafe list = unsafe UnsafePointer(moved.assumingMemoryBound(to: Element.self))
        return true
    }

    private func moved(
        _ place: UInt64,
        _ bytes: UInt64,
        _ alignment: UInt64,
        _ base: UInt64
    )
        -> UnsafeMutableRawPointer?
    {
        guard place >= base, place - base <= UInt64(count), bytes <= UInt64(count) - (place - base),
            (place - base) % alignment == 0
        else { return nil }
        return unsafe start + Int(place - base)
    }
}
