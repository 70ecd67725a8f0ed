package import EventModel
package import PluginABI
package import TextEncoding

/// Writes archive lines of one run as bytes.
package struct ArchiveLineEncoder {
    /// The lines so far.
    package let buffer: ByteBuffer
    private var writer: JSONWriter
    private let prefix: ByteBuffer
    private var ordinal: UInt64 = 0
    private var lastFullState: Int64 = .min / 2

    /// Writes into a buffer, which encoders of several runs may share: each adds whole lines.
    package init(run: String, into buffer: ByteBuffer = ByteBuffer(capacity: 1024)) {
        self.buffer = buffer
        writer = JSONWriter(buffer)
        prefix = ByteBuffer(capacity: 128)
        prefix.append("{\"run\":\"")
        prefix.append(jsonEscaped: run)
        prefix.append("\",\"n\":")
    }

    /// The next line has this number.
    package mutating func go(to ordinal: UInt64) { self.ordinal = ordinal }

    /// The number that the next line has.
    package var nextOrdinal: UInt64 { ordinal }

    /// Adds the header line.
    package mutating func header(_ header: ArchiveHeader) {
        begin()
        buffer.append(",\"tally\":")
        buffer.append(header.json.canonicalText)
        end()
    }

    /// Adds an event line: a sample with what changed, every other event with the whole state.
    package mutating func event(_ event: EventView, report: UnsafePointer<tally_state>) {
        begin()
        time(event.time)
        buffer.append(",\"event\":\"")
        unsafe buffer.append(jsonEscaped: event.typeName.bytes)
        buffer.append(UInt8(ascii: "\""))
        let isSample = event.type == .playheadSample
        let full = !isSample || event.time - lastFullState >= ArchiveFormat.fullStateInterval
        if !isSample, event.session != 0 {
            buffer.append(",\"session\":")
            buffer.append(decimal: UInt64(event.session))
        }
        flags(event.flags)
        if full {
            lastFullState = event.time
            unsafe StateText.append(
                event.state.raw,
                members: event.state.raw.pointee.known,
                playhead: event.state.raw.pointee.reported_playhead_ms,
                aged: report.pointee.known & TALLY_KNOWN_PLAYHEAD == 0,
                is: event.state.raw.pointee.flags,
                to: buffer
            )
        } else {
            unsafe StateText.append(
                report,
                members: report.pointee.known,
                playhead: report.pointee.playhead_ms,
                aged: false,
                is: 0,
                to: buffer
            )
        }
        attributes(event.attributes)
        end()
    }

    /// Adds a mark line.
    package mutating func mark(at time: Int64) {
        begin()
        self.time(time)
        buffer.append(",\"mark\":true")
        end()
    }

    /// Adds the line that ends the run; `cause` is why somebody else than the player ended it.
    package mutating func end(at time: Int64, reason: String, dropped: UInt64, cause: String? = nil) {
        begin()
        self.time(time)
        buffer.append(",\"end\":\"")
        buffer.append(jsonEscaped: reason)
        buffer.append("\",\"dropped\":")
        buffer.append(decimal: dropped)
        if let cause {
            buffer.append(",\"cause\":\"")
            buffer.append(jsonEscaped: cause)
            buffer.append("\"")
        }
        end()
    }

    // MARK: - Parts

    private mutating func begin() {
        buffer.append(prefix)
        buffer.append(decimal: ordinal)
        ordinal += 1
    }

    private func end() { buffer.append("}\n") }

    private func time(_ time: Int64) {
        buffer.append(",\"t_us\":")
        buffer.append(decimal: time)
    }

    private func flags(_ flags: UInt32) {
        // A bit without a name means nothing outside this process.
        guard flags & EventFlagNames.bits != 0 else { return }
        var separator: StaticString = ",\"flags\":[\""
        for (bit, name) in EventFlagNames.all where flags & bit != 0 {
            buffer.append(separator)
            buffer.append(name)
            separator = "\",\""
        }
        buffer.append("\"]")
    }

    private mutating func attributes(_ attributes: AttributeList) {
        guard !attributes.isEmpty else { return }
        buffer.append(",\"attributes\":")
        writer.startOver()
        writer.beginObject()
        for attribute in attributes {
            unsafe writer.key(attribute.name.bytes)
            value(attribute.value)
        }
        writer.endObject()
    }

    private mutating func value(_ value: ValueView) {
        switch value {
        case .null, .unknown: writer.null()
        case .bool(let truth): writer.bool(truth)
        case .int(let number): writer.int(number)
        case .double(let number): double(number)
        case .string(let text): unsafe writer.string(text.bytes)
        case .list(let list):
            writer.beginArray()
            for element in list {
                self.value(element.value)
            }
            writer.endArray()
        case .bytes(let bytes):
            writer.beginObject()
            writer.key("$b")
            unsafe writer.string(Base64.encode([UInt8](bytes.bytes)))
            writer.endObject()
        }
    }

    private mutating func double(_ number: Double) {
        guard number.isFinite else {
            writer.beginObject()
            writer.key("$f")
            writer.string(number.isNaN ? "nan" : number > 0 ? "inf" : "-inf" as StaticString)
            writer.endObject()
            return
        }
        writer.double(number)
    }
}

/// What the bits of an event's flags are called in archives.
enum EventFlagNames {
    static let all: [(bit: UInt32, name: StaticString)] = [
        (TALLY_EVENT_OUT_OF_ORDER, "out_of_order"),
        (TALLY_EVENT_SYNTHETIC, "synthetic"),
        (TALLY_EVENT_MOVED, "moved"),
        (TALLY_EVENT_GAP_BEFORE, "gap_before"),
    ]
    /// All bits that have a name.
    static let bits = all.reduce(0) { $0 | $1.bit }
}
