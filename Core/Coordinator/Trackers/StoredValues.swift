package import PluginABI

/// Persistent values in the form in which a tracker gets them: attributes in the order of their names.
package enum StoredValues {
    /// Lends the values as attributes with the heap that their offsets count from.
    package static func with<Result>(
        _ values: [String: String],
        _ body: (UnsafeBufferPointer<tally_attr>, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var heap: [UInt8] = []
        var attributes: [tally_attr] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let keyOffset = heap.count
            heap.append(contentsOf: key.utf8)
            let valueOffset = heap.count
            heap.append(contentsOf: value.utf8)
            attributes.append(
                tally_attr(
                    key_off: UInt32(keyOffset),
                    key_len: UInt16(key.utf8.count),
                    key_id: 0,
                    type: TALLY_T_STRING,
                    flags: 0,
                    reserved0: 0,
                    len: UInt32(value.utf8.count),
                    v: .init(off: UInt64(valueOffset))
                )
            )
        }
        return unsafe heap.withUnsafeBytes { heap in
            unsafe attributes.withUnsafeBufferPointer { unsafe body($0, heap) }
        }
    }
}
