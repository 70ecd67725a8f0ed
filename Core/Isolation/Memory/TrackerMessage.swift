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
    /// A file, socket or device that it needs.
    case device

    /// What an error says.
    init(_ error: PluginError) {
        switch error {
        case .failed(_, _, TALLY_ERR_CONFIG, _): self = .configuration
        case .failed(_, _, TALLY_ERR_IO, _): self = .device
        default: self = error.isOfPlugin ? .plugin : .other
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
