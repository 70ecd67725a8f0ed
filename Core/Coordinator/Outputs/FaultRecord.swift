internal import PluginABI
internal import PluginLoading

/// The record that an error of a tracker becomes, so that a replay shows it: kind `tracker_error`.
enum FaultRecord {
    /// Lends the record with the attributes `code`, `message` and `details`.
    static func with(
        code: String,
        message: String,
        details: String,
        _ body: (UnsafePointer<tally_record>) -> Void
    ) {
        var heap: [UInt8] = []
        var attributes: [tally_attr] = []
        for (name, value) in [("code", code), ("message", message), ("details", details)] {
            let nameOffset = heap.count
            heap.append(contentsOf: name.utf8)
            let valueOffset = heap.count
            heap.append(contentsOf: value.utf8)
            attributes.append(
                tally_attr(
                    key_off: UInt32(nameOffset),
                    key_len: UInt16(name.utf8.count),
                    key_id: 0,
                    type: TALLY_T_STRING,
                    flags: 0,
                    reserved0: 0,
                    len: UInt32(value.utf8.count),
                    v: .init(off: UInt64(valueOffset))
                )
            )
        }
        unsafe CText.with("tracker_error") { kind in
            unsafe heap.withUnsafeBytes { heap in
                unsafe attributes.withUnsafeBufferPointer { attributes in
                    var record = unsafe tally_record(
                        struct_size: UInt32(MemoryLayout<tally_record>.size),
                        flags: 0,
                        kind: kind,
                        attrs: attributes.baseAddress,
                        attr_count: UInt64(attributes.count),
                        heap: heap.baseAddress,
                        heap_len: UInt64(heap.count)
                    )
                    unsafe withUnsafePointer(to: &record) { unsafe body($0) }
                }
            }
        }
    }
}
