internal import Coordinator
internal import EventModel
internal import PluginABI

/// Applies privacy rules to records.
enum RecordRewriting {
    static func pass(
        _ output: borrowing Output,
        _ record: UnsafePointer<tally_record>,
        _ rules: [PrivacyRule],
        _ hash: KeyedHash,
        _ deliver: (borrowing Output) -> Void
    ) {
        var copy = AttributeCopy(base: 0)
        guard let first = unsafe record.pointee.attrs,
            copy.copy(
                unsafe AttributeList(
                    base: record.pointee.heap ?? UnsafeRawPointer(first),
                    first: first,
                    count: Int(record.pointee.attr_count)
                ),
                rules,
                hash
            )
        else {
            deliver(output)
            return
        }
        unsafe copy.attributes.withUnsafeBufferPointer { attributes in
            unsafe copy.heap.withUnsafeBytes { heap in
                var changed = unsafe record.pointee
                unsafe changed.attrs = attributes.baseAddress
                unsafe changed.attr_count = UInt64(attributes.count)
                unsafe changed.heap = heap.baseAddress
                unsafe changed.heap_len = UInt64(heap.count)
                unsafe withUnsafePointer(to: &changed) { changed in
                    deliver(unsafe output.with(item: UnsafeRawPointer(changed)))
                }
            }
        }
    }
}
