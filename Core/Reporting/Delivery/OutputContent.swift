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
            kind = output.what == TALLY_OUTPUT_LINE ? .line : .boundary
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
