internal import Coordinator
internal import EventModel
internal import PluginABI
internal import TextEncoding

/// What the rules of a ``DeliveryPolicy`` look at in an output, lent as long as it is.
@safe struct OutputContent {
    let kind: OutputSelector.Kind
    let instance: UnsafeRawBufferPointer
    let plugin: UnsafeRawBufferPointer
    let name: UnsafeRawBufferPointer
    let attributes: AttributeList?

    init(_ output: Output) {
        unsafe instance = output.identity.instance.bytes
        unsafe plugin = output.identity.pluginID.bytes
        switch (output.what, unsafe output.item) {
        case (TALLY_OUTPUT_RECORD, let item?):
            let record = unsafe RecordView(item.assumingMemoryBound(to: tally_record.self))
            kind = .record
            unsafe name = record.kind.bytes
            attributes = record.attributes
        case (TALLY_OUTPUT_BEACON, let item?):
            kind = .beacon
            unsafe name = item.assumingMemoryBound(to: tally_beacon.self).pointee.destination.bytes
            attributes = nil
        case (TALLY_OUTPUT_EVENT, let item?):
            let event = unsafe EventView(item.assumingMemoryBound(to: tally_event.self))
            kind = .event
            unsafe name = event.typeName.bytes
            attributes = event.attributes
        default:
            kind = .boundary
            unsafe name = UnsafeRawBufferPointer(start: nil, count: 0)
            attributes = nil
        }
    }
}

extension OutputContent: ExpressionValues {
    func value(of name: String) -> JSONValue? {
        attribute(name).map { attribute in
            unsafe .string(AttributeText.with(attribute) { unsafe String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Whether the text of an attribute's value fits, byte for byte: not each one is valid UTF-8.
    func fits(_ name: String, _ pattern: Glob) -> Bool {
        attribute(name).map { unsafe AttributeText.with($0) { unsafe pattern.matches($0) } } ?? false
    }

    private func attribute(_ name: String) -> AttributeView? {
        attributes?.first { $0.name == name }
    }
}

extension tally_str {
    /// The bytes, lent as long as the text is.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: ptr, count: ptr == nil ? 0 : len)
    }
}

/// The value of an attribute as bytes: what rules compare, and what a hash is made of.
enum AttributeText {
    /// Lends the bytes: a text's own, other values as JSON has them.
    static func with<Result>(_ attribute: AttributeView, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch attribute.value {
        case .string(let text), .bytes(let text): return unsafe body(text.bytes)
        default:
            let buffer = ByteBuffer(capacity: 64)
            append(attribute.value, to: buffer)
            return unsafe buffer.withBytes { unsafe body(UnsafeRawBufferPointer($0)) }
        }
    }

    private static func append(_ value: ValueView, to buffer: ByteBuffer) {
        switch value {
        case .null, .unknown: buffer.append("null")
        case .bool(let truth): buffer.append(truth ? "true" : "false")
        case .int(let number): buffer.append(decimal: number)
        case .double(let number):
            // A rule compares numbers, and a hash is made of one: 2.0 is 2.
            if case .int(let whole) = CanonicalNumber(number) {
                buffer.append(decimal: whole)
            } else {
                buffer.append("\(number)")
            }
        case .string(let text), .bytes(let text): unsafe buffer.append(text.bytes)
        case .list(let elements):
            for element in elements {
                append(element.value, to: buffer)
                buffer.append(UInt8(ascii: ","))
            }
        }
    }
}
