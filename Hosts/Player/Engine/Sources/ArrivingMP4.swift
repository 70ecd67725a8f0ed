/// What an MP4 file says of itself while its bytes arrive (ISO/IEC 14496-12, 4.2).
///
/// A server that does not say how long its answer is leaves GStreamer without a duration, and lets it take an answer
/// that broke off for a whole one. The file's boxes say both.
package struct ArrivingMP4: Sendable {
    /// The largest index that is looked at, in bytes.
    private static let indexLimit = 16 << 20
    private static let headLimit = 16

    /// How long the media is by its index, in milliseconds; nil when that says nothing.
    package private(set) var durationMs: Int64?
    /// Whether bytes are missing of the box that came last.
    package var isCutOff: Bool { isMP4 && isWhole && (boxLeft > 0 || !head.isEmpty) }

    private var isMP4 = false
    /// Whether all that came so far came in its order, from the first byte on.
    private var isWhole = true
    private var offset: UInt64 = 0
    private var head: [UInt8] = []
    private var boxLeft: UInt64 = 0
    private var index: [UInt8]?

    /// Begins before the first byte.
    package init() {}

    /// Takes bytes that lie at an offset of the file, nil when that is the next one.
    package mutating func add(_ bytes: ArraySlice<UInt8>, at place: UInt64?) {
        isWhole = isWhole && (place == nil || place == offset)
        guard isWhole else { return }
        offset += UInt64(bytes.count)
        var rest = bytes
        while !rest.isEmpty, isWhole {
            if boxLeft > 0 {
                let part = rest.prefix(Int(min(boxLeft, UInt64(rest.count))))
                index?.append(contentsOf: part)
                boxLeft -= UInt64(part.count)
                rest = rest.dropFirst(part.count)
                if boxLeft == 0 { endBox() }
            } else {
                head.append(rest.removeFirst())
                beginBox()
            }
        }
    }

    private mutating func beginBox() {
        guard head.count == 8 || head.count == Self.headLimit else { return }
        let size = Self.number(head[..<4])
        if size == 1, head.count == 8 { return }
        let type = head[4..<8]
        let length = size == 1 ? Self.number(head[8...]) : size
        if !isMP4 {
            isMP4 = Array(type) == Array("ftyp".utf8)
        }
        // A box without a length lasts to the end of the file.
        isWhole = isMP4 && length >= UInt64(head.count)
        guard isWhole else { return }
        boxLeft = length - UInt64(head.count)
        index = Array(type) == Array("moov".utf8) && boxLeft <= UInt64(Self.indexLimit) ? [] : nil
        head = []
        if boxLeft == 0 { endBox() }
    }

    private mutating func endBox() {
        guard let index else { return }
        self.index = nil
        durationMs = Self.duration(in: index[...])
    }

    /// The duration that the header of the movie names, or that of its fragments.
    private static func duration(in moov: ArraySlice<UInt8>) -> Int64? {
        guard let header = box("mvhd", in: moov), let scale = field(header, at: 12, long: 20, bytes: 4), scale > 0
        else {
            return nil
        }
        let isLong = header.first == 1
        var units = field(header, at: 16, long: 24, bytes: isLong ? 8 : 4) ?? 0
        if let fragments = box("mvex", in: moov), let extent = box("mehd", in: fragments) {
            units = max(units, field(extent, at: 4, long: 4, bytes: extent.first == 1 ? 8 : 4) ?? 0)
        }
        // All bits set stand for a duration that is not known.
        guard units > 0, units < (isLong ? UInt64(Int64.max) / 1000 : UInt64(UInt32.max)) else { return nil }
        return Int64(units * 1000 / scale)
    }

    private static func box(_ type: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        while rest.count >= 8 {
            let size = number(rest.prefix(4))
            guard size >= 8, size <= UInt64(rest.count) else { return nil }
            let box = rest.prefix(Int(size))
            if Array(box.dropFirst(4).prefix(4)) == Array(type.utf8) { return box.dropFirst(8) }
            rest = rest.dropFirst(Int(size))
        }
        return nil
    }

    private static func field(_ body: ArraySlice<UInt8>, at short: Int, long: Int, bytes count: Int) -> UInt64? {
        let field = body.dropFirst(body.first == 1 ? long : short).prefix(count)
        return field.count == count ? number(field) : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
