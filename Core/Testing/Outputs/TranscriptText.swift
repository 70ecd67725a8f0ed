internal import Coordinator
internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Turns outputs into the text of a transcript.
enum TranscriptText {
    static func record(_ record: RecordView, _ output: Output) -> String {
        let buffer = ByteBuffer()
        head(output, "record", record.kind.string, buffer)
        attributes(record.attributes, buffer)
        return buffer.string
    }

    /// A record's attributes by name.
    static func attributes(of record: RecordView) -> [String: PlainValue] {
        Dictionary(record.attributes.map { ($0.name.string, PlainValue($0.value)) }) { first, _ in first }
    }

    static func beacon(_ beacon: tally_beacon, _ output: Output) -> String {
        let buffer = ByteBuffer()
        unsafe head(output, "beacon", text(beacon.destination), buffer)
        buffer.append(
            unsafe " \(text(beacon.method)) \(text(beacon.url)) flags \(beacon.flags) age \(beacon.max_age_s)"
        )
        buffer.append(unsafe " credential \(text(beacon.credential))")
        if let headers = unsafe beacon.headers {
            for index in unsafe 0..<Int(beacon.header_count) {
                buffer.append(unsafe " [\(text(headers[index].name)): \(text(headers[index].value))]")
            }
        }
        if let patches = unsafe beacon.patches {
            for index in unsafe 0..<Int(beacon.patch_count) {
                let patch = unsafe patches[index]
                buffer.append(" patch \(patch.part)/\(patch.kind)@\(patch.off)+\(patch.width)")
            }
        }
        if let records = unsafe beacon.records {
            for index in unsafe 0..<Int(beacon.record_count) {
                buffer.append(unsafe " #\(records[index])")
            }
        }
        buffer.append(" body ")
        if let start = unsafe beacon.body.ptr {
            unsafe buffer.append(jsonEscaped: UnsafeRawBufferPointer(start: start, count: beacon.body.len))
        }
        return buffer.string
    }

    static func event(_ event: EventView) -> String {
        let buffer = ByteBuffer()
        buffer.append("\(event.time) event \(event.ordinal) session \(event.session) flags \(event.flags) ")
        unsafe buffer.append(event.typeName.bytes)
        attributes(event.attributes, buffer)
        return buffer.string
    }

    static func text(_ text: tally_str) -> String {
        guard let start = unsafe text.ptr else { return "" }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: text.len), as: UTF8.self)
    }

    private static func head(_ output: Output, _ what: String, _ name: String, _ buffer: ByteBuffer) {
        buffer.append(
            "\(output.time) \(output.instanceName) \(what) \(output.ordinal) session \(output.session) \(name)"
        )
    }

    private static func attributes(_ list: AttributeList, _ buffer: ByteBuffer) {
        for attribute in list {
            buffer.append(" ")
            unsafe buffer.append(attribute.name.bytes)
            buffer.append("=")
            value(PlainValue(attribute.value), buffer)
        }
    }

    private static func value(_ value: PlainValue, _ buffer: ByteBuffer) {
        switch value {
        case .null: buffer.append("null")
        case .bool(let truth): buffer.append(truth ? "true" : "false")
        case .int(let number): buffer.append(decimal: number)
        case .double(let number):
            buffer.append("d")
            buffer.append(double: number)
        case .string(let text):
            buffer.append("\"")
            buffer.append(jsonEscaped: text)
            buffer.append("\"")
        case .bytes(let bytes): buffer.append("b\(bytes)")
        case .list(let list):
            buffer.append("[")
            for element in list {
                self.value(element, buffer)
                buffer.append(",")
            }
            buffer.append("]")
        }
    }
}
