internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading

/// Memory with outputs that another process has written: a copy, which nobody but this process can change.
@safe final class OutputBytes {
    /// The bytes, aligned to 16.
    let start: UnsafeMutableRawPointer
    /// How many there are.
    let count: Int

    /// Copies bytes.
    init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        unsafe start = .allocate(byteCount: max(count, 16), alignment: 16)
        if let from = bytes.baseAddress { unsafe memcpy(start, from, count) }
    }

    deinit { unsafe start.deallocate() }

    /// A record that is whole and within the limits, with texts in good order; nil for what is none.
    func record() -> UnsafePointer<tally_record>? {
        guard count >= MemoryLayout<tally_record>.size else { return nil }
        let record = unsafe UnsafePointer(start.assumingMemoryBound(to: tally_record.self))
        guard unsafe Int(record.pointee.size) <= count, unsafe RecordCheck.isSound(record) else {
            return nil
        }
        return unsafe record
    }

    /// A beacon that is complete and within the limits; `base` is where its bytes lay when its pointers were written.
    func beacon(base: UInt64) -> UnsafePointer<tally_beacon>? {
        guard unsafe count >= MemoryLayout<tally_beacon>.size else { return nil }
        let beacon = unsafe start.assumingMemoryBound(to: tally_beacon.self)
        unsafe beacon.pointee.struct_size = UInt32(MemoryLayout<tally_beacon>.size)
        guard unsafe move(beacon, base) else { return nil }
        let moved = unsafe UnsafePointer(beacon)
        return unsafe BeaconCheck.isSound(moved) ? moved : nil
    }

    /// The list of so many outputs at an offset, with all that they point at; nil when something lies elsewhere.
    ///
    /// The items themselves are not checked: it is for who trusts the process that wrote them.
    func outputs(at offset: UInt64, count: Int, base: UInt64) -> UnsafeBufferPointer<UnsafePointer<tally_output>?>? {
        let list = unsafe moved(base &+ offset, UInt64(count * MemoryLayout<UnsafeRawPointer?>.stride), 8, base)
        guard let outputs = unsafe list?.assumingMemoryBound(to: UnsafePointer<tally_output>?.self) else { return nil }
        for index in 0..<count {
            guard unsafe move(&outputs[index], 1, base), let output = unsafe outputs[index],
                unsafe move(UnsafeMutablePointer(mutating: output), base)
            else { return nil }
        }
        return unsafe UnsafeBufferPointer(start: outputs, count: count)
    }

    private func move(_ output: UnsafeMutablePointer<tally_output>, _ base: UInt64) -> Bool {
        var origin: UnsafePointer<tally_origin>? = unsafe output.pointee.origin
        guard unsafe move(&origin, 1, base), let moved = unsafe origin else { return false }
        unsafe output.pointee.origin = unsafe moved
        let texts = unsafe UnsafeMutablePointer(mutating: moved)
        guard unsafe move(&texts.pointee.player_run_id, base), unsafe move(&texts.pointee.plugin_id, base),
            unsafe move(&texts.pointee.plugin_version, base), unsafe move(&texts.pointee.instance, base),
            unsafe move(&texts.pointee.video_id, base)
        else { return false }
        guard let item = unsafe output.pointee.item else { return true }
        let what = unsafe output.pointee.what
        let size =
            switch what {
            case TALLY_OUTPUT_BEACON: unsafe UInt64(MemoryLayout<tally_beacon>.size)
            case TALLY_OUTPUT_LINE: unsafe UInt64(MemoryLayout<tally_str>.size)
            default: UInt64(MemoryLayout<UInt64>.size)
            }
        guard let place = unsafe self.moved(UInt64(register: item), size, 8, base) else { return false }
        unsafe output.pointee.item = UnsafeRawPointer(place)
        switch what {
        case TALLY_OUTPUT_BEACON: return unsafe move(place.assumingMemoryBound(to: tally_beacon.self), base)
        case TALLY_OUTPUT_LINE: return unsafe move(&place.assumingMemoryBound(to: tally_str.self).pointee, base)
        default: return true
        }
    }

    private func move(_ beacon: UnsafeMutablePointer<tally_beacon>, _ base: UInt64) -> Bool {
        guard unsafe move(&beacon.pointee.destination, base), unsafe move(&beacon.pointee.method, base),
            unsafe move(&beacon.pointee.url, base), unsafe move(&beacon.pointee.body, base),
            unsafe move(&beacon.pointee.credential, base),
            unsafe move(&beacon.pointee.headers, beacon.pointee.header_count, base),
            unsafe move(&beacon.pointee.patches, beacon.pointee.patch_count, base),
            unsafe move(&beacon.pointee.records, beacon.pointee.record_count, base)
        else { return false }
        if let headers = unsafe UnsafeMutablePointer(mutating: beacon.pointee.headers) {
            for index in unsafe 0..<Int(beacon.pointee.header_count) {
                guard unsafe move(&headers[index].name, base), unsafe move(&headers[index].value, base) else {
                    return false
                }
            }
        }
        return true
    }

    /// Lets a text lie here that lay in the other process; false when it lies elsewhere.
    private func move(_ text: inout tally_str, _ base: UInt64) -> Bool {
        guard unsafe text.len > 0, let place = unsafe text.ptr else {
            unsafe text = unsafe tally_str(ptr: nil, len: 0)
            return true
        }
        guard let moved = unsafe moved(UInt64(UInt(bitPattern: place)), UInt64(text.len), 1, base) else { return false }
        unsafe text.ptr = unsafe UnsafePointer(moved.assumingMemoryBound(to: CChar.self))
        return true
    }

    /// The same of a list.
    private func move<Element>(_ list: inout UnsafePointer<Element>?, _ number: UInt64, _ base: UInt64) -> Bool {
        guard number > 0, let place = unsafe list else {
            unsafe list = nil
            return number == 0
        }
        let (bytes, isTooLong) = number.multipliedReportingOverflow(by: UInt64(MemoryLayout<Element>.stride))
        guard !isTooLong,
            let moved = unsafe moved(
                UInt64(UInt(bitPattern: place)),
                bytes,
                UInt64(MemoryLayout<Element>.alignment),
                base
            )
        else { return false }
        unsafe list = unsafe UnsafePointer(moved.assumingMemoryBound(to: Element.self))
        return true
    }

    private func moved(
        _ place: UInt64,
        _ bytes: UInt64,
        _ alignment: UInt64,
        _ base: UInt64
    )
        -> UnsafeMutableRawPointer?
    {
        guard place >= base, place - base <= UInt64(count), bytes <= UInt64(count) - (place - base),
            (place - base) % alignment == 0
        else { return nil }
        return unsafe start + Int(place - base)
    }
}
