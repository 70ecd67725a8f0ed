internal import EventModel
package import PluginABI
internal import TextEncoding

/// Checks a beacon that a plugin emits: that it is complete, within the limits, and that its patches lie inside it.
package enum BeaconCheck {
    /// How many headers, and how many patches, a beacon may have.
    private static let listed: UInt64 = 1024

    /// What a beacon that is taken is like.
    struct Finding {
        /// Bytes of its texts and lists.
        let bytes: Int
        /// Whether all of its texts are UTF-8; the body is no text.
        let isUTF8: Bool
    }

    /// `TALLY_OK`, or what the plugin is told of a beacon that is refused.
    package static func status(of pointer: UnsafePointer<tally_beacon>) -> tally_status {
        do throws(OutputRefusal) {
            _ = unsafe try check(pointer)
            return TALLY_OK
        } catch {
            return error.status
        }
    }

    /// Whether a beacon is one that the core itself hands on: within the limits, with texts in good order.
    package static func isSound(_ beacon: UnsafePointer<tally_beacon>) -> Bool {
        unsafe (try? check(beacon))?.isUTF8 ?? false
    }

    /// Looks at a beacon.
    ///
    /// - Throws: why it is refused.
    static func check(_ pointer: UnsafePointer<tally_beacon>) throws(OutputRefusal) -> Finding {
        let size = unsafe UnsafeRawPointer(pointer).load(as: UInt32.self)
        guard unsafe size >= MemoryLayout<tally_beacon>.size else {
            throw .invalid(.form, "says that it has \(size) bytes, which are too few for a beacon")
        }
        let beacon = unsafe pointer.pointee
        try unsafe checkParts(beacon)
        for (count, what) in unsafe [(beacon.header_count, "headers"), (beacon.patch_count, "patches")]
        where count > listed {
            throw .tooLarge(.size, "has", count, what, limit: Int(listed))
        }
        let most = Limits.beaconBytes / MemoryLayout<UInt64>.stride
        guard unsafe beacon.record_count <= UInt64(most) else {
            throw unsafe .tooLarge(.size, "carries", beacon.record_count, "records", limit: most)
        }
        let bytes = unsafe bytes(of: beacon)
        guard bytes <= UInt64(Limits.beaconBytes) else {
            throw .tooLarge(.size, "has", bytes, "bytes", limit: Limits.beaconBytes)
        }
        try unsafe checkPatches(beacon)
        return Finding(bytes: Int(bytes), isUTF8: unsafe try checkTexts(beacon))
    }

    /// Throws when something that it has to have is not there, or a list that it counts.
    private static func checkParts(_ beacon: tally_beacon) throws(OutputRefusal) {
        guard unsafe beacon.method.len > 0, unsafe beacon.url.len > 0 else {
            throw .invalid(.form, "has no method or no address")
        }
        let texts = unsafe names(of: beacon).map { unsafe $0.text } + [beacon.body]
        guard unsafe texts.allSatisfy({ unsafe $0.len == 0 || $0.ptr != nil }) else {
            throw .invalid(.form, "has a text that is NULL and not empty")
        }
        guard unsafe beacon.header_count == 0 || beacon.headers != nil,
            unsafe beacon.patch_count == 0 || beacon.patches != nil,
            unsafe beacon.record_count == 0 || beacon.records != nil
        else { throw .invalid(.form, "has a list that is NULL and not empty") }
    }

    /// Whether all texts are UTF-8; throws when one has a byte that would end it on its way.
    private static func checkTexts(_ beacon: tally_beacon) throws(OutputRefusal) -> Bool {
        var isUTF8 = true
        let names = unsafe names(of: beacon)
        for index in unsafe names.indices {
            guard unsafe !hasForbidden(names[index].text) else { throw unsafe forbidden(names[index].name) }
            isUTF8 = unsafe isUTF8 && isValidUTF8(bytes(of: names[index].text))
        }
        for index in unsafe 0..<Int(beacon.header_count) {
            guard let header = unsafe beacon.headers?[index] else { break }
            guard unsafe [header.name, header.value].allSatisfy({ unsafe $0.len == 0 || $0.ptr != nil }) else {
                throw .invalid(.form, "has a header that is NULL and not empty")
            }
            guard unsafe !hasForbidden(header.name), unsafe !hasForbidden(header.value) else {
                throw forbidden("header \(index + 1)")
            }
            isUTF8 = unsafe isUTF8 && isValidUTF8(bytes(of: header.name)) && isValidUTF8(bytes(of: header.value))
        }
        return isUTF8
    }

    /// Whether a text has a NUL or a line break: where requests are made of it these end it, and begin another one.
    private static func hasForbidden(_ text: tally_str) -> Bool {
        unsafe bytes(of: text).contains { $0 == 0x00 || $0 == 0x0A || $0 == 0x0D }
    }

    private static func forbidden(_ name: String) -> OutputRefusal {
        .invalid(.forbiddenBytes, "has a NUL byte or a line break in its \(name)")
    }

    /// Bytes of its texts and lists; sums that would overflow count as the largest number.
    private static func bytes(of beacon: tally_beacon) -> UInt64 {
        var total = Sum()
        let names = unsafe names(of: beacon)
        for index in unsafe names.indices { unsafe total.add(names[index].text.len) }
        unsafe total.add(beacon.body.len)
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

    private static func checkPatches(_ beacon: tally_beacon) throws(OutputRefusal) {
        guard let patches = unsafe beacon.patches else { return }
        for index in unsafe 0..<Int(beacon.patch_count) {
            let patch = unsafe patches[index]
            let length: UInt64
            switch patch.part {
            case TALLY_PART_URL: length = unsafe UInt64(bitPattern: Int64(beacon.url.len))
            case TALLY_PART_BODY: length = unsafe UInt64(bitPattern: Int64(beacon.body.len))
            default: throw .invalid(.patch, "has patch \(index + 1) in part \(patch.part), which no beacon has")
            }
            guard patch.width <= length, patch.off <= length - patch.width else {
                throw .invalid(.patch, "has patch \(index + 1) outside of its part")
            }
        }
    }

    /// The texts that are no body, each with what it is.
    private static func names(of beacon: tally_beacon) -> [(name: String, text: tally_str)] {
        unsafe [
            ("destination", beacon.destination), ("method", beacon.method), ("address", beacon.url),
            ("credential", beacon.credential),
        ]
    }

    private static func bytes(of text: tally_str) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: text.ptr, count: text.len)
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
