internal import Coordinator
internal import EventModel
internal import PluginABI

/// Applies privacy rules to events.
enum EventRewriting {
    static func pass(
        _ output: borrowing Output,
        _ event: UnsafePointer<tally_event>,
        _ rules: [PrivacyRule],
        _ hash: KeyedHash,
        _ deliver: (borrowing Output) -> Void
    ) {
        let view = unsafe EventView(event)
        let attributesOffset = unsafe Int(event.pointee.attr_off)
        let stride = MemoryLayout<tally_attr>.stride
        // Header and state lie before the attributes, all texts behind them.
        var copy = AttributeCopy(base: attributesOffset + view.attributes.count * stride)
        guard copy.copy(view.attributes, rules, hash) else {
            deliver(output)
            return
        }
        let nameOffset = unsafe copy.add(view.typeName.bytes)
        var block = unsafe Array(UnsafeRawBufferPointer(start: event, count: attributesOffset))
        unsafe copy.attributes.withUnsafeBytes { unsafe block.append(contentsOf: $0) }
        // The place of those that were dropped.
        let dropped = view.attributes.count - (copy.attributes.count)
        block += [UInt8](repeating: 0, count: dropped * stride)
        block += copy.heap
        block += [UInt8](repeating: 0, count: -block.count & 7)
        unsafe block.withUnsafeMutableBytes { bytes in
            guard let header = unsafe bytes.baseAddress?.assumingMemoryBound(to: tally_event.self) else { return }
            unsafe header.pointee.size = UInt32(truncatingIfNeeded: bytes.count)
            unsafe header.pointee.attr_count = UInt32(truncatingIfNeeded: copy.attributes.count)
            unsafe header.pointee.type_name_off = UInt32(truncatingIfNeeded: nameOffset)
            deliver(unsafe output.with(item: UnsafeRawPointer(header)))
        }
    }
}
