internal import Glibc
package import PluginABI

/// Copies an output with everything it points at, so that it can outlive the call that brought it.
package enum OutputCopy {
    /// Rounds a size up so that what follows is aligned.
    @inlinable
    package static func aligned(_ size: Int) -> Int {
        (size + 15) & ~15
    }

    /// Bytes that ``copy(_:into:)`` and the output itself need at most.
    package static func size(of output: Output) -> Int { unsafe size(output.what, output.item) }

    /// The same of an output that lies in a segment.
    package static func size(of output: UnsafePointer<tally_output>) -> Int {
        unsafe size(output.pointee.what, output.pointee.item)
    }

    @inline(__always)
    private static func size(_ what: UInt32, _ item: UnsafeRawPointer?) -> Int {
        let frame = unsafe aligned(MemoryLayout<tally_origin>.stride) + aligned(MemoryLayout<tally_output>.stride)
        guard let item = unsafe item else { return frame }
        switch what {
        case TALLY_OUTPUT_EVENT, TALLY_OUTPUT_SESSION_BEGIN, TALLY_OUTPUT_RECORD:
            return unsafe frame + aligned(blockSize(item))
        case TALLY_OUTPUT_BEACON:
            return unsafe frame + size(of: item.assumingMemoryBound(to: tally_beacon.self).pointee)
        case TALLY_OUTPUT_GAP:
            return frame + aligned(MemoryLayout<UInt64>.size)
        case TALLY_OUTPUT_LINE:
            let line = unsafe item.assumingMemoryBound(to: tally_str.self)
            return unsafe frame + aligned(MemoryLayout<tally_str>.stride) + aligned(line.pointee.len)
        default:
            return frame
        }
    }

    /// Copies the item of an output into a segment that has room for it.
    package static func copy(_ output: Output, into segment: OutputSegment) -> UnsafeRawPointer? {
        unsafe copy(output.what, output.item, into: segment)
    }

    /// Copies the item of an output of a kind into a segment that has room for it.
    static func copy(_ what: UInt32, _ item: UnsafeRawPointer?, into segment: OutputSegment) -> UnsafeRawPointer? {
        guard let item = unsafe item else { return nil }
        switch what {
        case TALLY_OUTPUT_EVENT, TALLY_OUTPUT_SESSION_BEGIN, TALLY_OUTPUT_RECORD:
            return unsafe bytes(item, blockSize(item), segment)
        case TALLY_OUTPUT_BEACON:
            return unsafe beacon(item.assumingMemoryBound(to: tally_beacon.self).pointee, segment)
        case TALLY_OUTPUT_GAP:
            return unsafe bytes(item, MemoryLayout<UInt64>.size, segment)
        case TALLY_OUTPUT_LINE:
            let line = unsafe segment.allocate(tally_str.self)
            unsafe line.initialize(to: text(item.assumingMemoryBound(to: tally_str.self).pointee, segment))
            return UnsafeRawPointer(line)
        default:
            return nil
        }
    }

    /// Bytes of an event or a record.
    private static func blockSize(_ item: UnsafeRawPointer) -> Int {
        unsafe Int(item.load(as: UInt32.self))
    }

    // MARK: - Beacons

    private static func size(of beacon: tally_beacon) -> Int {
        var total = unsafe aligned(MemoryLayout<tally_beacon>.stride)
        unsafe total += aligned(beacon.destination.len) + aligned(beacon.method.len) + aligned(beacon.url.len)
        unsafe total += aligned(beacon.body.len) + aligned(beacon.credential.len)
        unsafe total += aligned(Int(beacon.header_count) * MemoryLayout<tally_header>.stride)
        if let headers = unsafe beacon.headers {
            for index in unsafe 0..<Int(beacon.header_count) {
                unsafe total += aligned(headers[index].name.len) + aligned(headers[index].value.len)
            }
        }
        unsafe total += aligned(Int(beacon.patch_count) * MemoryLayout<tally_patch>.stride)
        unsafe total += aligned(Int(beacon.record_count) * MemoryLayout<UInt64>.stride)
        return total
    }

    private static func beacon(_ beacon: tally_beacon, _ segment: OutputSegment) -> UnsafeRawPointer {
        let target = unsafe segment.allocate(tally_beacon.self)
        var copy = unsafe beacon
        unsafe copy.destination = unsafe text(beacon.destination, segment)
        unsafe copy.method = unsafe text(beacon.method, segment)
        unsafe copy.url = unsafe text(beacon.url, segment)
        unsafe copy.body = unsafe text(beacon.body, segment)
        unsafe copy.credential = unsafe text(beacon.credential, segment)
        unsafe copy.patches = unsafe array(beacon.patches, Int(beacon.patch_count), segment)
        unsafe copy.records = unsafe array(beacon.records, Int(beacon.record_count), segment)
        if let headers = unsafe beacon.headers, unsafe beacon.header_count > 0 {
            let copies = unsafe segment.allocate(tally_header.self, count: Int(beacon.header_count))
            for index in unsafe 0..<Int(beacon.header_count) {
                unsafe (copies + index).initialize(
                    to: tally_header(
                        name: text(headers[index].name, segment),
                        value: text(headers[index].value, segment)
                    )
                )
            }
            unsafe copy.headers = unsafe UnsafePointer(copies)
        }
        unsafe target.initialize(to: copy)
        return UnsafeRawPointer(target)
    }

    // MARK: - Parts

    /// Copies a text into a segment that has room for it.
    package static func text(_ text: tally_str, _ segment: OutputSegment) -> tally_str {
        guard let start = unsafe text.ptr, unsafe text.len > 0 else { return unsafe tally_str(ptr: nil, len: 0) }
        let copy = unsafe bytes(start, text.len, segment)
        return unsafe tally_str(ptr: copy.assumingMemoryBound(to: CChar.self), len: text.len)
    }

    private static func array<Element>(
        _ start: UnsafePointer<Element>?,
        _ count: Int,
        _ segment: OutputSegment
    ) -> UnsafePointer<Element>? {
        guard let start = unsafe start, count > 0 else { return nil }
        let copy = unsafe bytes(UnsafeRawPointer(start), count * MemoryLayout<Element>.stride, segment)
        return unsafe copy.assumingMemoryBound(to: Element.self)
    }

    private static func bytes(_ start: UnsafeRawPointer, _ count: Int, _ segment: OutputSegment) -> UnsafeRawPointer {
        let copy = unsafe segment.allocate(bytes: count)
        unsafe memcpy(copy, start, count)
        return UnsafeRawPointer(copy)
    }
}
