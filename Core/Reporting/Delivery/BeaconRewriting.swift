internal import Coordinator
internal import PluginABI

/// Applies privacy rules to beacons.
@safe struct BeaconRewriting {
    private var url: [UInt8]
    private var body: [UInt8]
    private var headers: [(name: [UInt8], value: [UInt8])] = []
    private var patches: [tally_patch] = []
    private var isChanged = false

    static func pass(
        _ output: Output,
        _ beacon: UnsafePointer<tally_beacon>,
        _ rules: [PrivacyRule],
        _ hash: KeyedHash,
        _ deliver: (Output) -> Void
    ) {
        var rewriting = unsafe BeaconRewriting(beacon.pointee)
        for rule in rules {
            if case .text(let pattern, let replacement, let parts) = rule.change {
                rewriting.apply(pattern, replacement, parts, hash)
            }
        }
        guard rewriting.isChanged else {
            deliver(output)
            return
        }
        unsafe rewriting.with(beacon.pointee) { deliver(unsafe output.with(item: UnsafeRawPointer($0))) }
    }

    private init(_ beacon: tally_beacon) {
        unsafe url = Array(beacon.url.bytes)
        unsafe body = Array(beacon.body.bytes)
        if let first = unsafe beacon.headers {
            for index in 0..<(unsafe Int(beacon.header_count)) {
                unsafe headers.append((Array(first[index].name.bytes), Array(first[index].value.bytes)))
            }
        }
        if let first = unsafe beacon.patches {
            patches = unsafe (0..<Int(beacon.patch_count)).map { unsafe first[$0] }
        }
    }

    private mutating func apply(
        _ pattern: BytePattern,
        _ replacement: String,
        _ parts: Set<PrivacyRule.Part>,
        _ hash: KeyedHash
    ) {
        func replaced(_ bytes: [UInt8]) -> (bytes: [UInt8], edits: [Edit])? {
            Self.replaced(bytes, pattern, replacement, hash)
        }
        if parts.contains(.url), let new = replaced(url) {
            url = new.bytes
            move(TALLY_PART_URL, new.edits)
        }
        if parts.contains(.body), let new = replaced(body) {
            body = new.bytes
            move(TALLY_PART_BODY, new.edits)
        }
        guard parts.contains(.headers) else { return }
        for index in headers.indices {
            if let new = replaced(headers[index].value) {
                headers[index].value = new.bytes
                isChanged = true
            }
        }
    }

    // MARK: - Replacing

    private struct Edit {
        let range: Range<Int>
        let length: Int
    }

    /// All places that fit, replaced; nil when none does.
    private static func replaced(
        _ bytes: [UInt8],
        _ pattern: BytePattern,
        _ replacement: String,
        _ hash: KeyedHash
    ) -> (bytes: [UInt8], edits: [Edit])? {
        var result: [UInt8] = []
        var edits: [Edit] = []
        var copied = 0
        var place = 0
        while place <= bytes.count, let match = pattern.match(in: bytes, from: place) {
            // What fits nothing is nothing to hide.
            place = match.whole.isEmpty ? match.whole.upperBound + 1 : match.whole.upperBound
            guard !match.inner.isEmpty else { continue }
            let old = Array(bytes[match.inner])
            let new = Self.text(replacement, for: old, hash)
            result += bytes[copied..<match.inner.lowerBound]
            result += new
            copied = match.inner.upperBound
            edits.append(Edit(range: match.inner, length: new.count))
        }
        guard !edits.isEmpty else { return nil }
        result += bytes[copied...]
        return (result, edits)
    }

    /// The replacement; `{hash}` in it becomes the hash of what it stands for.
    private static func text(_ replacement: String, for old: [UInt8], _ hash: KeyedHash) -> [UInt8] {
        let parts = replacement.split(separator: "{hash}", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return Array(replacement.utf8) }
        let digits = unsafe old.withUnsafeBytes { unsafe hash.text(of: $0) }
        return Array(parts.joined(separator: digits).utf8)
    }

    /// Moves the places that the reporter fills in along; one that was replaced is filled in no more.
    private mutating func move(_ part: UInt32, _ edits: [Edit]) {
        isChanged = true
        patches = patches.compactMap { patch in
            guard patch.part == part else { return patch }
            let place = Int(patch.off)..<Int(patch.off + patch.width)
            guard !edits.contains(where: { $0.range.overlaps(place) }) else { return nil }
            let moved = edits.filter { $0.range.upperBound <= place.lowerBound }.reduce(place.lowerBound) {
                $0 + $1.length - $1.range.count
            }
            var patch = patch
            patch.off = UInt64(moved)
            return patch
        }
    }

    // MARK: - Lending

    private func with(_ beacon: tally_beacon, _ body: (UnsafePointer<tally_beacon>) -> Void) {
        var heap: [UInt8] = url + self.body
        var places = [0, url.count, heap.count]
        for header in headers {
            heap += header.name
            places.append(heap.count)
            heap += header.value
            places.append(heap.count)
        }
        unsafe heap.withUnsafeBytes { heap in
            func text(_ index: Int) -> tally_str {
                let range = places[index]..<places[index + 1]
                let start = unsafe heap.baseAddress?.assumingMemoryBound(to: CChar.self)
                return unsafe tally_str(ptr: start.map { unsafe $0 + range.lowerBound }, len: range.count)
            }
            let lines = unsafe headers.indices.map { index in
                unsafe tally_header(name: text(2 + 2 * index), value: text(3 + 2 * index))
            }
            unsafe lines.withUnsafeBufferPointer { lines in
                unsafe patches.withUnsafeBufferPointer { patches in
                    var changed = unsafe beacon
                    unsafe changed.url = unsafe text(0)
                    unsafe changed.body = unsafe text(1)
                    unsafe changed.headers = lines.baseAddress
                    unsafe changed.patches = patches.baseAddress
                    unsafe changed.patch_count = UInt64(patches.count)
                    unsafe withUnsafePointer(to: &changed) { unsafe body($0) }
                }
            }
        }
    }
}
