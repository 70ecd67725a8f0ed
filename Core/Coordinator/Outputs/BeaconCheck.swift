internal import EventModel
package import PluginABI

/// Checks a beacon that a plugin emits: that it is complete, within the limits, and that its patches lie inside it.
package enum BeaconCheck {
    /// How many headers, and how many patches, a beacon may have.
    private static let listed: UInt64 = 1024

    /// `TALLY_OK`, or why the beacon is refused.
    package static func status(of pointer: UnsafePointer<tally_beacon>) -> tally_status {
        let size = unsafe UnsafeRawPointer(pointer).load(as: UInt32.self)
        guard unsafe size >= MemoryLayout<tally_beacon>.size else { return TALLY_ERR_INVALID }
        let beacon = unsafe pointer.pointee
        guard unsafe isComplete(beacon) else { return TALLY_ERR_INVALID }
        guard unsafe beacon.header_count <= listed, unsafe beacon.patch_count <= listed,
            unsafe beacon.record_count <= UInt64(Limits.beaconBytes / MemoryLayout<UInt64>.stride),
            unsafe bytes(of: beacon) <= UInt64(Limits.beaconBytes)
        else { return TALLY_ERR_TOO_LARGE }
        return unsafe patchesFit(beacon) ? TALLY_OK : TALLY_ERR_INVALID
    }

    /// Whether what it has to have is there, and every list that it counts.
    private static func isComplete(_ beacon: tally_beacon) -> Bool {
        guard unsafe beacon.method.len > 0, unsafe beacon.url.len > 0 else { return false }
        let texts = unsafe texts(of: beacon)
        guard unsafe texts.allSatisfy({ unsafe $0.len == 0 || $0.ptr != nil }) else { return false }
        return unsafe (beacon.header_count == 0 || beacon.headers != nil)
            && (beacon.patch_count == 0 || beacon.patches != nil)
            && (beacon.record_count == 0 || beacon.records != nil)
    }

    /// Bytes of its texts and lists; sums that would overflow count as the largest number.
    private static func bytes(of beacon: tally_beacon) -> UInt64 {
        var total = Sum()
        for length in unsafe texts(of: beacon).map({ unsafe $0.len }) {
            total.add(length)
        }
        if let headers = unsafe beacon.headers {
            for index in unsafe 0..<Int(beacon.header_count) {
                unsafe total.add(headers[index].name.len)
                unsafe total.add(headers[index].value.len)
            }
        }
        unsafe total.add(Int(beacon.header_count) * MemoryLayout<tally_header>.stride)
        unsafe total.add(Int(beacon.patch_count) * MemoryLayout<tally_patch>.stride)
        unsafe total.add(Int(beacon.record_count) * MemoryLayout<UInt64>.stride)
        return total.value
    }

    private static func patchesFit(_ beacon: tally_beacon) -> Bool {
        guard let patches = unsafe beacon.patches else { return true }
        for index in unsafe 0..<Int(beacon.patch_count) {
            let patch = unsafe patches[index]
            let length: UInt64
            switch patch.part {
            case TALLY_PART_URL: length = unsafe UInt64(bitPattern: Int64(beacon.url.len))
            case TALLY_PART_BODY: length = unsafe UInt64(bitPattern: Int64(beacon.body.len))
            default: return false
            }
            guard patch.width <= length, patch.off <= length - patch.width else { return false }
        }
        return true
    }

    private static func texts(of beacon: tally_beacon) -> [tally_str] {
        unsafe [beacon.destination, beacon.method, beacon.url, beacon.body, beacon.credential]
    }

    /// Adds up lengths that C counts without a sign.
    private struct Sum {
        var value: UInt64 = 0

        mutating func add(_ length: Int) {
            let (sum, overflow) = value.addingReportingOverflow(UInt64(bitPattern: Int64(length)))
            value = overflow ? .max : sum
        }
    }
}
